/**
 * The client with a running service. The homes answer alike (test/conformance), so one is enough.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type Client,
  type ClientOptions,
  createClient,
  OffprintError,
  type State,
  type Store,
  type WholePost,
} from '../../../client/source/index.ts';
import { editing, shortBlog } from '../../build/publishing.ts';
import { folderUntil } from '../../build/temporary-folder.ts';
import { changes, wholeArticle } from '../../changes/copy.ts';
import {
  author,
  category,
  dataOf,
  detail,
  me,
  overview,
  paged,
  summary,
  tag,
} from '../../conformance/shapes.ts';
import { send } from '../../service/client.ts';
import type { Service, Settings } from '../../service/home.ts';
import { answerOf } from '../../service/in-process.ts';
import { inProcessHome } from '../../service/in-process-home.ts';
import { failure } from '../scripted.ts';

const UNLIMITED: Settings = { limits: { day: { address: 100_000, user: 100_000 }, minute: 100_000 } };

/** A copy in memory. */
function copy() {
  const articles = new Map<string, WholePost>();
  let state: State | undefined;
  const store: Store = {
    load: () => state,
    save: (next) => void (state = next),
    put: (article) => void articles.set(article.slug, article),
    delete: (slug) => void articles.delete(slug),
    slugs: () => articles.keys(),
  };
  return { articles, store, isWalking: () => typeof state?.cursor === 'string' };
}

/** All articles, read only by lists and articles. */
async function everything(blog: Client): Promise<Map<string, WholePost>> {
  const found = new Map<string, WholePost>();
  for await (const item of blog.eachPost()) {
    found.set(item.slug, { ...item, ...(await blog.post(item.slug)) });
  }
  return found;
}

/** A copy has the articles of the blog, with all fields of lists and articles. */
async function expectAll(articles: ReadonlyMap<string, WholePost>, blog: Client): Promise<void> {
  const all = await everything(blog);
  expect(new Set(articles.keys())).toEqual(new Set(all.keys()));
  for (const [slug, article] of all) expect(articles.get(slug)).toMatchObject(article);
}

