/**
 * A copy in a folder, from a running service.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openFolder } from '../../../client/source/files/folder-store.ts';
import { syncFolder } from '../../../client/source/files/index.ts';
import { createClient } from '../../../client/source/index.ts';
import { editing } from '../../build/publishing.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';
import { sampleBlog } from '../../service/blogs.ts';
import type { Service } from '../../service/home.ts';
import { answerOf } from '../../service/in-process.ts';
import { inProcessHome } from '../../service/in-process-home.ts';

const LIMITS = { day: { address: 100_000 }, minute: 100_000 };
const ODD = 'Über uns? 100% "<&>"';

describe('the copy in a folder', () => {
  let service: Service;
  let folder = '';
  let requests: string[] = [];
  /** Requests whose path ends like this fail. */
  let broken: string | null = null;

  const sync = () =>
    syncFolder(
      createClient({
        url: service.url,
        fetch: async (url, init) => {
          requests.push(url.slice(url.indexOf('/v1') + 3));
          if (broken !== null && url.endsWith(broken)) throw new Error('the line was cut');
          return fetch(url, init);
        },
      }),
      folder,
    );

  async function edit(sql: string): Promise<void> {
    const at = (name: string) => join(service.folder, name);
    editing(at('blog.db'), (db) => db.exec(sql));
    await service.stop();
    await answerOf(['build', '--db', at('blog.db'), '--out', at('out'), '--config', at('offprint.json')]);
    await service.restart();
  }

  beforeAll(async () => {
    service = await inProcessHome.serve(await sampleBlog(), { limits: LIMITS });
    await edit(`UPDATE posts SET slug = '${ODD}' WHERE slug = 'the-pointer'`);
  });
  afterAll(() => service?.close());
  beforeEach(() => {
    folder = join(temporaryFolder(), 'of', 'a site');
    requests = [];
    broken = null;
  });

  it('is the whole blog, and needs two requests while nothing changes', async () => {
    const first = await sync();
    const blog = createClient({ url: service.url });
    expect(first.site).toEqual((await blog.overview()).site);
    expect(first.categories).toEqual(await blog.categories());
    expect(first.tags).toEqual(await blog.tags());
    expect(first.authors).toEqual((await blog.authors({ per_page: 50 })).items);
    expect(first.articles.size).toBe((await blog.posts()).meta.total);
    for (const slug of [ODD, 'brevity'])
      expect(first.articles.get(slug)).toMatchObject(await blog.post(slug, { include: ['summary'] }));
    expect(new Set(first.changed)).toEqual(new Set(first.articles.keys()));

    requests = [];
    expect(await sync()).toEqual({ ...first, changed: [], removed: [] });
    expect(requests).toEqual([expect.stringMatching(/^\/changes\?since=/), '']);
  });

  it('has a file for each article, and none for removed ones', async () => {
    await sync();
    const files = () => readdirSync(join(folder, 'articles'));
    const before = files();
    await edit(`
      DELETE FROM posts WHERE slug = 'tie-a-knot';
      UPDATE posts SET title = 'Changed' WHERE slug = 'brevity';`);
    const { articles, changed, removed } = await sync();
    expect([changed, removed]).toEqual([['brevity'], ['tie-a-knot']]);
    expect(articles.get('brevity')?.title).toBe('Changed');
    expect([files().length, articles.size]).toEqual([before.length - 1, before.length - 1]);
    expect((await sync()).articles).toEqual(articles);
  });

  it('retries a list that it could not read', async () => {
    await sync();
    await edit(`UPDATE tags SET name = 'Web protocols' WHERE name = 'HTTP'`);
    broken = '/tags';
    await expect(sync()).rejects.toThrow('the line was cut');
    broken = null;
    const { tags, changed } = await sync();
    expect(tags).toEqual(await createClient({ url: service.url }).tags());
    expect(tags.map(({ name }) => name)).toContain('Web protocols');
    expect(changed.length).toBeGreaterThan(0);
    expect((await sync()).changed).toEqual([]);
  });

  it('skips an interrupted write, and names a damaged file', async () => {
    await sync();
    writeFileSync(join(folder, 'articles', 'abc.json.new'), '{"slug":');
    await sync();
    const state = join(folder, 'state.json');
    writeFileSync(state, readFileSync(state, 'utf8').slice(0, 20));
    await expect(sync()).rejects.toThrow(
      `${state} is damaged. Delete the copy's folder to read the complete blog again.`,
    );
  });

  it('is replaced if the API serves another blog', async () => {
    mkdirSync(folder, { recursive: true });
    const other = await inProcessHome.serve(await sampleBlog(), { limits: LIMITS });
    try {
      await syncFolder(createClient({ url: other.url }), folder);
    } finally {
      await other.close();
    }
    const former = await openFolder(folder);
    broken = '/tags';
    await expect(sync()).rejects.toThrow('the line was cut');
    broken = null;
    const { articles, tags, changed, removed } = await sync();
    expect(new Set(changed)).toEqual(new Set(articles.keys()));
    expect(removed).toEqual([...former.articles.keys()].filter((slug) => !articles.has(slug)));
    expect(removed).toContain('the-pointer');
    const blog = createClient({ url: service.url });
    const { items } = await blog.posts({ per_page: 50 });
    expect(new Set(articles.keys())).toEqual(new Set(items.map(({ slug }) => slug)));
    expect(tags).toEqual(await blog.tags());
  });
});
