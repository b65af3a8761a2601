/** A blog with so many articles that the snapshot has their slugs in parts, of which a request reads one. */
import { expect, test } from 'vitest';
import { directoryOf } from '../../build/output.ts';
import { publish, shortBlog } from '../../build/publishing.ts';
import { blogPaths } from '../../build/temporary-folder.ts';
import { gatewayOf } from '../../changes/service.ts';

test('each article is found by its slug', async () => {
  const { db, out } = blogPaths();
  shortBlog(db, 2_100, 1);
  await publish(db, out);
  const { names, posts } = directoryOf(out);
  expect(names.post).toHaveProperty('shards');
  const service = await gatewayOf(out);
  expect(await service.everything()).toHaveLength(posts);
});
