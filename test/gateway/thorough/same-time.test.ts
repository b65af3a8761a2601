/** What requests read in a blog whose articles share their time, cold: as little as in any other. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { objectPath } from '../../../contract/object-name.ts';
import { DiskSnapshotStore } from '../../../gateway/node/disk-snapshot-store.ts';
import type { SnapshotStore } from '../../../gateway/home.ts';
import { editing, publish, shortBlog } from '../../build/publishing.ts';
import { folderUntil } from '../../build/temporary-folder.ts';
import { gatewayOf } from '../../changes/service.ts';

/** More than a pack has, so that articles are found by their time. */
const POSTS = 2_000;
const SECOND = '2020-01-01T00:00:00Z';
const NEXT_SECOND = '2020-01-01T00:00:01Z';

const folder = folderUntil(afterAll);
const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
let slugs: readonly string[] = [];

beforeAll(async () => {
  shortBlog(db, POSTS, 3);
  // 1,700 articles of one second, and 290 of one day.
  editing(db, (blog) => {
    blog.exec(`UPDATE posts SET published_at = '${SECOND}' WHERE id % 200 <> 0`);
    blog.exec("UPDATE posts SET published_at = '2020-01-02T00:00:00Z' WHERE id % 7 = 1");
  });
  await publish(db, out);
  slugs = slugsWhere('true');
});

function slugsWhere(condition: string): string[] {
  const sql = `SELECT slug FROM posts WHERE status = 'published' AND ${condition} ORDER BY published_unix, slug`;
  return editing(db, (blog) => blog.prepare<[], string>(sql).pluck().all());
}

async function cold(path: string, query: Record<string, string> = {}) {
  let reads: string[] = [];
  const disk = new DiskSnapshotStore(out);
  const store: SnapshotStore = {
    readPointer: () => disk.readPointer(),
    hashObject: (bytes) => disk.hashObject(bytes),
    readObject: (kind, hash) => {
      reads.push(objectPath(kind, hash));
      return disk.readObject(kind, hash);
    },
  };
  const service = await gatewayOf(store);
  reads = [];
  const reply = await service.get(path, query);
  return { reply, reads: reads.length };
}

/** Articles at the borders of pages, and some others. */
const shown = () =>
  slugs.flatMap((slug, position) =>
    position % 50 < 2 || position % 50 > 48 || position % 97 === 0 ? [{ slug, position }] : [],
  );

test('fields that are included are at most two objects more, for any article', async () => {
  for (const { slug, position } of shown()) {
    const path = `/posts/${encodeURIComponent(slug)}`;
    const plain = await cold(path);
    const summary = await cold(path, { include: 'summary' });
    const more = await cold(path, { include: 'neighbours' });
    for (const { reads: count } of [summary, more]) expect(count - plain.reads, slug).toBeLessThanOrEqual(2);
    expect(summary.reply).toMatchObject({ data: { slug, views: expect.any(Number) } });
    const [previous, next] = [slugs[position - 1], slugs[position + 1]].map((one) =>
      one === undefined ? null : expect.objectContaining({ slug: one }),
    );
    expect(more.reply).toMatchObject({ data: { slug, previous, next } });
  }
});

test('an article in a list by its slug is found by four objects', async () => {
  for (const { slug } of shown()) {
    const { reply, reads: count } = await cold('/posts', { slug });
    expect(count, slug).toBeLessThanOrEqual(4);
    expect(reply).toMatchObject({ data: { items: [{ slug }] } });
  }
});

test('a range of time is found by one page for each end', async () => {
  const [least, most] = ["published_at >= '2020-01-01'", "published_at < '2020-01-02'"];
  for (const [query, condition] of [
    [{ from: SECOND }, least],
    [{ from: NEXT_SECOND }, `${least} AND published_at <> '${SECOND}'`],
    [{ until: SECOND }, "published_unix < unixepoch('2020-01-01')"],
    [{ until: NEXT_SECOND }, "published_unix <= unixepoch('2020-01-01')"],
    [{ from: SECOND, until: '2020-01-02' }, `${least} AND ${most}`],
  ] as const) {
    const { reply, reads: count } = await cold('/posts', { ...query, sort: 'old', per_page: '1' });
    const wanted = slugsWhere(condition);
    const first = wanted.slice(0, 1).map((slug) => expect.objectContaining({ slug }));
    expect(reply).toMatchObject({ data: { items: first, meta: { total: wanted.length } } });
    expect(count, JSON.stringify(query)).toBeLessThanOrEqual(4);
  }
});

const page = z.object({ data: z.object({ cursor: z.string().nullable() }) });

test('a walk goes on in a later snapshot, after any article, by one page more', async () => {
  const cursors: { cursor: string; next: number }[] = [];
  const service = await gatewayOf(out);
  let cursor: string | null = '';
  for (let next = 49; cursor !== null && next < slugs.length; next += 49) {
    cursor = page.parse(await service.get('/changes', { cursor, per_page: '49' })).data.cursor;
    if (cursor !== null) cursors.push({ cursor, next });
  }
  const same: number[] = [];
  for (const { cursor } of cursors) same.push((await cold('/changes', { cursor, per_page: '1' })).reads);
  editing(db, (blog) => blog.exec("UPDATE posts SET title = title || '!' WHERE id % 2 = 0"));
  await publish(db, out, { force: true });
  expect(cursors.length).toBeGreaterThan(30);
  for (const [i, { cursor, next }] of cursors.entries()) {
    const { reply, reads: count } = await cold('/changes', { cursor, per_page: '1' });
    expect(reply).toMatchObject({ data: { items: [{ slug: slugs[next] }] } });
    expect(count - (same[i] ?? 0), slugs[next]).toBeLessThanOrEqual(1);
  }
});
