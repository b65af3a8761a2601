/**
 * Names of files, accounts and posts cannot move the cursor, forge lines, or reverse text in the terminal.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { PREFIX } from '../../../contract/api.ts';
import { printable, printableJson, printableLines } from '../../../cli/printable.ts';
import { usagePath } from '../../../cli/usage/usage-log.ts';
import { foldName } from '../../../data/accounts/account-name.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';
import { send } from '../../service/client.ts';
import { offprint } from '../../service/command.ts';
import { createKey } from '../../service/key-commands.ts';
import { writeEmptyBlog } from '../../service/odd-blog.ts';
import { startServer } from '../../service/server-process.ts';

const UNSAFE = ['\u001b', '\r', '\n', '\u202e', '\u2066', '\u200e', '\u009b', '\u2028', '\u007f'];
/** Characters that no output may contain. */
const FOUND =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const NAME = `x${UNSAFE.map((character) => `${character}[8m`).join('')}`;
const SHOWN =
  '\\u{1b}[8m\\u{d}[8m\\u{a}[8m\\u{202e}[8m\\u{2066}[8m\\u{200e}[8m\\u{9b}[8m\\u{2028}[8m\\u{7f}[8m';
const quoted = `'${NAME.replaceAll("'", "''")}'`;

/** A blog that other programs wrote by SQL. */
function oddBlog() {
  const folder = temporaryFolder();
  const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
  writeEmptyBlog(db);
  const file = new Database(db);
  file.exec(`
    UPDATE site SET name = ${quoted};
    INSERT INTO accounts (name, folded) VALUES (${quoted}, '${foldName(NAME).replaceAll("'", "''")}');
    INSERT INTO api_keys (account_id, name, prefix, sha256, scopes)
      VALUES (1, ${quoted}, 'opk_AAAAAAAA', '${'a'.repeat(64)}', '[]');
    PRAGMA ignore_check_constraints = ON;
    INSERT INTO posts (slug, title, status, published_at)
      VALUES (${quoted}, 'T', 'published', ${quoted}), ('fine', 'Fine', 'published', '2026-01-01T00:00:00Z');
  `);
  file.close();
  return { folder, db, out, files: ['--db', db, '--out', out] };
}

describe('output', () => {
  test('of lists, reports and failures escapes such characters, and has no additional line', async () => {
    const { folder, db, out, files } = oddBlog();
    const build = await offprint(['build', ...files]);
    expect(build.code, build.stderr).toBe(0);
    expect(build.stderr).toContain(`left out posts "x${SHOWN}`);
    const list = await offprint(['keys', 'list', ...files]);
    expect(list.stdout).toContain(SHOWN);
    expect(list.stdout.trimEnd().split('\n')).toHaveLength(2);
    const status = await offprint(['status', '--out', out]);
    expect(status.stdout).toContain(SHOWN);
    const missing = await offprint(['build', '--db', join(folder, NAME), '--out', out]);
    expect(missing.stderr).toContain(SHOWN);
    expect(missing.stderr.trimEnd().split('\n')).toHaveLength(1);
    const results = [build, list, status, missing];

    const posts = join(folder, 'posts');
    mkdirSync(posts);
    writeFileSync(join(posts, `${NAME}.md`), '---\ntitle: T\ndate: never\n---\n');
    const nothing = await offprint(['import', 'markdown', posts, '--db', db]);
    expect(nothing.stderr).toContain(SHOWN);
    writeFileSync(join(posts, 'good.md'), '---\ntitle: T\ndate: 2026-01-02\n---\n');
    const imported = await offprint(['import', 'markdown', posts, '--db', db]);
    expect(imported.stdout).toContain(SHOWN);
    results.push(nothing, imported);

    mkdirSync(join(out, 'state'), { recursive: true });
    const usage = new Database(usagePath(out));
    usage.exec(`
      CREATE TABLE usage (day INTEGER, account TEXT, key TEXT, endpoint TEXT, status INTEGER, requests INTEGER);
      INSERT INTO usage VALUES (unixepoch() / 86400, ${quoted}, 'opk_AAAAAAAA', 'posts', 200, 1);
    `);
    usage.close();
    results.push(await offprint(['usage', '--out', out]));
    expect(results.at(-1)?.stdout).toContain(SHOWN);

    results.push(await offprint([NAME]), await offprint(['keys', 'revoke', NAME, ...files]));
    for (const { stdout, stderr } of results) expect(stdout + stderr).not.toMatch(FOUND);
  });

  test('in JSON has the same value, with such characters as \\u202e', async () => {
    const { files } = oddBlog();
    const { stdout } = await offprint(['keys', 'list', ...files, '--json']);
    expect(stdout).not.toMatch(FOUND);
    expect(JSON.parse(stdout)).toMatchObject([{ account: NAME, name: NAME }]);
  });

  test('of a service escapes them in answers and the log, for any caller', async () => {
    const { db, out, files } = oddBlog();
    const { key } = await createKey(files, { account: 'ada', name: 'n' });
    const file = new Database(db);
    const renamed = `ada ${NAME}`;
    file
      .prepare("UPDATE accounts SET name = ?, folded = ? WHERE name = 'ada'")
      .run(renamed, foldName(renamed));
    file.close();
    const start = ['start', '--db', db, '--out', out, '--port', '0', '--log'];
    for (const [form, account] of [
      ['text', `ada x${SHOWN}`],
      ['json', printableJson(JSON.stringify(`ada ${NAME}`))],
    ] as const) {
      const service = await startServer([...start, form]);
      await send(service.url, { path: `${PREFIX}/me`, headers: { 'x-api-key': key } });
      expect(await service.end('SIGTERM')).toBe(0);
      expect(service.log).toContain(`serving x${SHOWN.replaceAll('\\', form === 'json' ? '\\\\' : '\\')}`);
      expect(service.log).toContain(account);
      expect(service.log).not.toMatch(FOUND);
    }
  });
});

describe('escaping', () => {
  test('keeps letters, emoji and their joiners', () => {
    for (const text of ['Ада, 高橋 遥', '👩‍💻🖋️', 'می‌خواهم', 'שלום', '']) {
      expect(printable(text)).toBe(text);
      expect(printableJson(text)).toBe(text);
      expect(printableLines(text)).toBe(text);
    }
  });

  test('is idempotent, and shows lone surrogates', () => {
    expect(printable(NAME)).toBe(`x${SHOWN}`);
    expect(printable(printable(NAME))).toBe(printable(NAME));
    expect(printable('\ud800')).toBe('\\u{d800}');
    expect(printable('\u061c')).toBe('\\u{61c}');
  });

  test('of JSON keeps the value', () => {
    const json = printableJson(JSON.stringify(UNSAFE));
    expect(json).not.toMatch(FOUND);
    expect(JSON.parse(json)).toEqual(UNSAFE);
    expect(printableLines(JSON.stringify({ NAME }))).toBe(printableJson(JSON.stringify({ NAME })));
  });
});
