/**
 * Which names belong to one account, and how accounts of earlier versions are merged.
 */
import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { foldName, nameFault } from '../../data/accounts/account-name.ts';
import { parseKeyRecord } from '../../contract/key-record.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';
import { CAN_MOUNT, smallDisk } from '../build/tmpfs.ts';
import { answerOf, offprintInProcess } from '../service/in-process.ts';
import { createKey, rotateKey } from '../service/key-commands.ts';
import { writeEmptyBlog } from '../service/odd-blog.ts';
import { writeVersion1 } from './version-1.ts';
import { lacks } from '../lacks.ts';

function newBlog() {
  const folder = temporaryFolder();
  const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
  writeEmptyBlog(db);
  return { db, out, files: ['--db', db, '--out', out] };
}

function recordOf(out: string, key: string) {
  const sha256 = createHash('sha256').update(key).digest('hex');
  return parseKeyRecord(readFileSync(join(out, 'keys', `${sha256}.json`), 'utf8'));
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

  test.each([
    ' ',
    '\u200b',
    'a\nb',
    'a\u001bb',
    'a\u202eb',
    'a\u2066b',
    'a\u200eb',
    'a\u009bb',
    'a\u2028b',
    'a\u007fb',
  ])('cannot be %j, nor can the name of a key', async (name) => {
    expect(nameFault(name)).not.toBeNull();
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

  test('keeps its plan: a key that asks for another is refused', async () => {
    const { out, files } = newBlog();
    await createKey(files, { account: 'boss', name: 'one', plan: 'admin' });
    const create = ['keys', 'create', ...files, '--account', 'Boss', '--name', 'two', '--json'];
    const { code, stdout, stderr } = await offprintInProcess([...create, '--plan', 'user']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/"boss" has the plan admin, not user.*"accounts set"/);
    expect(await answerOf(['keys', 'list', ...files])).toHaveLength(1);
    const { key } = await createKey(files, { account: 'BOSS', name: 'two' });
    expect(recordOf(out, key)).toMatchObject({ account: 'boss', plan: 'admin' });
  });
});

/** Accounts that are now the same, each with a key whose prefix is opk_ and its id eight times. */
const COLLIDING = ['ada', ' ada', 'Ada', 'Zoë', 'Zoë'.normalize('NFD'), 'boss', 'BOSS', 'grace']
  .map(
    (name, i) => `
      INSERT INTO accounts (id, name, role) VALUES (${i + 1}, '${name}', '${name === 'boss' ? 'admin' : 'user'}');
      INSERT INTO api_keys (account_id, name, prefix, sha256, scopes)
        VALUES (${i + 1}, 'k', 'opk_${String(i + 1).repeat(8)}', '${String(i + 1).repeat(64)}', '[]');`,
  )
  .join('');

/** The accounts in the gateway's files: `1 ada user`. */
function records(out: string): string[] {
  return Array.from({ length: 8 }, (_, i) => {
    const id = String(i + 1);
    const { account, plan } = parseKeyRecord(
      readFileSync(join(out, 'keys', `${id.repeat(64)}.json`), 'utf8'),
    );
    return `${id} ${account} ${plan}`;
  });
}

const MERGED = [
  ...['1 ada user', '2 ada user', '3 ada user', '4 Zoë user', '5 Zoë user'],
  ...['6 boss user', '7 boss user', '8 grace user'],
];

describe('accounts of an earlier version that are now the same', () => {
  test.each([
    ['build', ['build']],
    ['keys create', ['keys', 'create', '--account', 'new', '--name', 'n']],
  ])('are merged by "%s": keys are kept, no plan is raised, and it is reported once', async (_, command) => {
    const folder = temporaryFolder();
    const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
    writeVersion1(db, COLLIDING);
    const run = () => offprintInProcess([...command, '--db', db, '--out', out, '--json']);
    const { code, stderr } = await run();
    expect(code, stderr).toBe(0);
    const messages = stderr.split('\n').filter((line) => line.startsWith('merged'));
    expect(messages).toHaveLength(3);
    expect(messages[0]).toContain('"ada", " ada", "Ada"');
    expect(messages.filter((line) => line.includes('Its plan is user'))).toEqual([
      expect.stringContaining('"boss", "BOSS"'),
    ]);
    expect(records(out)).toEqual(MERGED);
    const file = new Database(db, { readonly: true });
    expect(file.prepare('SELECT count(DISTINCT account_id) FROM api_keys WHERE id <= 8').pluck().get()).toBe(
      4,
    );
    file.close();
    expect((await run()).stderr).not.toContain('merged');
  });

  test.skipIf(lacks('permission to mount', CAN_MOUNT))(
    "are one in the gateway's files if the database is read-only",
    async () => {
      const disk = smallDisk(2 ** 22);
      const [db, out] = [join(disk.folder, 'blog.db'), join(temporaryFolder(), 'out')];
      writeVersion1(db, COLLIDING, 'DELETE');
      disk.setReadOnly(true);
      await answerOf(['build', '--db', db, '--out', out]);
      expect(records(out)).toEqual(MERGED);
    },
  );
});

test('accounts that another program inserts or renames are compared too', async () => {
  const { db, out, files } = newBlog();
  const { key, prefix } = await createKey(files, { account: 'ada', name: 'n' });
  const grace = await createKey(files, { account: 'grace', name: 'n' });
  const other = new Database(db);
  other.exec(
    "UPDATE accounts SET name = 'ADA' WHERE name = 'grace'; INSERT INTO accounts (name) VALUES ('Ädä')",
  );
  other.close();
  const { stderr } = await offprintInProcess(['build', ...files]);
  expect(stderr).toContain('merged accounts "ada", "ADA"');
  for (const made of [key, grace.key]) expect(recordOf(out, made).account).toBe('ada');
  const turned = await rotateKey(files, prefix);
  expect(recordOf(out, turned.key).account).toBe('ada');
  expect((await createKey(files, { account: 'ädä', name: 'n' })).account).toBe('Ädä');
});
