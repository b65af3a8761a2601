import * as v from 'valibot';
import { textOfHtml } from '../../common/content/html-text.ts';
import { unreadPost } from '../article/unread.ts';
import type { ReadOptions } from '../read-options.ts';
import type { ImportedItem } from '../imported-item.ts';
import { type ListedPost, readChanges } from '../running/changes.ts';
import { blogAddress } from '../running/client.ts';
import { BlogAnswerInvalid, BlogKeepsChanging, CredentialsMissing } from '../running/errors.ts';
import { postFromRest, REST_POST } from './rendered.ts';
import { openRestApi, type RestApi, type SignIn } from './rest.ts';
import { siteKey, type Site } from './survey.ts';

/** More rows than any blog has: stops a server that never ends its list. */
const MAX_ROWS = 500_000;
/** WordPress's maximum page size. */
const PAGE = 100;
/** How often the list of posts is read until its pages are consistent. */
const MAX_LISTINGS = 3;

const POST_FIELDS =
  'id,status,slug,link,password,date,date_gmt,modified,modified_gmt,title,excerpt,content,author,featured_media,meta,' +
  'categories,tags,yoast_head_json,aioseo_head_json,_links,_embedded';
/** Lists of terms are read in full: of a post's embedded terms, WordPress omits those after the tenth. */
const TAXONOMIES = { categories: 'category', tags: 'post_tag' } as const;
const ids = v.fallback(v.array(v.number()), []);
const termIds = v.object({ categories: ids, tags: ids });
const row = v.looseObject({ id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)) });
type Row = v.InferOutput<typeof row>;

/**
 * Reads a running WordPress over its REST API: public posts, or with an application password all except the trash.
 *
 * @throws BlogAddressInvalid, CredentialsMissing, BlogKeepsChanging, BlogAnswerInvalid, and as BlogClient and
 * openRestApi
 */
export async function* readRunningWordPress(
  written: string,
  options: ReadOptions,
): AsyncGenerator<ImportedItem> {
  const api = await openRestApi(blogAddress(written), signInOf(options), options.wait);
  try {
    const { home } = api.site;
    const key = siteKey(home);
    const name = textOfHtml(api.site.name);
    const site: Site = { key, name, url: home, language: null, authors: new Map() };
    const terms = await termsOf(api);
    yield* readChanges(
      {
        blog: {
          ...{ format: 'wordpress', key, name: key, isWhole: true },
          site: { name, url: home },
          ...(api.isSignedIn ? {} : { showsOnlyPublic: true }),
        },
        basis: JSON.stringify([api.isSignedIn, options.user ?? null, home, name]),
        terms,
        list: () => listPosts(api, key),
        hasAny: async (ids) => (await fetchRows(api, ids, { _fields: 'id' })).length > 0,
        fetch: (wanted) => fetchPosts(api, wanted, terms),
        itemsOf: (text, source) => itemsOf(text, source, site, options.now),
      },
      options,
    );
    if (!api.isSignedIn)
      yield {
        kind: 'note',
        text: 'without --user and an application password, WordPress shows no drafts and scheduled posts',
      };
    yield* await pagesOf(api);
  } finally {
    await api.close();
  }
}

function signInOf({ user, password }: ReadOptions): SignIn | null {
  if (user === undefined) return null;
  if (password === undefined)
    throw new CredentialsMissing(
      `The application password of ${user}`,
      'Give it with OFFPRINT_WORDPRESS_PASSWORD; WordPress makes one under Users, Profile, Application Passwords.',
    );
  return { user, password };
}

/** The statuses that the caller may see: for the public, published posts. */
function statusQuery({ isSignedIn }: RestApi): Readonly<Record<string, string>> {
  return isSignedIn ? { status: 'any' } : {};
}

interface Listing {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly url: URL;
}

/** All pages of a route, sorted by id; null if it is closed. */
async function allRows(
  api: RestApi,
  route: string,
  query: Readonly<Record<string, string>>,
): Promise<Listing | null> {
  const found = new Map<number, Row>();
  for (let page = 1; ; page++) {
    const answer = await api.rows(route, {
      ...{ per_page: String(PAGE), page: String(page), orderby: 'id', order: 'asc' },
      ...query,
    });
    if (answer === null) return null;
    const { rows, total, pages, url } = answer;
    const before = found.size;
    for (const raw of rows) {
      const parsed = v.safeParse(row, raw);
      if (!parsed.success) throw new BlogAnswerInvalid(url, `a row in its list of ${route} has no id`);
      found.set(parsed.output.id, parsed.output);
    }
    if (page >= pages || rows.length === 0) return { rows: [...found.values()], total, url };
    if (found.size === before) throw new BlogAnswerInvalid(url, `its list of ${route} repeats itself`);
    if (found.size > MAX_ROWS) throw new BlogAnswerInvalid(url, `its list of ${route} does not end`);
  }
}

async function listPosts(api: RestApi, key: string): Promise<ReadonlyMap<string, ListedPost>> {
  for (let listings = 1; ; listings++) {
    const fields = { _fields: 'id,modified_gmt,status,slug,link' };
    const listing = await allRows(api, 'posts', { ...statusQuery(api), ...fields });
    if (listing === null) throw postsClosed();
    const { rows, total, url } = listing;
    if (rows.length === total)
      return new Map(
        rows.map((listed) => [
          String(listed.id),
          { source: `wordpress:${key}/?p=${listed.id}`, version: JSON.stringify(listed) },
        ]),
      );
    if (listings === MAX_LISTINGS) throw new BlogKeepsChanging(url, rows.length, total);
  }
}

