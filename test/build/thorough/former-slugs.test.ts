import { join } from 'node:path';
import { expect, test } from 'vitest';
import { editOneBody, publishOne } from '../../../bench/generate/changes.ts';
import type { BlogDatabase } from '../../../data/database.ts';
import { restorePost, withdrawPost } from '../../../data/withdrawals.ts';
import { changes } from '../../changes/copy.ts';
import { gatewayOf } from '../../changes/service.ts';
import { directoryOf } from '../output.ts';
import { editing, publish, shortBlog } from '../publishing.ts';
import { blogPaths, temporaryFolder } from '../temporary-folder.ts';

/** More than fits into an unsharded name table. */
const POSTS = 2100;

const rename = (db: BlogDatabase, where: string) =>
  db.exec(`UPDATE posts SET slug = slug || '-moved' WHERE ${where}`);

test('former slugs cost a publish nothing, unless a slug changes', async () => {
  const [plain, moved] = [temporaryFolder(), temporaryFolder()];
  for (const folder of [plain, moved]) {
    shortBlog(join(folder, 'blog.db'), POSTS, 9);
    editing(join(folder, 'blog.db'), (db) => rename(db, folder === moved ? '1' : '0'));
    await publish(join(folder, 'blog.db'), join(folder, 'out'));
  }
  expect(directoryOf(join(moved, 'out')).names.moved).toHaveProperty('shards');
  const written = async (folder: string, edit: (db: BlogDatabase) => unknown) => {
    editing(join(folder, 'blog.db'), edit);
    return (await publish(join(folder, 'blog.db'), join(folder, 'out'))).objects.written;
  };
  for (const edit of [(db: BlogDatabase) => publishOne(db, 1), (db: BlogDatabase) => editOneBody(db, 1)])
    expect(await written(moved, edit)).toBe(await written(plain, edit));
  // Besides what a new slug costs anyway: two shards of former slugs, if any.
  expect(await written(moved, (db) => rename(db, 'id = 77'))).toBeLessThan(40);
});

test('a withdrawn article takes its former slugs with it, until it is restored', async () => {
  const { db: path, out } = blogPaths();
  shortBlog(path, 20, 4);
  const slug = editing(path, (db) => {
    db.exec(
      "UPDATE posts SET slug = 'moved-away' WHERE id = 5; UPDATE posts SET slug = 'now-here' WHERE id = 5",
    );
    return db
      .prepare<[], string>("SELECT slug FROM posts WHERE id = 5 AND status = 'published'")
      .pluck()
      .get();
  });
  expect(slug).toBe('now-here');
  const message = async () => {
    await publish(path, out, { force: true }); // Undone without the command.
    const { status, body } = await (await gatewayOf(out)).ask('/posts/moved-away');
    return [status, JSON.stringify(body).includes('now-here')];
  };
  expect(await message()).toEqual([404, true]);
  editing(path, (db) => withdrawPost(db, 'now-here', new Date()));
  expect(await message()).toEqual([404, false]);
  editing(path, (db) => restorePost(db, 'now-here'));
  expect(await message()).toEqual([404, true]);
});

test('a changed time alone, and a former slug alone, publish the change of their article', async () => {
  const { db: path, out } = blogPaths();
  shortBlog(path, 60, 4);
  await publish(path, out);
  const service = await gatewayOf(out);
  const read = async (query: Record<string, string>) => {
    await service.refresh();
    return changes.parse(await service.get('/changes', query)).data;
  };
  let { token } = await read({ since: (await read({ per_page: '50' })).token ?? '' });
  for (let cursor = (await read({ per_page: '50' })).cursor; token === null;) {
    const page = await read({ per_page: '50', cursor: cursor ?? '' });
    ({ cursor, token } = page);
  }
  const slug = editing(path, (db) =>
    db.prepare<[], string>("SELECT slug FROM posts WHERE id = 5 AND status = 'published'").pluck().get(),
  );
  for (const [edit, shown] of [
    ["UPDATE posts SET updated_at = '2026-02-03T04:05:06Z' WHERE id = 5", []],
    ["INSERT INTO former_slugs VALUES ('an-older-address', 5)", ['an-older-address']],
  ] as const) {
    editing(path, (db) => db.exec(edit));
    await publish(path, out);
    const changed = await read({ since: token ?? '' });
    expect(changed.items).toMatchObject([
      { slug, updated_at: '2026-02-03T04:05:06+00:00', former_slugs: shown },
    ]);
    expect(changed.removed).toEqual([]);
    token = changed.token;
  }
});
