/**
 * Simulated servers of running blogs, with the responses of Ghost 6.65 and WordPress 6.1, reduced to the requested
 * fields.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { BlogDatabase } from '../../data/database.ts';
import type { FormatName } from '../../import/format-names.ts';
import { readBlog } from '../../import/formats.ts';
import type { ReadOptions } from '../../import/read-options.ts';
import { importBlog, type ImportRules } from '../../data/imported/import.ts';
import { knownBlog } from '../../data/imported/origin.ts';
import type { ImportReport } from '../../data/imported/report.ts';
import { NOW } from './folder.ts';

export type Row = Readonly<Record<string, unknown>>;
/** Answers instead of the blog if it returns true. */
export type Trouble = (url: URL, reply: ServerResponse) => boolean;

export interface RunningServer {
  readonly url: string;
  /** Paths with their queries, in order. */
  readonly asked: string[];
  /** Rows by the name of their resource; tests change them. */
  readonly rows: Record<string, Row[]>;
  trouble: Trouble;
}

async function serve(
  rows: Record<string, Row[]>,
  answer: (url: URL, server: RunningServer) => Reply,
): Promise<RunningServer> {
  const asked: string[] = [];
  const http = createServer((request, reply) => {
    const url = new URL(request.url ?? '', server.url);
    asked.push(url.pathname + url.search);
    if (server.trouble(url, reply)) return;
    const { status = 200, headers = {}, body } = answer(url, server);
    reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void http.close());
  // A TCP address, because it listens on a port.
  const { port } = http.address() as AddressInfo;
  const server: RunningServer = { url: `http://127.0.0.1:${port}`, asked, rows, trouble: () => false };
  return server;
}

interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export const CONTENT_KEY = '0123456789abcdef0123456789';

export const GHOST_AUTHOR: Row = { id: 'u1', name: 'Ada', slug: 'ada', profile_image: null };

/** A post of Ghost, number `n`. */
export function ghostPost(n: number, fields: Row = {}): Row {
  return {
    id: n.toString(16).padStart(24, '0'),
    uuid: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    title: `Post ${n}`,
    slug: `post-${n}`,
    html: `<p>Text ${n}.</p>`,
    status: 'published',
    visibility: 'public',
    feature_image: null,
    custom_excerpt: null,
    canonical_url: null,
    meta_title: null,
    meta_description: null,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    published_at: '2026-01-01T00:00:00.000Z',
    tags: [],
    authors: [GHOST_AUTHOR],
    ...fields,
  };
}

/** @param posts of any status; the Content API shows published ones */
export async function runGhost(posts: Row[]): Promise<RunningServer> {
  return serve(
    { posts, pages: [{ id: 'p1' }], tags: [], authors: [GHOST_AUTHOR] },
    ({ pathname, searchParams }, server) => {
      const [, resource = ''] = /^\/ghost\/api\/content\/(\w+)\/$/.exec(pathname) ?? [];
      if (searchParams.get('key') !== CONTENT_KEY)
        return { status: 401, body: { errors: [{ type: 'UnauthorizedError' }] } };
      if (resource === 'settings')
        return { body: { settings: { title: 'A blog', url: `${server.url}/`, timezone: 'Europe/Berlin' } } };
      const own = server.rows[resource];
      if (own === undefined) return { status: 404, body: { errors: [] } };
      const filter = searchParams.get('filter') ?? '';
      const [fields, include] = [searchParams.get('fields'), searchParams.get('include')];
      const after = /id:>'(\w+)'/.exec(filter)?.[1] ?? '';
      const wanted = /id:\[([^\]]*)\]/
        .exec(filter)?.[1]
        ?.split(',')
        .map((id) => id.replaceAll("'", ''));
      const found = own
        .filter((row) => resource !== 'posts' || row['status'] === 'published')
        .filter(({ id }) => String(id) > after && (wanted?.includes(String(id)) ?? true))
        .sort((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1))
        .map((row) =>
          withFields(
            { ...row, url: `${server.url}/${String(row['slug'])}/` },
            fields === null ? null : [fields, include].filter(Boolean).join(),
          ),
        )
        .map(({ status: _, ...row }) => row);
      const limit = Math.min(Number(searchParams.get('limit')), 100);
      return { body: { [resource]: found.slice(0, limit), meta: { pagination: { total: found.length } } } };
    },
  );
}

