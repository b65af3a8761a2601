/**
 * Running blogs as a source: what is read, read again, gone, and what happens on errors.
 */
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { importConfigured } from '../../cli/imports.ts';
import { importBlog } from '../../data/imported/import.ts';
import { readBlog } from '../../import/formats.ts';
import { emptyBlog, folderOf, NOW } from './folder.ts';
import { exportOfRows } from './ghost-export.ts';
import {
  CONTENT_KEY,
  GHOST_AUTHOR,
  ghostPost,
  importRunning,
  type Row,
  runGhost,
  type RunningServer,
  runWordPress,
  statusesOf,
  wordPressPost,
} from './running-blog.ts';
import { item, wxr } from './wordpress/export.ts';

interface System {
  readonly format: 'ghost' | 'wordpress';
  readonly run: (posts: Row[]) => Promise<RunningServer>;
  readonly post: (n: number, fields?: Row) => Row;
  readonly options: { readonly key?: string };
  /** The field that changes with each change of a post. */
  readonly stamp: string;
  /** The title in the API. */
  readonly titled: (title: string) => unknown;
}

const SYSTEMS: readonly System[] = [
  {
    ...{ format: 'ghost', run: runGhost, post: ghostPost, stamp: 'updated_at', titled: (title) => title },
    options: { key: CONTENT_KEY },
  },
  {
    ...{ format: 'wordpress', run: (posts) => runWordPress(posts), post: wordPressPost, options: {} },
    ...{ stamp: 'modified_gmt', titled: (rendered) => ({ rendered }) },
  },
];
const many = (post: System['post'], count: number): Row[] =>
  Array.from({ length: count }, (_, i) => post(i + 1));
/** Requests that read posts in full. */
const readings = ({ asked }: RunningServer): string[] =>
  asked.filter((path) => /formats=html|_embed=/.test(decodeURIComponent(path)));

