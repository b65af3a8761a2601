/**
 * Which names belong to one account.
 */
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { foldName, nameFault } from '../../../data/accounts/account-name.ts';
import { editing } from '../../build/publishing.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';
import { answerOf, offprintInProcess } from '../../service/in-process.ts';
import { createKey, recordOf } from '../../service/key-commands.ts';
import { writeEmptyBlog } from '../../service/odd-blog.ts';

function newBlog() {
  const folder = temporaryFolder();
  const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
  writeEmptyBlog(db);
  return { db, out, files: ['--db', db, '--out', out] };
}

describe('names of accounts', () => {
  test('are the same if a case-insensitive regular expression treats them as the same', () => {
    let compared = 0;
    for (let code = 0; code < 0x11_0000; code += 1) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const character = String.fromCodePoint(code);
      const others = [character.toLowerCase(), character.toUpperCase()];
      for (const other of others) {
        if (other === character || [...other].length > 1) continue;
        const isSame = new RegExp(`^${character}$`, 'iu').test(other);
        expect(foldName(`x${character}`) === foldName(`x${other}`), `${character} and ${other}`).toBe(isSame);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(2500);
  });

  // CaseFolding.txt, status F; then NFC and NFD, white space, and invisible characters.
  test.each([
    ['straße', 'STRASSE'],
    ['straße', 'STRAẞE'],
    ['ΟΔΟΣ', 'οδος'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['İpek', 'i̇pek'],
    ['ﬁn', 'FIN'],
    ['ᾳ', 'ΑΙ'],
    ['Ꭰ', 'ꭰ'],
    ['Zoë', 'ZOË'.normalize('NFD')],
    ['ada', ' ada\t'],
    ['ada lovelace', 'Ada\u00a0 Lovelace'],
    ['ada', 'a\u200bd\u00ada'],
  ])('%j and %j are the same account', (one, other) => expect(foldName(one)).toBe(foldName(other)));

  test.each([
    ['ılgaz', 'ilgaz'],
    ['ada', 'áda'],
    ['ada', 'a da'],
    ['高橋', '髙橋'],
  ])('%j and %j are two accounts', (one, other) => expect(foldName(one)).not.toBe(foldName(other)));

  test('cannot be blank, nor contain what moves or hides text', () => {
    for (const code of [0x0a, 0x1b, 0x7f, 0x9b, 0x200e, 0x2028, 0x202e, 0x2066])
      expect(nameFault(`a${String.fromCharCode(code)}b`), String(code)).toMatch(/control or direction/);
    for (const name of [' ', '\u200b']) expect(nameFault(name)).toBe('it is blank');
  });

  test('are rejected by "keys create", which creates nothing', async () => {
    const { files } = newBlog();
    for (const [account, name] of [
      ['ada\nopk_AAAAAAAA  root', 'n'],
      ['ada', 'n\u202e'],
      ['a'.repeat(201), 'n'],
    ] as const) {
      const args = ['keys', 'create', ...files, '--account', account, '--name', name, '--json'];
      expect((await offprintInProcess(args)).code).toBe(2);
    }
    expect(await answerOf(['keys', 'list', ...files])).toEqual([]);
    await createKey(files, { account: '高'.repeat(200), name: '🖋️'.repeat(100) });
  });
});

describe('an account', () => {
  test('is found by every form of its name, and shown in the first', async () => {
    const { out, files } = newBlog();
    for (const account of ['Zoë', ' Zoë', 'zoë', 'Zoë'.normalize('NFD'), 'ZOË ']) {
      const { key, account: shown } = await createKey(files, { account, name: 'n' });
      expect(shown).toBe('Zoë');
      expect(recordOf(out, key).account).toBe('Zoë');
    }
  });
});

describe('an account that another program wrote without its folded name', () => {
  test.each([
    ['inserted', "INSERT INTO accounts (name) VALUES ('Ädä')", 'Ädä', 'ädä'],
    ['renamed', "UPDATE accounts SET name = 'ADA' WHERE name = 'grace'", 'ADA', 'ada'],
  ])(
    '%s is named by the build and by changes of accounts, which change nothing',
    async (_, sql, name, folded) => {
      const { db, out, files } = newBlog();
      const { prefix, key } = await createKey(files, { account: 'ada', name: 'n' });
      await createKey(files, { account: 'grace', name: 'n' });
      editing(db, (file) => file.exec(sql));
      for (const command of [
        ['build'],
        ['accounts', 'set', 'ada', '--plan', 'admin'],
        ['accounts', 'list'],
      ]) {
        const { code, stderr } = await offprintInProcess([...command, ...files]);
        expect(code).toBe(1);
        expect(stderr).toContain(`Another program wrote the account "${name}" into ${db} (row `);
        expect(stderr).toContain(`Set its column "folded" to "${folded}"`);
        expect(stderr.trimEnd().split('\n')).toHaveLength(1);
      }
      // It keeps no key from being revoked.
      await answerOf(['keys', 'revoke', prefix, ...files]);
      expect(recordOf(out, key).revoked).toBe(true);

      const correct = (file: Database.Database) =>
        file.prepare('UPDATE accounts SET folded = ? WHERE name = ?').run(folded, name);
      if (name === 'ADA') expect(() => editing(db, correct)).toThrow('UNIQUE');
      else {
        editing(db, correct);
        expect(await offprintInProcess(['build', ...files])).toMatchObject({ code: 0 });
        expect((await createKey(files, { account: 'ädä', name: 'n' })).account).toBe('Ädä');
      }
    },
  );
});
