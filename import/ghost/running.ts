import * as v from 'valibot';
import { tidyLine } from '../../common/content/text.ts';
import { zoneNamed } from '../../common/content/moment.ts';
import { parseAddress } from '../article/address.ts';
import { whyUnread } from '../article/unread.ts';
import type { ReadOptions } from '../read-options.ts';
import type { ImportedItem } from '../imported-item.ts';
import { type ListedPost, readChanges } from '../running/changes.ts';
import { blogAddress } from '../running/client.ts';
import { BlogAnswerInvalid } from '../running/errors.ts';
import { type GhostApi, type GhostSite, openGhostApi } from './api.ts';
import { sourcesOf } from './identity.ts';
import { postFrom } from './post.ts';
import { isPublic } from './status.ts';
import { tablesFrom } from './tables.ts';

/** More posts than any blog has: stops a server that never ends its list. */
const MAX_POSTS = 500_000;
/** Ghost's maximum page size. */
const PAGE = '100';
/** Without this, the Admin API may omit posts that were only sent by e-mail. */
const ALL_STATUSES = 'status:[draft,scheduled,published,sent]';

const id = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.regex(/^[\w-]{1,64}$/));
const anyText = v.fallback(v.nullable(v.string()), null);
const listedRow = v.object({
  ...{
    id,
    uuid: anyText,
    updated_at: anyText,
    status: anyText,
    visibility: v.optional(v.unknown()),
    url: anyText,
  },
});
/** People's e-mail addresses are dropped. */
const person = v.object({ id, name: anyText, slug: anyText, profile_image: anyText });
const tag = v.object({ id, name: anyText, slug: anyText, visibility: anyText });
const post = v.object({
  ...{ id, uuid: anyText, title: anyText, slug: anyText, html: anyText, url: anyText },
  ...{ status: anyText, visibility: v.optional(v.unknown()), email_only: v.optional(v.unknown()) },
  ...{ feature_image: anyText, custom_excerpt: anyText, canonical_url: anyText },
  ...{ meta_title: anyText, meta_description: anyText, published_at: anyText, created_at: anyText },
  updated_at: anyText,
  ...{ authors: v.fallback(v.array(person), []), tags: v.fallback(v.array(tag), []) },
});
type ApiPost = v.InferOutput<typeof post>;

/**
 * Reads a running Ghost over its API. Answers are converted to the tables of an export, so status, identity, text and
 * people follow the same rules.
 *
 * @throws BlogAddressInvalid, CredentialsMissing, and the errors of BlogClient and GhostApi
 */
export async function* readRunningGhost(written: string, options: ReadOptions): AsyncGenerator<ImportedItem> {
  const api = openGhostApi(blogAddress(written), options.key, options.wait);
  try {
    const site = await api.site();
    const url = site.url.replace(/\/+$/, '');
    const zone = site.timezone === null ? null : zoneNamed(site.timezone);
    const isAdmin = api.kind === 'admin';
    const name = tidyLine(site.title);
    const reading = readChanges(
      {
        blog: {
          ...{ format: 'ghost', key: url.toLowerCase(), name, isWhole: true, site: { name, url } },
          ...(isAdmin ? {} : { showsOnlyPublic: true }),
        },
        basis: JSON.stringify([api.kind, url, zone]),
        terms: await termsOf(api),
        list: () => listPosts(api),
        fetch: (ids) => fetchPosts(api, ids),
        itemsOf: (text, source) => itemsOf(v.parse(post, JSON.parse(text)), source, site, zone, options.now),
      },
      options,
    );
    yield* reading;
    if (!isAdmin)
      yield {
        kind: 'note',
        text: "Ghost's Content API shows no drafts and scheduled posts; the Admin API does",
      };
    yield* await pagesOf(api);
  } finally {
    await api.close();
  }
}

/** All rows, sorted by id: rows that are added or deleted meanwhile shift no page. */
async function allRows<T extends { readonly id: string }>(
  api: GhostApi,
  resource: string,
  query: Readonly<Record<string, string>>,
  row: v.GenericSchema<unknown, T>,
  filter = '',
): Promise<readonly T[]> {
  const found = new Map<string, T>();
  for (let after = ''; ;) {
    const conditions = [filter, after === '' ? '' : `id:>'${after}'`].filter(Boolean).join('+');
    const { rows, total, url } = await api.rows(resource, {
      ...query,
      limit: PAGE,
      order: 'id asc',
      ...(conditions === '' ? {} : { filter: conditions }),
    });
    for (const raw of rows) {
      const parsed = v.safeParse(row, raw);
      if (!parsed.success) throw new BlogAnswerInvalid(url, `a row in its list of ${resource} has no id`);
      if (found.has(parsed.output.id))
        throw new BlogAnswerInvalid(url, `its list of ${resource} repeats itself`);
      found.set(parsed.output.id, parsed.output);
      after = parsed.output.id;
    }
    if (rows.length === 0 || rows.length === total) return [...found.values()];
    if (found.size > MAX_POSTS) throw new BlogAnswerInvalid(url, `its list of ${resource} does not end`);
  }
}

