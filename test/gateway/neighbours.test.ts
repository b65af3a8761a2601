/** What `include=neighbours` reads, in a blog whose articles share their time, cold. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { objectPath } from '../../contract/object-name.ts';
import { DiskSnapshotStore } from '../../gateway/node/disk-snapshot-store.ts';
import type { SnapshotStore } from '../../gateway/home.ts';
import { editing, publish, shortBlog } from '../build/publishing.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';
import { gatewayOf } from '../changes/service.ts';

/** More than a pack has, so that articles are found by their time. */
const POSTS = 1060;

test('is at most two objects more for any article', async () => {
  const folder = temporaryFolder();
  const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
  shortBlog(db, POSTS, 3);
  // 500 articles of one second, and all others of one day.
  editing(db, (blog) => {
    blog.exec("UPDATE posts SET published_at = '2020-01-01T00:00:00Z' WHERE id % 2 = 0");
    blog.exec("UPDATE posts SET published_at = '2020-01-02T00:00:00Z' WHERE id % 7 = 1");
  });
  await publish(db, out);
  const slugs = editing(db, (blog) =>
    blog
      .prepare<[], string>("SELECT slug FROM posts WHERE status = 'published' ORDER BY published_unix, slug")
      .pluck()
      .all(),
  );
  const disk = new DiskSnapshotStore(out);
  let reads: string[] = [];
  const store: SnapshotStore = {
    readPointer: () => disk.readPointer(),
    hashOf: (bytes) => disk.hashOf(bytes),
    readObject: (kind, hash) => {
      reads.push(objectPath(kind, hash));
      return disk.readObject(kind, hash);
    },
  };
  const cold = async (slug: string, include?: string) => {
    const service = await gatewayOf(store);
    reads = [];
    const reply = await service.get(
      `/posts/${encodeURIComponent(slug)}`,
      include === undefined ? {} : { include },
    );
    return { reply, reads: reads.length };
  };
  const shown = slugs.flatMap((slug, position) =>
    position % 50 < 2 || position % 50 > 48 || position % 97 === 0 ? [{ slug, position }] : [],
  );
  for (const { slug, position } of shown) {
    const [plain, more] = [await cold(slug), await cold(slug, 'neighbours')];
    expect(more.reads - plain.reads, slug).toBeLessThanOrEqual(2);
    const [previous, next] = [slugs[position - 1], slugs[position + 1]].map((one) =>
      one === undefined ? null : expect.objectContaining({ slug: one }),
    );
    expect(more.reply).toMatchObject({ data: { slug, previous, next } });
  }
});