describe.each(SYSTEMS)('a running blog of $format', ({ format, run, post, options, stamp, titled }) => {
  it('is imported completely, over any number of pages', async () => {
    const db = emptyBlog();
    const server = await run(many(post, 230));
    const report = await importRunning(db, format, server, options);
    expect(report.posts.published).toBe(230);
    expect(report.site.url).toBe(server.url);
    expect(report.notPosts).toEqual([expect.objectContaining({ what: 'is a page' })]);
    expect(readings(server)).toHaveLength(10);
  });

  it('is read again only where it changed', async () => {
    const db = emptyBlog();
    const server = await run(many(post, 60));
    await importRunning(db, format, server, options);
    server.asked.length = 0;
    expect(await importRunning(db, format, server, options)).toMatchObject({ unchanged: 60, gone: [] });
    expect(readings(server)).toEqual([]);
    server.rows['posts']?.splice(
      9,
      1,
      post(10, { title: titled('New'), [stamp]: '2026-02-02T00:00:00' }),
      post(61),
    );
    expect(await importRunning(db, format, server, options)).toMatchObject({
      unchanged: 59,
      imported: { posts: 2 },
    });
    expect(readings(server)).toHaveLength(1);
    expect(db.prepare("SELECT title FROM posts WHERE slug = 'post-10'").pluck().get()).toBe('New');
    expect(await importRunning(db, format, server, { ...options, all: true })).toMatchObject({
      unchanged: 61,
    });
    expect(readings(server)).toHaveLength(4);
  });

  it('is read again where an author is renamed', async () => {
    const db = emptyBlog();
    const other = format === 'ghost' ? { authors: [] } : { author: 2, _embedded: { author: [] } };
    const server = await run([post(1), post(2), post(3, other)]);
    await importRunning(db, format, server, options);
    const person = { ...GHOST_AUTHOR, id: format === 'ghost' ? 'u1' : 1, name: 'Bo', slug: 'bo' };
    const own = format === 'ghost' ? { authors: [person] } : { _embedded: { author: [person] } };
    server.rows['posts'] = [post(1, own), post(2, own), post(3, other)];
    server.rows[format === 'ghost' ? 'authors' : 'users'] = [person];
    const report = await importRunning(db, format, server, options);
    expect(report).toMatchObject({ imported: { posts: 2 }, unchanged: 1 });
  });

  it('writes nothing if it fails', async () => {
    const db = emptyBlog();
    const server = await run(many(post, 100));
    let left = 3;
    server.trouble = (url, reply) => {
      if (readings({ ...server, asked: [url.search] }).length === 0 || left-- > 0) return false;
      reply.destroy();
      return true;
    };
    await expect(importRunning(db, format, server, options)).rejects.toThrow('cannot be read');
    expect(statusesOf(db)).toEqual({});
    server.trouble = () => false;
    await importRunning(db, format, server, options);
    expect(Object.keys(statusesOf(db))).toHaveLength(100);
  });

  it('is asked again after the delay that it requests', async () => {
    const server = await run(many(post, 2));
    const waited: number[] = [];
    let busy = 2;
    server.trouble = (_, reply) => {
      if (busy === 0) return false;
      busy -= 1;
      reply.writeHead(busy === 1 ? 429 : 503, { 'retry-after': '7' }).end();
      return true;
    };
    const wait = (ms: number): Promise<void> => Promise.resolve(void waited.push(ms));
    await importRunning(emptyBlog(), format, server, { ...options, wait });
    expect(waited).toEqual([7000, 7000]);
    busy = 9;
    server.trouble = (_, reply) => Boolean(reply.writeHead(503, { 'retry-after': '3600' }).end());
    await expect(importRunning(emptyBlog(), format, server, options)).rejects.toThrow(
      'asks to wait 3600 seconds',
    );
  });

  const list = (reply: ServerResponse, rows: unknown, total: number, pages: number) =>
    reply
      .setHeader('x-wp-total', total)
      .setHeader('x-wp-totalpages', pages)
      .end(JSON.stringify(format === 'ghost' ? { posts: rows } : rows));

  it.each<[string, string, (url: URL, reply: ServerResponse) => void]>([
    ['errors every time', 'status 500', (_, reply) => reply.writeHead(500).end('oops')],
    ['HTML', 'is not JSON', (_, reply) => reply.end('<html>')],
    ['other JSON', 'cannot be used', (_, reply) => reply.end('{"posts": 7}')],
    ['rows of nothing', 'cannot be used', (_, reply) => list(reply, [null], 1, 1)],
    [
      'the same for ever',
      'repeats itself',
      (url, reply) => list(reply, many(post, 100), 900, Number(url.searchParams.get('page')) + 1),
    ],
    ['more than fits', 'larger than 64 MB', (_, reply) => void reply.end(Buffer.alloc(65_000_000, ' '))],
    [
      'another port of this machine',
      'redirects to http://127.0.0.1:1/x, on another host',
      (_, reply) =>
        void reply.writeHead(302, { location: 'http://SECRET:SECRET@127.0.0.1:1/x?SECRET' }).end(),
    ],
  ])('fails with a clear error if it answers %s, and writes nothing', async (_, message, trouble) => {
    const db = emptyBlog();
    const server = await run(many(post, 2));
    server.trouble = (url, reply) => {
      if (!/\/posts\b/.test(url.pathname)) return false;
      trouble(url, reply);
      return true;
    };
    const failure: unknown = await importRunning(db, format, server, options).catch(
      (error: unknown) => error,
    );
    expect(String(failure)).toContain(message);
    for (const secret of [CONTENT_KEY, 'SECRET', 'key=']) expect(String(failure)).not.toContain(secret);
    expect(statusesOf(db)).toEqual({});
  });
});

describe('a running Ghost', () => {
  it('is the same blog as its exports: posts are not duplicated', async () => {
    const db = emptyBlog();
    const posts = [
      ghostPost(1, { tags: [{ id: 't1', name: 'C++', slug: 'c', visibility: 'public' }] }),
      ghostPost(2),
    ];
    const server = await runGhost(posts);
    const settings = [
      { key: 'title', value: 'A blog' },
      { key: 'timezone', value: 'Europe/Berlin' },
      { key: 'db_hash', value: 'x' },
    ];
    const path = exportOfRows(posts, settings);
    await importBlog({ db, items: readBlog('ghost', [path], { now: NOW, site: server.url }) });
    const report = await importRunning(db, 'ghost', server, { key: CONTENT_KEY });
    expect(report).toMatchObject({
      unchanged: 2,
      imported: { posts: 0 },
      origins: [{ new: false }],
      gone: [],
    });
  });

  it.each([
    [undefined, 'The Ghost API key is missing'],
    ['odd', 'This is not a Ghost Content API key'],
    [`${'a'.repeat(24)}:${'b'.repeat(64)}`, 'This is a Ghost Admin API key'],
    ['f'.repeat(26), 'rejects the API key'],
  ])('with the key %s is refused: %s', async (key, message) => {
    const server = await runGhost([ghostPost(1)]);
    await expect(importRunning(emptyBlog(), 'ghost', server, { key })).rejects.toThrow(message);
  });

  it('receives no key over http, except on this machine', async () => {
    const far = { url: 'http://blog.example' };
    await expect(importRunning(emptyBlog(), 'ghost', far, { key: CONTENT_KEY })).rejects.toThrow(
      'is never sent to http://blog.example',
    );
  });

  it('has its own path, dates of its time zone, and no internal tags', async () => {
    const db = emptyBlog();
    const tags = ['News', '#house'].map((name, i) => ({
      id: `t${i}`,
      name,
      slug: `t${i}`,
      visibility: i === 0 ? 'public' : 'internal',
    }));
    const server = await runGhost([
      ghostPost(1, { tags, canonical_url: 'https://other.example/x/' }),
      ghostPost(2),
    ]);
    await importRunning(db, 'ghost', server, { key: CONTENT_KEY });
    expect(db.prepare('SELECT slug, url, published_at FROM posts ORDER BY slug').all()).toEqual([
      { slug: 'post-1', url: 'https://other.example/x/', published_at: '2026-01-01T01:00:00+01:00' },
      { slug: 'post-2', url: '/post-2/', published_at: '2026-01-01T01:00:00+01:00' },
    ]);
    expect(db.prepare('SELECT name FROM tags').pluck().all()).toEqual(['News']);
  });
});

