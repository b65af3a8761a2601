import * as v from 'valibot';
import { htmlToText } from '../../common/content/html-text.ts';
import { noPost, postItems, unread } from '../article/outcome.ts';
import { type ListEntry, readChanges } from '../changes.ts';
import { ApiMissing, BlogAnswerInvalid, formatHome, ImportError } from '../errors.ts';
import type { ImportedBlog, ReadItem } from '../imported-item.ts';
import type { ReadOptions } from '../read-options.ts';
import {
  allRows,
  type ApiAnswer,
  blogAddress,
  fetchInBatches,
  type ListPage,
  requestApi,
} from '../running/api.ts';
import { isSameHost } from '../sources/http.ts';
import { toSiteKey } from './item.ts';
import { postFromRest, REST_POST, type RestSite } from './rendered.ts';

/** WordPress's maximum page size. */
const PAGE = 100;
/** How often the list of posts is read until its pages are consistent. */
const MAX_LISTINGS = 3;

const POST_FIELDS =
  'id,status,slug,link,date,date_gmt,modified,modified_gmt,title,excerpt,content,author,featured_media,meta,' +
  'categories,tags,yoast_head_json,aioseo_head_json,_links,_embedded';
const LIST_FIELDS = 'id,modified_gmt,status,slug,link,author,categories,tags';
const TERM_FIELDS = 'id,name,slug';
/** Lists of terms are read in full: of a post's embedded terms, WordPress omits those after the tenth. */
const TAXONOMIES = { categories: 'category', tags: 'post_tag' } as const;
const ids = v.fallback(v.array(v.number()), []);
const TERM_IDS = v.object({ categories: ids, tags: ids, author: v.fallback(v.number(), 0) });
const ROW = v.looseObject({ id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)) });
type Row = v.InferOutput<typeof ROW>;

/** WordPress's REST API, as it answers visitors. */
interface RestApi {
  /** The name as HTML, and the public address. */
  readonly site: { readonly name: string; readonly home: string };
  /**
   * One page of a route of `wp/v2`: `posts`.
   *
   * @returns null if the route is closed to visitors
   * @throws BlogAnswerInvalid, AddressRefused
   */
  readonly page: (
    route: string,
    page: number,
    query: Readonly<Record<string, string>>,
  ) => Promise<ListPage | null>;
}

/**
 * Reads a running WordPress over its REST API: what its visitors see.
 *
 * @throws ImportError for the address or a list that keeps changing, ApiMissing, BlogAnswerInvalid, AddressRefused
 */
export async function* readRunningWordPress(written: string, options: ReadOptions): AsyncGenerator<ReadItem> {
  const api = await openRestApi(blogAddress(written), options.wait);
  const { home } = api.site;
  const key = toSiteKey(home);
  const name = htmlToText(api.site.name);
  // Some blogs hide their people.
  const terms = new Map<string, string>();
  for (const route of ['categories', 'tags', 'users']) await addTerms(api, route, terms);
  const blog: ImportedBlog = {
    format: 'wordpress',
    key,
    name: key,
    isComplete: true,
    site: { name, url: home },
  };
  yield { kind: 'blog', blog };
  yield* readChanges(
    {
      blog,
      basis: JSON.stringify([home, name]),
      list: () => listPosts(api, key, terms),
      hasAny: async (wanted) => (await fetchRows(api, wanted, { _fields: 'id' })).length > 0,
      fetch: (wanted) => fetchInBatches(wanted, (batch) => fetchPosts(api, batch, terms)),
      toItems: (row, source) => toItems(row, source, { key, name }),
    },
    options,
  );
  const pages = await api.page('pages', 1, { per_page: '1', _fields: 'id' });
  if (pages !== null && pages.total > 0) yield noPost('pages', 'is a page', { count: pages.total });
}

/** Finds the API of a blog. @throws ApiMissing, BlogAnswerInvalid, AddressRefused */
async function openRestApi(address: URL, wait: ReadOptions['wait']): Promise<RestApi> {
  const { base, site } = await findApi(address, wait);
  return {
    site,
    page: async (route, page, query) => {
      const url = routeUrl(base, route, { per_page: String(PAGE), page: String(page), ...query });
      const answer = await requestApi(url, { wait });
      return [401, 403, 404].includes(answer.status) ? null : pageFrom(answer, page);
    },
  };
}

/** WordPress names its API in a header of each page; if that is removed, the default path is tried. */
async function findApi(
  address: URL,
  wait: ReadOptions['wait'],
): Promise<{ base: URL; site: RestApi['site'] }> {
  const home = await requestApi(address, { wait });
  const named = /<([^<>]+)>\s*;\s*rel="https:\/\/api\.w\.org\/"/.exec(home.header('link') ?? '')?.[1];
  const candidates = [named, 'wp-json/', '?rest_route=/'].flatMap((path) =>
    path === undefined ? [] : (URL.parse(path, home.url.href) ?? []),
  );
  for (const candidate of candidates) {
    if (!isSameHost(home.url, candidate))
      throw new ApiMissing(
        address,
        'WordPress',
        `It links to an API at ${candidate.origin}: if that is the blog, give its URL.`,
      );
    const answer = await requestApi(candidate, { wait });
    const site = answer.status === 200 ? siteFrom(answer) : null;
    if (site !== null) return { base: answer.url, site };
  }
  throw apiClosed(address);
}

function apiClosed(address: URL): ApiMissing {
  return new ApiMissing(
    address,
    'WordPress',
    'A plug-in may block it: allow visitors to use the REST API (/wp-json/), or import an export (Tools, Export).',
  );
}

const ROOT = v.object({
  name: v.fallback(v.string(), ''),
  url: v.fallback(v.string(), ''),
  home: v.fallback(v.string(), ''),
  namespaces: v.array(v.string()),
});

