import * as v from 'valibot';
import { findZone } from '../../common/content/moment.ts';
import { tidyLine } from '../../common/content/text.ts';
import { parseAddress } from '../article/address.ts';
import { noPost, postItems } from '../article/outcome.ts';
import { type ListEntry, readChanges } from '../changes.ts';
import { ApiMissing, BlogAnswerInvalid, ImportError } from '../errors.ts';
import type { ImportedBlog, ReadItem } from '../imported-item.ts';
import type { ReadOptions } from '../read-options.ts';
import { allRows, blogAddress, fetchInBatches, type ListPage, requestApi } from '../running/api.ts';
import { postFrom, whyHidden } from './post.ts';
import { type GhostPost, identifyPosts, POST, text } from './rows.ts';

/** Ghost's maximum page size. */
const PAGE = 100;

const HOW_TO_GET_A_KEY =
  'In Ghost, open Settings, Integrations, add a custom integration, and pass its Content API key ' +
  'with OFFPRINT_GHOST_KEY or --key.';

const id = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.regex(/^[\w-]{1,64}$/));
const LISTED = v.looseObject({ id, uuid: text, slug: text });
const API_POST = v.object({ ...POST.entries, id });
const SITE = v.object({
  title: v.fallback(v.string(), ''),
  url: v.pipe(v.string(), v.url()),
  /** As `timezone` in an export. */
  timezone: v.fallback(v.nullable(v.string()), null),
});

/**
 * Asks Ghost's Content API, which shows public posts, for a resource.
 *
 * @param query in Ghost's terms: `limit`, `fields`, `filter`
 * @throws ApiMissing, ImportError for the key, BlogAnswerInvalid, AddressRefused
 */
type ContentApi = (
  resource: string,
  query?: Readonly<Record<string, string>>,
) => Promise<{ readonly found: unknown; readonly total: number | null; readonly url: URL }>;

/**
 * Reads a running Ghost over its Content API: what its visitors see.
 *
 * @throws ImportError for the address or the key, ApiMissing, BlogAnswerInvalid, AddressRefused
 */
export async function* readRunningGhost(written: string, options: ReadOptions): AsyncGenerator<ReadItem> {
  const api = openContentApi(blogAddress(written), options);
  const site = await readSite(api);
  const url = site.url.replace(/\/+$/, '');
  const zone = site.timezone === null ? null : findZone(site.timezone);
  const name = tidyLine(site.title);
  const blog: ImportedBlog = {
    format: 'ghost',
    key: url.toLowerCase(),
    name,
    isComplete: true,
    site: { name, url },
  };
  yield { kind: 'blog', blog };
  yield* readChanges(
    {
      blog,
      basis: JSON.stringify([url, zone]),
      list: () => listPosts(api),
      fetch: (ids) => fetchInBatches(ids, (batch) => fetchPosts(api, batch)),
      toItems: (row, source) =>
        postItems(
          source,
          () => {
            const hidden = whyHidden(row);
            if (hidden !== null) return hidden;
            const post = postFrom(row, source, { site: url, zone });
            return { ...post, url: (row.canonical_url ? null : pathOn(url, row.url)) ?? post.url };
          },
          { title: row.slug ?? '' },
        ),
    },
    options,
  );
  const { total } = await api('pages', { limit: '1', fields: 'id' });
  if (total !== null && total > 0) yield noPost('pages', 'is a page', { count: total });
}