/** Tags and authors, since renaming one does not change the posts. */
async function termsOf(api: GhostApi): Promise<ReadonlyMap<string, string>> {
  const tags = await allRows(api, 'tags', { fields: 'id,name,slug,visibility' }, tag);
  const fields = 'id,name,slug,profile_image';
  const people = await allRows(api, api.kind === 'admin' ? 'users' : 'authors', { fields }, person);
  return new Map([...tags, ...people].map((row) => [row.id, JSON.stringify(row)]));
}

async function listPosts(api: GhostApi): Promise<ReadonlyMap<string, ListedPost>> {
  const isAdmin = api.kind === 'admin';
  const fields = `id,uuid,updated_at,visibility,url${isAdmin ? ',status' : ''}`;
  const rows = await allRows(api, 'posts', { fields }, listedRow, isAdmin ? ALL_STATUSES : '');
  const sources = sourcesOf(tablesFrom({ posts: rows }).posts);
  return new Map(
    rows.map((row, i) => [
      row.id,
      { source: sources[i] ?? `ghost:id-${row.id}`, version: JSON.stringify(row) },
    ]),
  );
}

async function fetchPosts(api: GhostApi, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const filter = `id:[${ids.map((wanted) => `'${wanted}'`).join(',')}]`;
  const { rows, url } = await api.rows('posts', {
    ...{ limit: PAGE, include: 'tags,authors', formats: 'html' },
    filter: api.kind === 'admin' ? `${filter}+${ALL_STATUSES}` : filter,
  });
  const posts = new Map<string, string>();
  for (const row of rows) {
    const parsed = v.safeParse(post, row);
    if (!parsed.success) throw new BlogAnswerInvalid(url, 'one of its posts has no id');
    // The Content API only shows published posts, and omits the status.
    const status = api.kind === 'content' ? 'published' : parsed.output.status;
    if (ids.includes(parsed.output.id))
      posts.set(parsed.output.id, JSON.stringify({ ...parsed.output, status }));
  }
  return posts;
}

function* itemsOf(
  { tags, authors, url, ...row }: ApiPost,
  source: string,
  site: GhostSite,
  zone: string | null,
  now: Date,
): Generator<ImportedItem> {
  const tables = tablesFrom({
    ...{ posts: [row], posts_meta: [{ ...row, post_id: row.id }], users: authors, tags },
    posts_authors: authors.map(({ id: author_id }, sort_order) => ({
      post_id: row.id,
      author_id,
      sort_order,
    })),
    posts_tags: tags.map(({ id: tag_id }, sort_order) => ({ post_id: row.id, tag_id, sort_order })),
  });
  const [found] = tables.posts;
  if (found === undefined) return;
  const address = site.url.replace(/\/+$/, '');
  try {
    const read = postFrom(found, source, { tables, site: address, zone, now });
    const isShown = isPublic(found, tables.metaOf.get(row.id)) && row.status === 'published';
    const own = isShown && !row.canonical_url ? pathOn(address, url) : null;
    yield { kind: 'post', post: { ...read.post, url: own ?? read.post.url } };
  } catch (error) {
    const reason = `${whyUnread(error)} ("${row.slug ?? ''}")`;
    yield { kind: 'skipped', skipped: { source, reason }, stays: source };
  }
}

/** The path of an address on the site, as in an export; null for any other address. */
function pathOn(site: string, url: string | null): string | null {
  if (url === null || !url.startsWith(`${site}/`)) return null;
  return parseAddress(url.slice(new URL(site).origin.length))?.url ?? null;
}

async function pagesOf(api: GhostApi): Promise<ImportedItem[]> {
  const { total } = await api.rows('pages', { limit: '1', fields: 'id' });
  if (total === null || total === 0) return [];
  return [{ kind: 'skipped', skipped: { source: 'pages', reason: 'is a page', count: total, noPost: true } }];
}
