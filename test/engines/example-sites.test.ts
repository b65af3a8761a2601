/** The sites of examples/: a real blog, built from the API with the limits of a key. */
import { createHash } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { createClient, type PostSummary } from '../../client/source/index.ts';
import { PREFIX } from '../../contract/api.ts';
import { read } from '../docs/documents.ts';
import { sampleBlog } from '../service/blogs.ts';
import { inProcessHome } from '../service/in-process-home.ts';
import { apiWith, type Further } from './api-of-changes.ts';
import { exampleSite } from './example-sites.ts';
import { expectArticles, expectLists } from './expect-site.ts';
import { isTested } from './generators.ts';
import { ARTICLES, HAS_BLOG, publishOnOneMachine } from './published-blog.ts';
import { lacks } from '../lacks.ts';

const DAY_MS = 86_400_000;
/**
 * Requests of the first build: seven for the articles, two for the authors; one each for the overview, the
 * categories and the tags.
 */
const REQUESTS = 12;

it('the examples share the code that reads the blog, and the style', () => {
  for (const file of ['blog.js', 'paths.js'])
    expect(read(`examples/astro/${file}`)).toBe(read(`examples/eleventy/${file}`));
  expect(read('examples/astro/public/style.css')).toBe(read('examples/eleventy/pages/style.css'));
});

it('the examples use the versions that the tests run', () => {
  const dependenciesOf = (path: string) => Object.entries(Manifest.parse(JSON.parse(read(path))));
  const tested = [
    ...['eleventy', 'astro'].flatMap((name) =>
      dependenciesOf(`test/engines/generators/${name}/package.json`),
    ),
    ['offprint-client', 'file:../../client'],
  ];
  for (const name of ['eleventy', 'astro'])
    expect(tested).toEqual(expect.arrayContaining(dependenciesOf(`examples/${name}/package.json`)));
});

const Manifest = z
  .object({ dependencies: z.record(z.string(), z.string()) })
  .transform((manifest) => manifest.dependencies);

describe.each(['eleventy', 'astro'] as const)('the site of %s', (generator) => {
  const isSkipped = lacks('real blogs', HAS_BLOG) || !isTested(generator);

  it.skipIf(isSkipped)('shows the blog and needs few requests, also after edits', async () => {
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

  it.skipIf(isSkipped)(
    'is built over several days if the quota ends, and stays unchanged while it is used up',
    async () => {
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
    },
  );
});

describe.each(['eleventy', 'astro'] as const)('the site of %s', (generator) => {
  it.skipIf(!isTested(generator))(
    'has dates of updates, neighbours, an archive by year, and redirects',
    async () => {
      const service = await inProcessHome.serve(await sampleBlog());
      onTestFinished(() => service.close());
      const further: Readonly<Record<string, Further>> = {
        brevity: {
          updated_at: '2026-02-03T23:30:00-02:00',
          former_slugs: ['on-brevity', 'tie-a-knot', 'Über 100%'],
        },
        'tie-a-knot': { updated_at: null, former_slugs: ['on-brevity'] },
      };
      const site = await exampleSite(generator);
      onTestFinished(() => site.remove());
      await site.build(await apiWith(service.url, further), '');
      const pages = site.pages();
      const textOf = (path: string) =>
        pages.get(`${path}index.html`) ?? expect.unreachable(`No page ${path}.`);
      const spaced = (html: string) => html.replaceAll(/\s+/g, ' ');

      expect(spaced(textOf('posts/brevity/'))).toContain(
        ', updated on <time datetime="2026-02-03T23:30:00-02:00">4 February 2026</time>',
      );
      const updated = [...pages].filter(([, html]) => html.includes('updated on'));
      expect(updated.map(([path]) => path)).toEqual(['posts/brevity/index.html']);

      // The first page that had the address, and none if another article has it.
      const moved = [...pages].filter(([, html]) => /http-equiv="?refresh/.test(html));
      const hash = createHash('sha256').update('Über 100%').digest('hex').slice(0, 8);
      expect(moved.map(([path]) => path).sort()).toEqual([
        'posts/on-brevity/index.html',
        `posts/Über-100-${hash}/index.html`,
      ]);
      for (const [path, html] of moved) {
        const [, to] = /content="0; ?url=([^"]+)"/.exec(html) ?? [];
        expect([path, to]).toEqual([path, expect.stringMatching(/^\/posts\/(brevity|tie-a-knot)\/$/)]);
      }
      expect(textOf('posts/tie-a-knot/')).toContain('<h1>');

      const blog = createClient({ url: service.url });
      const newest: PostSummary[] = [];
      for await (const post of blog.eachPost()) newest.push(post);
      const linkOf = (html: string, rel: string) =>
        new RegExp(`<a rel="${rel}"[^>]* href="/posts/([^"]+)/"`).exec(html)?.[1];
      // From the newest to the oldest, and back.
      const walk: string[] = [];
      let path: string | undefined = encodeURIComponent(newest[0]?.slug ?? '');
      while (path !== undefined) {
        const html: string = textOf(`posts/${decodeURIComponent(path)}/`);
        expect(linkOf(html, 'next')).toBe(walk.at(-1));
        walk.push(path);
        path = linkOf(html, 'prev');
      }
      expect(walk).toEqual(newest.map(({ slug }) => encodeURIComponent(slug)));

      const years = Map.groupBy(newest, ({ published_at }) => new Date(published_at).getUTCFullYear());
      expect(years.size).toBeGreaterThan(1);
      for (const [year, posts] of years) {
        expect(spaced(textOf('topics/'))).toContain(`href="/years/${year}/">${year}</a> (${posts.length})`);
        const listed = [...textOf(`years/${year}/`).matchAll(/<a href="\/posts\/([^"]+)\/"/g)];
        expect(listed.map(([, slug]) => slug)).toEqual(posts.map(({ slug }) => encodeURIComponent(slug)));
      }
    },
  );
});

/** A site that is not built yet, with a service that limits keys. Callers without a key have no limits here. */
async function setUp(
  generator: 'eleventy' | 'astro',
  { day }: { readonly day?: { readonly user: number } } = {},
) {
  // At noon, with a stopped clock: neither limit is reset by itself.
  vi.useFakeTimers({ now: new Date().setUTCHours(12, 0, 0, 0), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { service, edit } = await publishOnOneMachine({
    limits: { day: { ...day, address: null }, minute: { address: null, user: 30 } },
  });
  const site = await exampleSite(generator);
  onTestFinished(() => site.remove());
  const { key } = await service.createKey({ account: generator, name: 'build' });
  let before = 0;
  /** The number of counted requests of the key since the last call. */
  async function used(): Promise<number> {
    const { headers } = await fetch(`${service.url}${PREFIX}/me`, { headers: { 'X-Api-Key': key } });
    const now = Number(headers.get('X-Quota-Used'));
    const since = now - before - 1; // Without the request for /me itself.
    before = now;
    return since;
  }
  return { site, service, key, used, edit };
}