function withFields(row: Row, fields: string | null): Row {
  if (fields === null) return row;
  return Object.fromEntries(fields.split(',').map((name) => [name, row[name]]));
}

/** A post of WordPress, number `n`. */
export function wordPressPost(n: number, fields: Row = {}): Row {
  return {
    id: n,
    date: '2026-01-01T01:00:00',
    date_gmt: '2026-01-01T00:00:00',
    modified: '2026-01-01T01:00:00',
    modified_gmt: '2026-01-01T00:00:00',
    slug: `post-${n}`,
    status: 'publish',
    title: { rendered: `Post ${n}` },
    content: { rendered: `<p>Text ${n}.</p>\n`, protected: false },
    excerpt: { rendered: `<p>Text ${n}.</p>\n`, protected: false },
    author: 1,
    featured_media: 0,
    meta: [],
    categories: [1],
    tags: [],
    _embedded: {
      author: [{ id: 1, name: 'Ada', slug: 'ada' }],
    },
    ...fields,
  };
}

/** @param posts of any status; the API shows published ones */
export async function runWordPress(posts: Row[], { hasPermalinks = true } = {}): Promise<RunningServer> {
  const terms = {
    categories: [{ id: 1, name: 'News', slug: 'news' }],
    tags: [],
    users: [{ id: 1, name: 'Ada', slug: 'ada' }],
  };
  return serve({ posts, pages: [{ id: 90 }, { id: 91 }], ...terms }, ({ pathname, searchParams }, server) => {
    const root = hasPermalinks ? '/wp-json/' : '/?rest_route=/';
    const route =
      searchParams.get('rest_route') ?? (hasPermalinks ? /^\/wp-json(\/.*)$/.exec(pathname)?.[1] : undefined);
    if (route === undefined)
      return { headers: { link: `<${server.url}${root}>; rel="https://api.w.org/"` }, body: 'home' };
    if (route === '/') return { body: { name: 'A &amp; B', home: server.url, namespaces: ['wp/v2'] } };
    const own = server.rows[route.replace('/wp/v2/', '')];
    if (own === undefined) return { status: 404, body: { code: 'rest_no_route' } };
    const include = searchParams.get('include')?.split(',');
    const found = own
      .filter(({ status = 'publish' }) => status === 'publish')
      .filter(({ id }) => include?.includes(String(id)) ?? true)
      .map((row) =>
        withFields(
          { link: `${server.url}/2026/01/${String(row['slug'])}/`, ...row },
          searchParams.get('_fields'),
        ),
      );
    const size = Number(searchParams.get('per_page'));
    const page = Number(searchParams.get('page') ?? 1);
    const headers = {
      'x-wp-total': String(found.length),
      'x-wp-totalpages': String(Math.ceil(found.length / size)),
    };
    return { headers, body: found.slice((page - 1) * size, page * size) };
  });
}

/** Imports a running blog into the database, like the command. */
export function importRunning(
  db: BlogDatabase,
  format: FormatName,
  { url }: Pick<RunningServer, 'url'>,
  { now = NOW, ...options }: Omit<Partial<ReadOptions>, 'site'> & ImportRules = {},
): Promise<ImportReport> {
  const items = readBlog(format, [url], {
    ...options,
    now,
    wait: options.wait ?? (() => Promise.resolve()),
    known: (name, key) => knownBlog(db, name, key),
  });
  return importBlog({ db, items, ...options });
}

/** Slug → status. */
export function statusesOf(db: BlogDatabase): Readonly<Record<string, string>> {
  const rows = db
    .prepare<[], { slug: string; status: string }>('SELECT slug, status FROM posts ORDER BY slug')
    .all();
  return Object.fromEntries(rows.map(({ slug, status }) => [slug, status]));
}