describe('a running WordPress', () => {
  it('is found without permalinks, and if no header names its API', async () => {
    for (const hasPermalinks of [true, false]) {
      const server = await runWordPress([wordPressPost(1)], { hasPermalinks });
      expect(await importRunning(emptyBlog(), 'wordpress', server)).toMatchObject({
        posts: { published: 1 },
      });
      server.trouble = (url, reply) =>
        url.pathname === '/' && url.search === '' && Boolean(reply.end('no header'));
      expect(await importRunning(emptyBlog(), 'wordpress', server)).toMatchObject({
        posts: { published: 1 },
      });
    }
  });

  it('is the same blog as its exports: posts are not duplicated', async () => {
    const db = emptyBlog();
    const server = await runWordPress([wordPressPost(1), wordPressPost(2)]);
    const items = [1, 2].map((n) =>
      item({
        'wp:post_id': String(n),
        'wp:post_name': `post-${n}`,
        title: `Post ${n}`,
        link: `${server.url}/2026/01/post-${n}/`,
      }),
    );
    const path = join(
      folderOf({ 'export.xml': wxr(items.join('')).replaceAll('https://blog.example', server.url) }),
      'export.xml',
    );
    await importBlog({ db, items: readBlog('wordpress', [path], { now: NOW }) });
    const report = await importRunning(db, 'wordpress', server);
    expect(report).toMatchObject({ origins: [{ new: false }], gone: [], renamed: [] });
    expect(Object.keys(statusesOf(db))).toHaveLength(2);
  });

  it('has the fields that its pages show', async () => {
    const db = emptyBlog();
    const words = Array.from({ length: 80 }, (_, i) => `word${i}`);
    const automatic = `<p>${words.slice(0, 55).join(' ')} [&hellip;]</p>\n`;
    const rich = {
      title: { rendered: 'One &#8211; two' },
      content: { rendered: `<p>${words.join(' ')}</p>\n`, protected: false },
      ...{ featured_media: 5, categories: [2], tags: [3, 4] },
      yoast_head_json: { title: 'One – two - A &amp; B', description: 'For engines' },
      _embedded: {
        author: [{ id: 1, name: 'Ada Lee', slug: 'ada-lee' }],
        'wp:featuredmedia': [{ source_url: 'https://img.example/a.png' }],
      },
    };
    const server = await runWordPress([
      wordPressPost(1, { ...rich, excerpt: { rendered: automatic } }),
      wordPressPost(2, {
        ...rich,
        excerpt: { rendered: '<p>Own words <img class="wp-smiley" alt=":)" src="/s.gif"></p>' },
        content: {
          rendered: '<p>A</p>\n<p>[map center=&#8221;1,2&#8243; zoom=&#8221;17&#8243;]</p>\n',
          protected: false,
        },
        yoast_head_json: { title: 'Better' },
      }),
      wordPressPost(3, {
        author: 7,
        featured_media: 8,
        _embedded: {
          author: [{ code: 'rest_user_invalid_id' }],
          'wp:featuredmedia': [{ code: 'rest_forbidden' }],
        },
      }),
    ]);
    // One tag is newer than the list of all tags, which lacks it.
    server.rows['categories'] = [{ id: 2, name: 'R&amp;D', slug: 'r' }];
    server.rows['tags'] = [
      { id: 3, name: 'C++', slug: 'c' },
      { id: 4, name: 'New', slug: 'new' },
    ];
    server.trouble = (url, reply) => {
      if (!url.pathname.endsWith('/tags') || url.searchParams.has('include')) return false;
      reply.setHeader('x-wp-total', 1).setHeader('x-wp-totalpages', 1);
      reply.end(JSON.stringify(server.rows['tags']?.slice(0, 1)));
      return true;
    };
    const report = await importRunning(db, 'wordpress', server);
    expect(db.prepare('SELECT name FROM tags ORDER BY name').pluck().all()).toEqual(['C++', 'New']);
    const shown = {
      ...{ title: 'One – two', cover: 'https://img.example/a.png', category: 'R&D', username: 'ada-lee' },
      published_at: '2026-01-01T01:00:00+01:00',
    };
    const columns =
      'p.slug, p.title, p.description, p.cover, p.meta_title, p.meta_description, p.published_at, c.name AS category, a.username';
    expect(
      db
        .prepare(
          `SELECT ${columns} FROM posts p LEFT JOIN categories c ON c.id = category_id LEFT JOIN authors a ON a.id = author_id ORDER BY p.slug LIMIT 2`,
        )
        .all(),
    ).toEqual([
      { ...shown, slug: 'post-1', description: null, meta_title: null, meta_description: 'For engines' },
      { ...shown, slug: 'post-2', description: 'Own words :)', meta_title: 'Better', meta_description: null },
    ]);
    expect(report.losses.map(({ what }) => what).sort()).toEqual([
      'author that WordPress does not show',
      'featured image that WordPress does not show',
      'shortcode map',
    ]);
  });

  /** The next lists of posts, as many as `times`, have the first of `total` posts alone. */
  const listOne = (server: RunningServer, times: number, total: number): void => {
    server.trouble = (url, reply) => {
      if (!url.pathname.endsWith('/posts') || url.searchParams.has('include') || times-- <= 0) return false;
      reply.setHeader('x-wp-total', total).setHeader('x-wp-totalpages', 1).end('[{"id": 1}]');
      return true;
    };
  };

  it('is listed again if its pages are inconsistent, and rejected if they stay so', async () => {
    const server = await runWordPress(many(wordPressPost, 3));
    listOne(server, 1, 3);
    expect(await importRunning(emptyBlog(), 'wordpress', server)).toMatchObject({ posts: { published: 3 } });
    listOne(server, 9, 3);
    await expect(importRunning(emptyBlog(), 'wordpress', server)).rejects.toThrow('lists 1 of 3 posts');
  });

  it('archives no post that is missing from a list by mistake', async () => {
    const db = emptyBlog();
    const server = await runWordPress(many(wordPressPost, 3));
    await importRunning(db, 'wordpress', server);
    listOne(server, 1, 1);
    const report = await importRunning(db, 'wordpress', server, { force: true });
    expect(report).toMatchObject({ gone: [], unchanged: 3 });
  });
});

