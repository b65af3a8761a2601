/** The sites of examples/: a real blog, built from the API with the limits of a key. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { PREFIX } from '../../contract/api.ts';
import { openForWriting } from '../../data/database.ts';
import { dataOf, me } from '../conformance/shapes.ts';
import { read } from '../docs/documents.ts';
import { type Blog, hasRealBlog, realBlog } from '../service/blogs.ts';
import type { Service, Settings } from '../service/home.ts';
import { answerOf } from '../service/in-process.ts';
import { inProcessHome } from '../service/in-process-home.ts';
import { exampleSite, type ExampleSite } from './example-sites.ts';
import { expectArticles, expectLists } from './expect-site.ts';
import { isTested } from './generators.ts';

const DAY_MS = 86_400_000;
/** Of the blog; the API gives 50 at once. */
const ARTICLES = 339;
/** Seven for the articles, two for the authors; one each for the overview, the categories and the tags. */
const REQUESTS = 12;

/** Slugs that are no names of folders, and two that are one where case does not matter. */
const ODD_SLUGS = ['Über uns? 100% "<&>"', '日本語の記事', '.hidden.', 'stability', '語'.repeat(500)];

const isThere = hasRealBlog('rust-blog');
if (!isThere) console.warn('The real blog is not there, so the example sites are not built.');

it('the examples have the same code to read the blog, and the same style', () => {
  for (const file of ['blog.js', 'paths.js', 'store.js'])
    expect(read(`examples/astro/${file}`)).toBe(read(`examples/eleventy/${file}`));
  expect(read('examples/astro/public/style.css')).toBe(read('examples/eleventy/pages/style.css'));
});

it('the examples have the versions that the tests run', () => {
  const dependenciesOf = (path: string) => Object.entries(Manifest.parse(JSON.parse(read(path))));
  const tested = [
    ...dependenciesOf('package.json'),
    ...dependenciesOf('test/engines/generators/astro/package.json'),
    ['offprint-client', 'file:../../client'],
  ];
  for (const name of ['eleventy', 'astro'])
    expect(tested).toEqual(expect.arrayContaining(dependenciesOf(`examples/${name}/package.json`)));
});

const Versions = z.record(z.string(), z.string()).optional();
const Manifest = z
  .object({ dependencies: Versions, devDependencies: Versions })
  .transform(({ dependencies, devDependencies }) => ({ ...dependencies, ...devDependencies }));

describe.each(['eleventy', 'astro'] as const)('the site of %s', (generator) => {
  const isSkipped = !isThere || (generator === 'astro' && !isTested('astro'));

  it.skipIf(isSkipped)('is the blog, and needs few requests; so again after edits', async () => {
    const { site, service, key, used, edit } = await setUp(generator);
    await site.build(service.url, key);
    expect(await used()).toBe(REQUESTS);
    const first = site.pages();
    await expectArticles(first, service.url, await expectLists(first, service.url, ARTICLES));

    await edit(`UPDATE posts SET body = body || '<p>Added at the end.</p>' WHERE slug = '1.94.1-release'`);
    await site.build(service.url, key);
    expect(await used()).toBe(2);
    const second = site.pages();
    const changed = [...second].filter(([path, page]) => page !== first.get(path));
    expect(changed.map(([path]) => path)).toEqual(['posts/1.94.1-release/index.html']);
    expect(changed.join()).toContain('<p>Added at the end.</p>');
    expect([...second.keys()]).toEqual([...first.keys()]);

    await edit(`DELETE FROM posts WHERE slug = '1.94.1-release'`);
    await site.build(service.url, key);
    expect(await used()).toBeLessThanOrEqual(5);
    const third = site.pages();
    expect(third.has('posts/1.94.1-release/index.html')).toBe(false);
    await expectLists(third, service.url, ARTICLES - 1);
  });

  it.skipIf(isSkipped)('is built over days where the quota ends, and stays where it is used up', async () => {
    const { site, service, key } = await setUp(generator, { day: { user: REQUESTS / 2 } });
    const failure =
      /The API's limit of requests is reached\. Build again after \d{4}-\d\d-\d\dT[\d:.]+Z: the build continues/;
    await expect(site.build(service.url, key)).rejects.toThrow(failure);
    expect(site.pages().size).toBe(0);

    vi.setSystemTime(Date.now() + DAY_MS);
    await site.build(service.url, key);
    const pages = site.pages();
    await expectLists(pages, service.url, ARTICLES);
    await expect(site.build(service.url, key)).rejects.toThrow(failure);
    expect(site.pages()).toEqual(pages);
  });
});

interface Stage {
  readonly site: ExampleSite;
  readonly service: Service;
  readonly key: string;
  /** How many requests of the key counted since it was last asked. */
  used(): Promise<number>;
  /** Changes the blog in SQL, and publishes it. */
  edit(sql: string): Promise<void>;
}

/** A site that is not built yet, and a service with the limits of a key. Callers without one have none here. */
async function setUp(
  generator: 'eleventy' | 'astro',
  { day }: { readonly day?: { readonly user: number } } = {},
): Promise<Stage> {
  // At noon, and no minute passes: neither limit begins again by itself.
  vi.useFakeTimers({ now: new Date().setUTCHours(12, 0, 0, 0), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const settings: Settings = {
    limits: { day: { ...day, address: null }, minute: { address: null, user: 30 } },
  };
  const service = await inProcessHome.serve(await blogOfTest(), settings);
  onTestFinished(() => service.close());
  const site = await exampleSite(generator);
  onTestFinished(() => site.remove());
  const { key } = await service.createKey({ account: 'site', name: 'build' });
  const [db, out, config] = ['blog.db', 'out', 'offprint.json'].map((name) => join(service.folder, name));
  let before = 0;
  return {
    ...{ site, service, key },
    async used() {
      const reply = await fetch(`${service.url}${PREFIX}/me`, { headers: { 'X-Api-Key': key } });
      const { used } = dataOf(me, await reply.json()).quota;
      const since = used - before - 1; // Without this one.
      before = used;
      return since;
    },
    async edit(sql) {
      const database = openForWriting(db ?? '');
      database.exec(sql);
      database.close();
      await service.stop();
      await answerOf(['build', '--db', db ?? '', '--out', out ?? '', '--config', config ?? '']);
      await service.restart();
    },
  };
}

/** The real blog, with a category, tags, covers, and slugs that are no names of folders. */
async function blogOfTest(): Promise<Blog> {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-sites-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'blog.db');
  copyFileSync((await realBlog('rust-blog')).db, path);
  const db = openForWriting(path);
  db.exec(`
    INSERT INTO categories (slug, name) VALUES ('releases', 'Releases & more'), ('empty', 'Nothing yet');
    INSERT INTO tags (slug, name) VALUES ('c', 'C'), ('C', 'C++'), ('a/b', '<a> / "b"');
    UPDATE posts SET category_id = (SELECT id FROM categories WHERE slug = 'releases') WHERE title LIKE '%Rust 1.%';
    UPDATE posts SET cover = 'https://images.example/' || id || '.png' WHERE title LIKE '%Rust 1.5%';
    INSERT INTO post_tags (post_id, tag_id, place)
      SELECT posts.id, tags.id, tags.id FROM posts, tags WHERE posts.id % 7 = tags.id % 7;
  `);
  const rename = db.prepare(
    `UPDATE posts SET slug = ? WHERE id = (SELECT min(id) FROM posts WHERE slug LIKE 'Rust-1.%')`,
  );
  for (const slug of ODD_SLUGS) expect(rename.run(slug).changes).toBe(1);
  db.close();
  return { name: 'rust-blog', db: path };
}