function postsClosed(): CredentialsMissing {
  return new CredentialsMissing(
    'The right to read the posts of this WordPress',
    'Give the user and application password of an editor or administrator, with --user and OFFPRINT_WORDPRESS_PASSWORD.',
  );
}

async function fetchRows(
  api: RestApi,
  ids: readonly string[],
  query: Readonly<Record<string, string>>,
): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (let at = 0; at < ids.length; at += PAGE) {
    const include = ids.slice(at, at + PAGE).join(',');
    const answer = await api.rows('posts', {
      ...{ include, per_page: String(PAGE), ...statusQuery(api), ...query },
    });
    if (answer === null) throw postsClosed();
    found.push(...answer.rows);
  }
  return found;
}

/** Posts with their terms included, so that each text is self-contained. */
async function fetchPosts(
  api: RestApi,
  wanted: readonly string[],
  terms: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const rows = await fetchRows(api, wanted, {
    ...{ _embed: 'author,wp:featuredmedia', _fields: POST_FIELDS },
    ...(api.isSignedIn ? { context: 'edit' } : {}),
  });
  const own = rows.flatMap((raw) => {
    const parsed = v.safeParse(row, raw);
    return parsed.success && wanted.includes(String(parsed.output.id)) ? [parsed.output] : [];
  });
  const known = new Map(terms);
  const posts = new Map<string, string>();
  for (const post of api.isSignedIn ? await asVisitorsSee(api, own) : own) {
    const named = v.parse(termIds, { categories: post['categories'], tags: post['tags'] });
    const postTerms: unknown[] = [];
    for (const route of ['categories', 'tags'] as const) {
      await addTerms(api, route, named[route], known);
      for (const number of named[route]) {
        const term = known.get(`${route}/${number}`);
        if (term !== undefined)
          postTerms.push({ ...v.parse(row, JSON.parse(term)), taxonomy: TAXONOMIES[route] });
      }
    }
    posts.set(String(post.id), JSON.stringify({ ...post, terms: postTerms }));
  }
  return posts;
}

/**
 * Published posts with the texts that visitors see: plug-ins show more to users who are signed in. A post that visitors
 * do not get is treated as private. If visitors get nothing at all, the rows are unchanged.
 */
async function asVisitorsSee(api: RestApi, rows: readonly Row[]): Promise<readonly Row[]> {
  const published = rows.filter(({ status }) => status === 'publish').map(({ id }) => String(id));
  if (published.length === 0) return rows;
  const answer = await api.publicRows('posts', {
    ...{ include: published.join(','), per_page: String(PAGE), _fields: 'id,content' },
  });
  if (answer === null) return rows;
  const shown = new Map(
    answer.rows.flatMap((raw) => {
      const parsed = v.safeParse(row, raw);
      return parsed.success ? [[parsed.output.id, parsed.output['content']] as const] : [];
    }),
  );
  return rows.map((post) => {
    if (post['status'] !== 'publish') return post;
    return shown.has(post.id) ? { ...post, content: shown.get(post.id) } : { ...post, status: 'private' };
  });
}

/** Adds terms that are newer than the full list. */
async function addTerms(
  api: RestApi,
  route: keyof typeof TAXONOMIES,
  numbers: readonly number[],
  known: Map<string, string>,
): Promise<void> {
  const missing = numbers.filter((number) => !known.has(`${route}/${number}`)).slice(0, PAGE);
  if (missing.length === 0) return;
  const listing = await allRows(api, route, { include: missing.join(','), _fields: TERM_FIELDS });
  for (const term of listing?.rows ?? []) known.set(`${route}/${term.id}`, JSON.stringify(term));
}

const TERM_FIELDS = 'id,name,slug';

/** Categories, tags and people, since renaming one does not change the posts. Some blogs hide their people. */
async function termsOf(api: RestApi): Promise<ReadonlyMap<string, string>> {
  const terms = new Map<string, string>();
  for (const route of ['categories', 'tags', 'users']) {
    const listing = await allRows(api, route, { _fields: TERM_FIELDS });
    for (const term of listing?.rows ?? []) terms.set(`${route}/${term.id}`, JSON.stringify(term));
  }
  return terms;
}

function* itemsOf(text: string, source: string, site: Site, now: Date): Generator<ImportedItem> {
  const parsed = v.safeParse(REST_POST, JSON.parse(text));
  if (!parsed.success) {
    const reason = 'is not a post as WordPress gives it';
    yield { kind: 'skipped', skipped: { source, reason }, stays: source };
    return;
  }
  try {
    const { post, faults } = postFromRest(parsed.output, site, now);
    yield { kind: 'post', post };
    for (const what of faults) yield { kind: 'loss', loss: { what, source } };
  } catch (error) {
    yield unreadPost(error, source);
  }
}

async function pagesOf(api: RestApi): Promise<ImportedItem[]> {
  const answer = await api.rows('pages', { per_page: '1', _fields: 'id' });
  if (answer === null || answer.total === 0) return [];
  return [
    { kind: 'skipped', skipped: { source: 'pages', reason: 'is a page', count: answer.total, noPost: true } },
  ];
}
