/**
 * Clients generated from the description: openapi-typescript with openapi-fetch, hey-api and orval, the last two
 * with zod schemas. They compile strictly and read a real blog, and the schemas accept all of it.
 */
import { execFile } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { PREFIX } from '../../contract/api.ts';
import { isTested, programOf, siteFolder } from './generators.ts';
import type {
  Answer,
  ApiClient,
  Changes,
  Generated,
  Page,
  Schemas,
  WholePost,
} from './generators/api-clients/api-client.ts';
import { ARTICLES, HAS_BLOG, publishOnOneMachine } from './published-blog.ts';
import { lacks } from '../lacks.ts';

const run = promisify(execFile);
const SOURCES = fileURLToPath(new URL('generators/api-clients', import.meta.url));
const API_TYPES = fileURLToPath(new URL('../../client/source/api-types.ts', import.meta.url));
const TSC = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url));

/** High enough that no client reaches them. */
const LIMITS = { day: { address: 100_000, user: 100_001, admin: 100_002 }, minute: 100_003 };

/** The values of an endpoint's answer, which the schemas must accept unchanged. */
type Ask = <T>(endpoint: keyof Schemas, answer: Promise<Answer<T>>) => Promise<T>;

it.skipIf(lacks('real blogs', HAS_BLOG) || !isTested('api-clients'))(
  'generated clients compile strictly and read the whole blog, and generated schemas accept all of it',
  async () => {
    const { service, edit } = await publishOnOneMachine({ limits: LIMITS });
    const { clients, schemas } = await generated(service.url);
    expect([Object.keys(clients), Object.keys(schemas)]).toEqual([
      ['openapi-fetch', 'hey-api', 'orval'],
      ['hey-api', 'orval'],
    ]);
    const ask: Ask = async (endpoint, answer) => {
      const body = await answer;
      // A schema drops undescribed fields.
      for (const schema of Object.values(schemas)) expect(schema[endpoint].parse(body)).toEqual(body);
      return body.data;
    };

    let token = '';
    for (const clientOf of Object.values(clients)) {
      const client = clientOf(service.url + PREFIX);
      const articles = await expectLists(client, ask);
      token = await expectWalk(client, ask, articles);
      await expectErrors(client);
    }

    await edit(`
      UPDATE posts SET title = 'Another title' WHERE slug = '1.94.1-release';
      DELETE FROM posts WHERE slug = '日本語の記事';`);
    for (const clientOf of Object.values(clients)) {
      const client = clientOf(service.url + PREFIX);
      const { items, removed, whole, cursor } = await ask('changes', client.changes({ since: token }));
      expect(items.map(({ slug, title }) => [slug, title])).toEqual([['1.94.1-release', 'Another title']]);
      expect([removed, whole, cursor]).toEqual([['日本語の記事'], false, null]);
    }
  },
);

/** Everything but `/changes`. @returns the articles by slug */
async function expectLists(client: ApiClient, ask: Ask): Promise<ReadonlyMap<string, WholePost>> {
  const overview = await ask('overview', client.overview());
  expect([overview.version, overview.site.url]).toEqual(['v1', 'https://blog.example']);
  expect((await ask('me', client.me())).key).toBeNull();
  expect(await ask('categories', client.categories())).toHaveLength(2);
  expect(await ask('tags', client.tags())).toHaveLength(3);
  for (const author of await all((page) => ask('authors', client.authors(page))))
    expect(await ask('author', client.author(author.username))).toEqual(author);

  const articles = new Map<string, WholePost>();
  for (const summary of await all((page) => ask('posts', client.posts(page)))) {
    const detail = await ask('post', client.post(summary.slug));
    const whole = { ...summary, ...detail };
    expect(await ask('wholePost', client.wholePost(summary.slug))).toEqual(whole);
    articles.set(summary.slug, whole);
  }
  expect(articles.size).toBe(ARTICLES);
  return articles;
}

/** `/changes` gives these articles. @returns the token for the next call */
async function expectWalk(
  client: ApiClient,
  ask: Ask,
  articles: ReadonlyMap<string, WholePost>,
): Promise<string> {
  const given = new Map<string, WholePost>();
  let page: Changes | undefined;
  while (page === undefined || page.cursor !== null) {
    page = await ask('changes', client.changes(page?.cursor ? { cursor: page.cursor } : {}));
    for (const { updated_at: _, former_slugs: __, ...article } of page.items)
      given.set(article.slug, article);
  }
  expect(given).toEqual(articles);
  return page.token ?? '';
}

async function expectErrors(client: ApiClient): Promise<void> {
  expect(await client.missing()).toEqual({
    status: 404,
    message: expect.stringContaining('no published article'),
  });
  expect(await client.invalid()).toMatchObject({
    status: 422,
    errors: { q: ['It may have at most 8 terms.'] },
  });
}

/** The records of all pages. */
async function all<T>(read: (page: number) => Promise<Page<T>>): Promise<T[]> {
  const records: T[] = [];
  for (let page = 1, last = 1; page <= last; page++) {
    const { items, meta } = await read(page);
    records.push(...items);
    last = meta.last_page;
  }
  return records;
}

/** Generates the clients from a service's description, compiles and loads them. */
async function generated(url: string): Promise<Generated> {
  const folder = siteFolder('api-clients');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  cpSync(SOURCES, folder, { recursive: true });
  // The types of offprint-client, which the folder of the generators cannot import.
  cpSync(API_TYPES, join(folder, 'api-types.ts'));
  const adapter = readFileSync(join(SOURCES, 'api-client.ts'), 'utf8');
  writeFileSync(
    join(folder, 'api-client.ts'),
    adapter.replace(/'[./]*\/client\/source\/(.*)\.ts'/, "'./$1'"),
  );
  writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${url}/openapi.json`)).text());
  const { PATH, HOME, TMPDIR } = process.env;
  const generate = (program: string, ...args: string[]) =>
    run(process.execPath, [programOf('api-clients', program), ...args], {
      cwd: folder,
      env: { PATH, HOME, TMPDIR },
    });
  await generate('openapi-typescript', 'openapi.json', '--output', 'openapi-typescript.ts');
  await generate('openapi-ts');
  await generate('orval', '--config', 'orval.config.mjs');

  const { stdout: faults } = await run(TSC, ['-p', folder]).catch((error: unknown) => ({
    stdout: String(Object(error).stdout),
  }));
  expect(faults).toBe('');
  const outfile = join(folder, 'bundle.mjs');
  await build({
    entryPoints: [join(folder, 'generated.ts')],
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
  });
  return import(pathToFileURL(outfile).href);
}