function openContentApi(address: URL, { key, wait }: ReadOptions): ContentApi {
  if (key === undefined) throw new ImportError(`The Ghost API key is missing. ${HOW_TO_GET_A_KEY}`);
  if (key.includes(':'))
    throw new ImportError(
      'This is a Ghost Admin API key, which can change the blog. Pass the Content API key of the same integration.',
    );
  if (!/^[\da-f]{26}$/i.test(key))
    throw new ImportError(`This is not a Ghost Content API key. ${HOW_TO_GET_A_KEY}`);
  if (!isPrivate(address))
    throw new ImportError(
      `The key is never sent to ${address.origin}, because http is not encrypted. Give the URL with https://.`,
    );
  return async (resource, query = {}) => {
    const url = new URL(`ghost/api/content/${resource}/`, address);
    url.search = new URLSearchParams({ ...query, key }).toString();
    const answer = await requestApi(url, { headers: { 'accept-version': 'v5.0' }, wait });
    if (answer.status === 401 || answer.status === 403)
      throw new ImportError(`${address.origin} rejects the API key. ${HOW_TO_GET_A_KEY}`);
    if (answer.status === 404)
      throw new ApiMissing(
        address,
        'Ghost',
        'Give the API URL that Ghost shows next to the key (Ghost 5 or later).',
      );
    if (answer.status !== 200) throw new BlogAnswerInvalid(answer.url, `status ${answer.status}`);
    const parsed = v.safeParse(ANSWER, answer.json());
    if (!parsed.success) throw new BlogAnswerInvalid(answer.url, 'it is not a Ghost answer');
    const { [resource]: found, meta } = parsed.output;
    return { found, total: meta?.pagination?.total ?? null, url: answer.url };
  };
}

const ANSWER = v.looseObject({
  meta: v.optional(v.object({ pagination: v.optional(v.object({ total: v.number() })) })),
});

/** Encrypted, or within this machine. */
function isPrivate({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

async function readSite(api: ContentApi): Promise<v.InferOutput<typeof SITE>> {
  const { found, url } = await api('settings');
  const parsed = v.safeParse(SITE, found);
  if (!parsed.success) throw new BlogAnswerInvalid(url, 'it does not describe a Ghost site');
  return parsed.output;
}

async function readPage(
  api: ContentApi,
  resource: string,
  query: Readonly<Record<string, string>>,
): Promise<ListPage> {
  const { found, total, url } = await api(resource, { ...query, limit: String(PAGE) });
  if (!Array.isArray(found)) throw new BlogAnswerInvalid(url, `it has no list of ${resource}`);
  const rows: readonly unknown[] = found;
  return { rows, total: total ?? rows.length, isLast: rows.length === total, url };
}

/**
 * All posts, sorted by id: posts that are added or deleted meanwhile shift no page. With their tags and authors, since
 * renaming one does not change its posts.
 */
async function listPosts(api: ContentApi): Promise<ReadonlyMap<string, ListEntry>> {
  const listing = await allRows('posts', LISTED, (_, last) =>
    readPage(api, 'posts', {
      fields: 'id,uuid,updated_at,visibility,url',
      include: 'tags,authors',
      order: 'id asc',
      ...(last === '' ? {} : { filter: `id:>'${last}'` }),
    }),
  );
  const rows = listing?.rows ?? [];
  const sources = identifyPosts(rows);
  return new Map(rows.map((row, i) => [row.id, { source: sources[i] ?? '', version: JSON.stringify(row) }]));
}

async function fetchPosts(api: ContentApi, ids: readonly string[]): Promise<ReadonlyMap<string, GhostPost>> {
  const { rows, url } = await readPage(api, 'posts', {
    include: 'tags,authors',
    formats: 'html',
    filter: `id:[${ids.map((wanted) => `'${wanted}'`).join(',')}]`,
  });
  return new Map(
    rows.map((row) => {
      const parsed = v.safeParse(API_POST, row);
      if (!parsed.success) throw new BlogAnswerInvalid(url, 'one of its posts has no id');
      return [parsed.output.id, { ...parsed.output, status: parsed.output.status ?? 'published' }];
    }),
  );
}

/** The path of an address on the site, as in an export; null for any other address. */
function pathOn(site: string, url: string | null): string | null {
  if (url === null || !url.startsWith(`${site}/`)) return null;
  return parseAddress(url.slice(new URL(site).origin.length))?.url ?? null;
}
