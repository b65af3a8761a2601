/**
 * A gateway that is upgraded before the build still serves the earlier snapshot format.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { objectHash } from '../../common/object-hash.ts';
import { objectPath } from '../../contract/object-name.ts';
import { POINTER_PATH } from '../../contract/pointer.ts';
import { serveOutput } from '../build/gateway-client.ts';
import { directoryOf, pointerOf } from '../build/output.ts';
import { editing, publish, shortBlog } from '../build/publishing.ts';
import { folderUntil } from '../build/temporary-folder.ts';

const folder = folderUntil(afterAll);
const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];

test('format 1 is served as before, and the next build continues from it', async () => {
  shortBlog(db, 60, 3);
  await publish(db, out);
  const expected = await answers();

  // Such a small blog has no pages of sets, which are all that format 2 added.
  const text = JSON.stringify({ ...directoryOf(out), format: 1 });
  const snapshot = objectHash(text);
  const path = join(out, objectPath('directory', snapshot));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  writeFileSync(join(out, POINTER_PATH), JSON.stringify({ ...pointerOf(out), format: 1, snapshot }));
  expect(await answers()).toEqual(expected);

  editing(db, (blog) => blog.exec("UPDATE posts SET title = title || '!' WHERE id = 1"));
  await publish(db, out);
  const { format, previous } = pointerOf(out);
  expect([format, previous[0]?.snapshot]).toEqual([3, snapshot]);
  expect(readFileSync(path, 'utf8')).toBe(text);
});

async function answers(): Promise<unknown> {
  const server = await serveOutput(out);
  try {
    const { items } = await server.list('per_page=50');
    return [items, await server.list('sort=popular'), await server.article(items[0]?.slug ?? '')];
  } finally {
    await server.end();
  }
}
