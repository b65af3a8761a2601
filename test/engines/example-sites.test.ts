/** The sites of examples/: a real blog, built from the API with the limits of a key. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { read } from '../docs/documents.ts';
import { limitsOfKey, REQUESTS, type Stage, stageOf } from './example-stage.ts';
import { expectArticles, expectLists } from './expect-site.ts';
import { isTested } from './generators.ts';
import { ARTICLES, HAS_BLOG, publishOnOneMachine } from './published-blog.ts';
import { lacks } from '../lacks.ts';

const DAY_MS = 86_400_000;

it('the examples share the code that reads the blog, and the style', () => {
  for (const file of ['blog.js', 'paths.js'])
    expect(read(`examples/astro/${file}`)).toBe(read(`examples/eleventy/${file}`));
  expect(read('examples/astro/public/style.css')).toBe(read('examples/eleventy/pages/style.css'));
});

it('the examples use the versions that the tests run', () => {
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
  const isSkipped = lacks('real blogs', HAS_BLOG) || (generator === 'astro' && !isTested('astro'));

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

/** Not built yet, with a service that limits keys. Callers without a key have no limits here. */
async function setUp(
  generator: 'eleventy' | 'astro',
  { day }: { readonly day?: { readonly user: number } } = {},
): Promise<Stage> {
  // At noon, with a stopped clock: neither limit is reset by itself.
  vi.useFakeTimers({ now: new Date().setUTCHours(12, 0, 0, 0), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  return stageOf(generator, await publishOnOneMachine(limitsOfKey(day)));
}
