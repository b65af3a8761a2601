/**
 * A change that a definition of others refuses, such as a unique index, is never reported as done.
 */
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importBlog } from '../../data/imported/import.ts';
import { SqliteQuotaCounter } from '../../gateway/node/sqlite-quota-counter.ts';
import { FORMATS } from '../../import/formats.ts';
import { generateBlog } from '../../bench/generate/blog.ts';
import { editing } from '../build/publishing.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';
import { emptyBlog, folderOf, NOW } from '../import/folder.ts';
import { offprintInProcess } from '../service/in-process.ts';

/** A built blog with more definitions in its database. */
async function blogWith(sql: string) {
  const folder = temporaryFolder();
  const path = join(folder, 'blog.db');
  const files = ['--db', path, '--out', join(folder, 'out')];
  generateBlog(path, { posts: 3, seed: 1 });
  await offprintInProcess(['build', ...files]);
  const find = (sql: string) => editing(path, (db) => db.prepare<[], string>(sql).pluck().get() ?? '');
  editing(path, (db) => db.exec(sql));
  return {
    slug: find("SELECT slug FROM posts WHERE status = 'published'"),
    statusOf: (slug: string) => find(`SELECT status FROM posts WHERE slug = '${slug}'`),
    run: (...args: readonly string[]) => offprintInProcess([...args, ...files]),
  };
}

const REFUSED = /^error: \S+blog\.db rejects the change \(.*\)\. .*, remove it, then try again\.\n$/;

test('a second key cannot be revoked: in one line', async () => {
  const { run } = await blogWith(
    'CREATE UNIQUE INDEX one ON api_keys (length(revoked_at)) WHERE revoked_at IS NOT NULL',
  );
  const revoke = async () => {
    const { stdout } = await run('keys', 'create', '--account', 'ada', '--name', 'n', '--json');
    return run('keys', 'revoke', /"prefix":"(\w+)"/.exec(stdout)?.[1] ?? '');
  };
  expect((await revoke()).code).toBe(0);
  // Its file ended it.
  const refused =
    /^error: \S+blog\.db rejects the change .*, remove it, then try again\. The key \w+ no longer works .*\n$/;
  expect(await revoke()).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(refused) });
});

test('a withdrawal that cannot be recorded is not reported, and changes nothing', async () => {
  const { run, slug, statusOf } =
    await blogWith(`INSERT INTO withdrawals VALUES ('zzz', NULL, NULL, '2026-01-01T00:00:00Z');
    CREATE UNIQUE INDEX once ON withdrawals (length(slug) > 0)`);
  const { code, stdout, stderr } = await run('withdraw', slug);
  expect([code, stdout]).toEqual([1, expect.not.stringContaining('withdrawn')]);
  expect(stderr).toMatch(REFUSED);
  expect(statusOf(slug)).toBe('published');
});

test('a post whose blog cannot be recorded is left out, with the reason', async () => {
  const db = emptyBlog();
  db.exec('CREATE UNIQUE INDEX one ON post_origins (origin_id)');
  const page = '---\ndate: 2026-01-01\n---\nText';
  const items = FORMATS.markdown.read(folderOf({ 'a.md': page, 'b.md': page }), { now: NOW });
  expect(await importBlog({ db, items })).toMatchObject({
    imported: { posts: 1 },
    skipped: [{ source: 'markdown:b.md', reason: expect.stringContaining('UNIQUE') }],
  });
  expect(db.prepare('SELECT slug FROM posts').pluck().all()).toEqual(['a']);
});

test("a count never replaces another caller's", async () => {
  const path = join(temporaryFolder(), 'state', 'quota.db');
  const open = () => new SqliteQuotaCounter(path, () => Date.parse('2026-01-01T12:00:00Z'));
  const principals = ['a', 'b'].map((id) => ({ id, plan: 'user' }) as const);
  const limits = { day: { address: 50, user: 100, admin: 1000 }, minute: 30 };
  open().close();
  const db = new Database(path);
  db.exec('CREATE UNIQUE INDEX one ON tally (day)');
  db.close();
  const counter = open();
  const saved = [];
  for (const principal of principals) {
    counter.count(principal, limits);
    saved.push(await new Promise((resolve) => counter.whenSaved(resolve)));
  }
  counter.close();
  expect(saved).toEqual([undefined, expect.objectContaining({ cause: expect.any(Error) })]);
  const again = open();
  expect(again.peek(principals[0] ?? { id: '', plan: 'user' }, limits).used).toBe(1);
  again.close();
});
