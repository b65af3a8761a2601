/**
 * A gateway that is upgraded before the build still serves the earlier snapshot format.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { objectHash } from '../../common/object-hash.ts';
import { decodeViews } from '../../contract/columns.ts';
import type { Directory } from '../../contract/directory.ts';
import type { ObjectKind } from '../../contract/object-kinds.ts';
import { objectPath } from '../../contract/object-name.ts';
import { POINTER_PATH } from '../../contract/pointer.ts';
import { FORMAT } from '../../contract/snapshot.ts';
import { serveOutput } from '../build/gateway-client.ts';
import { directoryOf, pointerOf, readObject } from '../build/output.ts';
import { editing, publish, shortBlog } from '../build/publishing.ts';
import { folderUntil } from '../build/temporary-folder.ts';

const folder = folderUntil(afterAll);

/** A blog of 60 posts has no pages of sets and no search index, which are what formats 2 and 3 added. */
test.each([1, 3] as const)(
  'format %i is served as before, and the next build continues from it',
  async (format) => {
    const [db, out] = [join(folder, `${format}.db`), join(folder, String(format))];
    shortBlog(db, 60, 3);
    await publish(db, out);
    const expected = await answers(out);

    const directory = directoryOf(out);
    const earlier: Directory = {
      ...directory,
      format,
      views: directory.views.map((hash) => asList(out, hash)),
    };
    const text = JSON.stringify(earlier);
    const snapshot = put(out, 'directory', text);
    writeFileSync(join(out, POINTER_PATH), JSON.stringify({ ...pointerOf(out), format, snapshot }));
    expect(await answers(out)).toEqual(expected);

    editing(db, (blog) => blog.exec("UPDATE posts SET title = title || '!' WHERE id = 1"));
    await publish(db, out);
    const { format: next, previous } = pointerOf(out);
    expect([next, previous[0]?.snapshot]).toEqual([FORMAT, snapshot]);
    expect(readObject(out, 'directory', snapshot)).toBe(text);
  },
);

/** Formats 1 to 3 had view counts as a list of integers. */
function asList(out: string, hash: string): string {
  return put(out, 'views', JSON.stringify([...decodeViews(readObject(out, 'views', hash))]));
}

function put(out: string, kind: ObjectKind, text: string): string {
  const hash = objectHash(text);
  const path = join(out, objectPath(kind, hash));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return hash;
}

async function answers(out: string): Promise<unknown> {
  const server = await serveOutput(out);
  try {
    const { items } = await server.list('per_page=50');
    return [items, await server.list('sort=popular'), await server.article(items[0]?.slug ?? '')];
  } finally {
    await server.end();
  }
}
