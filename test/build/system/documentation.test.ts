/**
 * The documentation page and the description as objects of a snapshot: when they change, and what is reused.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishOne } from '../../../bench/generate/changes.ts';
import type { BuildOptions } from '../../../build/build.ts';
import { documentationFiles } from '../../../build/output/program.ts';
import type { SiteFile } from '../../../contract/directory.ts';
import { objectPath, toObjectHash } from '../../../contract/object-name.ts';
import type { BlogDatabase } from '../../../data/database.ts';
import { directoryOf, pointerOf, readObject } from '../output.ts';
import { editing, LIMITS, publish, shortBlog } from '../publishing.ts';
import { withImports } from '../../imports.ts';
import { folderUntil } from '../temporary-folder.ts';

let db: string;
let out: string;
const folder = folderUntil(afterAll);
beforeAll(async () => {
  [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
  shortBlog(db, 80, 14);
  await publish(db, out);
});

const files = () => new Map(directoryOf(out).files.map((file) => [file.path, file.hash]));
const description = () => readObject(out, 'body', files().get('/openapi.json') ?? '');

/** The paths of files whose object changed; the paths of assets change with their content. */
async function changedBy(options: Partial<BuildOptions>, change: (blog: BlogDatabase) => unknown = () => {}) {
  const before = files();
  editing(db, change);
  await publish(db, out, options);
  return [...files()].filter(([path, hash]) => before.get(path) !== hash).map(([path]) => path);
}

/** The first article that the description shows. */
function shownSlug(): string {
  const { paths } = JSON.parse(description());
  return paths['/posts/{slug}'].get.parameters[0].example;
}

describe('the files of a snapshot', () => {
  test('are the page, the description and the assets, each under the hash of its bytes', () => {
    const extensions = [...files().keys()].map((path) => path.replace(/^\/docs\/.*\./, ''));
    expect(extensions).toEqual(['/', '/openapi.json', 'js', 'js', 'css', 'svg']);
    for (const [path, hash] of files()) {
      const bytes = readFileSync(join(out, objectPath('body', hash)));
      expect(toObjectHash(createHash('sha256').update(bytes).digest()), path).toBe(hash);
      if (path.startsWith('/docs/')) expect(path).toContain(hash);
    }
  });

  const newest = "SELECT id FROM posts WHERE status = 'published' ORDER BY published_at DESC LIMIT 3";
  test.each<[string, (blog: BlogDatabase) => unknown]>([
    ['a new article', (blog) => publishOne(blog, 0)],
    [
      'other view counts of newer articles',
      (blog) => blog.exec(`UPDATE posts SET views = views + 1 WHERE id IN (${newest})`),
    ],
    [
      'a change of newer articles',
      (blog) => blog.exec(`UPDATE posts SET body = '<p>New</p>' WHERE id IN (${newest})`),
    ],
  ])('stay the same after %s', async (_, change) => {
    const { snapshot } = pointerOf(out);
    expect(await changedBy({}, change)).toEqual([]);
    expect(pointerOf(out).snapshot).not.toBe(snapshot);
  });

  test('change with the example article, but the page does not', async () => {
    const slug = shownSlug();
    const change = (blog: BlogDatabase) =>
      blog.prepare("UPDATE posts SET body = '<p>A body of its own</p>' WHERE slug = ?").run(slug);
    expect(await changedBy({}, change)).toEqual(['/openapi.json']);
    expect(description()).toContain('A body of its own');
  });

  test('change with the views of the example articles, which are those of the blog', async () => {
    expect(await changedBy({}, (blog) => blog.exec('UPDATE posts SET views = 777'))).toEqual([
      '/',
      '/openapi.json',
    ]);
    for (const path of ['/', '/openapi.json'])
      expect(readObject(out, 'body', files().get(path) ?? ''), path).toMatch(
        /views(?:&quot;|")(?:<\/span>)?: ?(?:<[^>]*>)?777/,
      );
  });

  test('change with the limits and the name, but the assets do not', async () => {
    const limits = { ...LIMITS, minute: 77 };
    expect(await changedBy({ limits })).toEqual(['/', '/openapi.json']);
    expect(description()).toContain('77 requests in any 60 seconds');
    expect(await changedBy({ limits, site: { name: 'Another' } })).toEqual(['/', '/openapi.json']);
    expect(await changedBy({ limits, apiUrl: 'https://api.example' })).toEqual(['/', '/openapi.json']);
    expect(await changedBy({})).toEqual(['/', '/openapi.json']);
  });

  test('are not rendered again while their inputs are unchanged', async () => {
    // The build uses the stored value, so it has not rendered the files.
    const remembered = (): SiteFile[] => directoryOf(out).files.filter(({ path }) => path !== '/');
    const memory = new Database(join(out, 'state', 'build.db'));
    // The only result that is a list: all others are hashes.
    const { changes } = memory
      .prepare("UPDATE made SET result = ? WHERE result LIKE '[%'")
      .run(JSON.stringify(remembered()));
    memory.close();
    expect(changes).toBe(1);
    editing(db, (blog) => publishOne(blog, 1));
    await publish(db, out);
    expect(files().has('/')).toBe(false);
    await publish(db, out, { full: true });
    expect(files().has('/')).toBe(true);
  });

  test('depend on every program file that can affect them', () => {
    const needed = withImports([
      'build/description/openapi.ts',
      'build/page/page.ts',
      'build/page/assets.ts',
    ]);
    const own = needed.filter((path) => /\/(?:build\/(?:description|page)|gateway)\//.test(path));
    expect(own.length).toBeGreaterThan(30);
    expect(documentationFiles()).toEqual(expect.arrayContaining(own));
  });
});