describe('the client, over HTTP', () => {
  let service: Service;
  let strict: Service;
  /** Number of published articles; more than two pages. */
  let total: number;
  const open = (options: Partial<ClientOptions> = {}) => createClient({ url: service.url, ...options });

  beforeAll(async () => {
    const db = join(folderUntil(afterAll), 'blog.db');
    shortBlog(db, 120, 5);
    const blog = { name: 'short', db };
    [service, strict] = await Promise.all([
      inProcessHome.serve(blog, UNLIMITED),
      inProcessHome.serve(blog, { limits: { ...UNLIMITED.limits, minute: 2 } }),
    ]);
    total = (await open().posts()).meta.total;
    expect(total).toBeGreaterThan(110);
  });
  afterAll(() => Promise.all([service?.close(), strict?.close()]));

  it('returns what the API answers, for every endpoint', async () => {
    const blog = open();
    const raw = async <T extends z.ZodType>(path: string, shape: T) => {
      const reply = await send(service.url, { path: `/api/public/v1${path}` });
      return dataOf(shape, reply.json);
    };
    const first = (await blog.posts({ per_page: 1 })).items[0];
    const [slug, writer] = [first?.slug ?? '', first?.author?.username ?? ''];
    const path = `/posts/${encodeURIComponent(slug)}`;
    expect(await blog.overview()).toEqual(await raw('', overview));
    expect(await blog.posts({ per_page: 3, sort: 'old', page: 2 })).toEqual(
      await raw('/posts?per_page=3&sort=old&page=2', paged(summary)),
    );
    expect(await blog.post(slug)).toEqual(await raw(path, detail));
    expect(await blog.post(slug, { include: ['summary'] })).toEqual(
      await raw(`${path}?include=summary`, wholeArticle),
    );
    expect(await blog.categories()).toEqual(await raw('/categories', z.array(category)));
    expect(await blog.tags()).toEqual(await raw('/tags', z.array(tag)));
    expect(await blog.authors({ per_page: 2 })).toEqual(await raw('/authors?per_page=2', paged(author)));
    expect(await blog.author(writer)).toEqual(await raw(`/authors/${encodeURIComponent(writer)}`, author));
    const page = await send(service.url, { path: '/api/public/v1/changes?per_page=4' });
    expect({ success: true, data: await blog.changes({ per_page: 4 }) }).toEqual(changes.parse(page.json));
  });

  it('returns the permissions and the quota of its key', async () => {
    const { key } = await service.createKey({ account: 'ada', name: 'site', scopes: ['blog:read'] });
    const blog = open({ key });
    expect(me.parse(await blog.me())).toMatchObject({ key: { name: 'site' }, quota: { limit: 100_000 } });
    await expect(blog.tags()).rejects.toMatchObject({ status: 403 });
    expect((await open().me()).key).toBeNull();
  });

  it('throws one class of errors', async () => {
    const blog = open();
    const missing = await failure(blog.post('nowhere'));
    expect(missing).toBeInstanceOf(OffprintError);
    expect(missing).toMatchObject({ status: 404, message: expect.stringContaining('no published article') });
    await expect(blog.posts({ q: 'a '.repeat(9) })).rejects.toMatchObject({
      status: 422,
      reasons: { q: ['It may have at most 8 terms.'] },
      retryAfter: null,
    });
    await expect(open({ key: 'opk_none' }).tags()).rejects.toMatchObject({ status: 401 });
    await expect(open({ url: 'http://127.0.0.1:9' }).tags()).rejects.toMatchObject({ status: 0 });
  });

  it('keeps its copy when a limit is reached, and continues later', async () => {
    const from = (address: string): Partial<ClientOptions> => ({
      url: strict.url,
      maxWait: 0,
      fetch: (url, init) =>
        fetch(url, { ...init, headers: { ...strict.from(address), ...Object(init.headers) } }),
    });
    const { articles, store, isWalking } = copy();
    const error = await failure(open(from('192.0.2.1')).sync(store));
    expect(error).toMatchObject({ status: 429 });
    expect(error instanceof OffprintError && error.retryAfter).toBeGreaterThan(0);
    expect([articles.size, isWalking()]).toEqual([100, true]);
    const { changed, ...synced } = await open(from('192.0.2.2')).sync(store);
    expect(synced).toMatchObject({ requests: 1, whole: true });
    expect(new Set(changed)).toEqual(new Set(articles.keys()));
    expect([articles.size, isWalking()]).toEqual([total, false]);
  });

  it('updates its copy', async () => {
    const { articles, store } = copy();
    const first = await open().sync(store);
    expect(first).toMatchObject({ requests: 3, whole: true, removed: [] });
    expect(first.changed).toHaveLength(total);
    await expectAll(articles, open());
    expect(await open().sync(store)).toEqual({
      changed: [],
      removed: [],
      requests: 1,
      whole: false,
      lists: { categories: false, tags: false, authors: false },
    });

    const [edited, deleted] = first.changed;
    editing(join(service.folder, 'blog.db'), (db) => {
      db.prepare("UPDATE posts SET title = 'Another title' WHERE slug = ?").run(edited);
      db.prepare('DELETE FROM posts WHERE slug = ?').run(deleted);
    });
    const [db, out, config] = ['blog.db', 'out', 'offprint.json'].map((name) => join(service.folder, name));
    await answerOf(['build', '--db', `${db}`, '--out', `${out}`, '--config', `${config}`]);
    await service.stop();
    await service.restart(); // The service notices the new snapshot by itself only after seconds.
    expect(await open().sync(store)).toMatchObject({
      changed: [edited],
      removed: [deleted],
      requests: 1,
      whole: false,
    });
    expect(articles.get(edited ?? '')?.title).toBe('Another title');
    await expectAll(articles, open());
  });
});