function siteFrom(answer: ApiAnswer): RestApi['site'] | null {
  try {
    const parsed = v.safeParse(ROOT, answer.json());
    if (!parsed.success || !parsed.output.namespaces.includes('wp/v2')) return null;
    const { name, home, url } = parsed.output;
    return { name, home: [home, url].find((text) => /^https?:\/\/./.test(text)) ?? answer.url.origin };
  } catch (error) {
    if (error instanceof BlogAnswerInvalid) return null;
    throw error;
  }
}

/** On a site without permalinks, routes are in the query. */
function routeUrl(base: URL, route: string, query: Readonly<Record<string, string>>): URL {
  const isInQuery = base.searchParams.has('rest_route');
  const url = isInQuery
    ? new URL(base)
    : new URL(`wp/v2/${route}`, `${base.origin}${base.pathname.replace(/\/*$/, '/')}`);
  const where = isInQuery ? { rest_route: `/wp/v2/${route}` } : {};
  url.search = new URLSearchParams({ ...where, ...query }).toString();
  return url;
}

function pageFrom(answer: ApiAnswer, page: number): ListPage {
  const { url, status } = answer;
  if (status !== 200) throw new BlogAnswerInvalid(url, `status ${status}`);
  const rows = answer.json();
  if (!Array.isArray(rows)) throw new BlogAnswerInvalid(url, 'it is not a list');
  const count = (header: string): number => {
    const written = answer.header(header) ?? '';
    if (!/^\d{1,9}$/.test(written)) throw new BlogAnswerInvalid(url, `its header ${header} is missing`);
    return Number(written);
  };
  const list: readonly unknown[] = rows;
  return { rows: list, total: count('x-wp-total'), isLast: page >= count('x-wp-totalpages'), url };
}

/** All pages of a route, sorted by id; null if it is closed. */
function readRows(api: RestApi, route: string, query: Readonly<Record<string, string>>) {
  return allRows(route, ROW, (page) => api.page(route, page, { orderby: 'id', order: 'asc', ...query }));
}

async function listPosts(
  api: RestApi,
  key: string,
  terms: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, ListEntry>> {
  for (let listings = 1; ; listings++) {
    const listing = await readRows(api, 'posts', { _fields: LIST_FIELDS });
    if (listing === null) throw apiClosed(new URL(api.site.home));
    const { rows, total, url } = listing;
    if (rows.length === total)
      return new Map(
        rows.map((listed) => [
          String(listed.id),
          { source: `wordpress:${key}/?p=${listed.id}`, version: buildVersion(listed, terms) },
        ]),
      );
    if (listings === MAX_LISTINGS)
      throw new ImportError(
        `${formatHome(url)} lists ${rows.length} of ${total} posts. If the blog is changing, import it again. ` +
          'If a plug-in hides some of its posts, import an export (Tools, Export).',
      );
  }
}

/** With the names of its terms and its author, since renaming one does not change the post. */
function buildVersion(listed: Row, terms: ReadonlyMap<string, string>): string {
  const { categories, tags, author } = v.parse(TERM_IDS, listed);
  const keys = [...categories.map((id) => `categories/${id}`), ...tags.map((id) => `tags/${id}`)];
  return JSON.stringify([listed, ...[...keys, `users/${author}`].map((key) => terms.get(key))]);
}

async function fetchRows(
  api: RestApi,
  wanted: readonly string[],
  query: Readonly<Record<string, string>>,
): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (let at = 0; at < wanted.length; at += PAGE) {
    const include = wanted.slice(at, at + PAGE).join(',');
    const page = await api.page('posts', 1, { include, ...query });
    if (page === null) throw apiClosed(new URL(api.site.home));
    for (const raw of page.rows) {
      const parsed = v.safeParse(ROW, raw);
      if (parsed.success && wanted.includes(String(parsed.output.id))) found.push(parsed.output);
    }
  }
  return found;
}

/** Posts with their terms. */
async function fetchPosts(
  api: RestApi,
  wanted: readonly string[],
  terms: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, Row>> {
  const rows = await fetchRows(api, wanted, { _embed: 'author,wp:featuredmedia', _fields: POST_FIELDS });
  const known = new Map(terms);
  const posts = new Map<string, Row>();
  for (const post of rows) {
    const named = v.parse(TERM_IDS, post);
    const postTerms: unknown[] = [];
    for (const route of ['categories', 'tags'] as const) {
      const unknown = named[route].filter((number) => !known.has(`${route}/${number}`)).slice(0, PAGE);
      // They are newer than the full list.
      if (unknown.length > 0) await addTerms(api, route, known, { include: unknown.join(',') });
      for (const number of named[route]) {
        const term = known.get(`${route}/${number}`);
        if (term !== undefined)
          postTerms.push({ ...v.parse(ROW, JSON.parse(term)), taxonomy: TAXONOMIES[route] });
      }
    }
    posts.set(String(post.id), { ...post, terms: postTerms });
  }
  return posts;
}

async function addTerms(
  api: RestApi,
  route: string,
  terms: Map<string, string>,
  query: Readonly<Record<string, string>> = {},
): Promise<void> {
  const listing = await readRows(api, route, { ...query, _fields: TERM_FIELDS });
  for (const term of listing?.rows ?? []) terms.set(`${route}/${term.id}`, JSON.stringify(term));
}

function* toItems(row: Row, source: string, site: RestSite): Generator<ReadItem> {
  const parsed = v.safeParse(REST_POST, row);
  if (parsed.success) yield* postItems(source, (lose) => postFromRest(parsed.output, site, lose));
  else yield unread(source, 'is not a valid WordPress post', source);
}