describe('offprint.json', () => {
  it('follows a running blog, with the key from the environment', async () => {
    const folder = folderOf({});
    const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
    const server = await runGhost(many(ghostPost, 30));
    const config = { import: [{ format: 'ghost' as const, path: server.url }], site: {} };
    const run = (now: Date) => importConfigured({ db, out, config, now });
    vi.stubEnv('OFFPRINT_GHOST_KEY', CONTENT_KEY);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await run(NOW)).toMatchObject([{ report: { posts: { published: 30 } } }]);
    const later = (minutes: number): Date => new Date(NOW.getTime() + minutes * 60_000);
    server.asked.length = 0;
    expect((await run(later(14)))[0]?.report).toBeUndefined();
    expect(server.asked).toEqual([]);
    expect(await run(later(16))).toMatchObject([{ report: { unchanged: 30 } }]);
    expect(readings(server)).toEqual([]);

    server.trouble = (_, reply) => Boolean(reply.writeHead(403).end('{}'));
    const [outcome] = await run(later(32));
    expect(outcome?.failure).toContain('rejects the API key');
    expect(readFileSync(join(out, 'state/results.db'), 'latin1')).not.toContain(CONTENT_KEY);
  });
});

it.each(['https://ann:secret@blog.example', 'https://blog.example/?key=1', 'https://'])(
  'rejects the address %s',
  async (url) => {
    await expect(importRunning(emptyBlog(), 'ghost', { url }, { key: CONTENT_KEY })).rejects.toThrow(
      'not the URL of a blog',
    );
  },
);
