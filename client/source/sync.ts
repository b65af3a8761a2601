/** A copy of the blog: whole at first, and afterwards what changed (`GET /changes`). */
import type { Changes, WholePost } from './api-types.ts';

/** Where a copy stands: plain JSON, kept as it is. */
export interface State {
  /** Of the last complete sync. */
  readonly token: string | null;
  /** Of the next page of an unfinished one. */
  readonly cursor: string | null;
  /** The articles that an unfinished walk through the whole blog gave; null: it is none. */
  readonly given: readonly string[] | null;
}

/** A place for a copy of the blog. Each method may be asynchronous. */
export interface Store {
  /** The state saved last; undefined or null: there is none. */
  load(): Awaitable<State | null | undefined>;
  /** Called after each page, when its articles are in place. */
  save(state: State): Awaitable<void>;
  /** Adds an article, or replaces the one with its slug. */
  put(article: WholePost): Awaitable<void>;
  /** Removes an article; it may not be there. */
  delete(slug: string): Awaitable<void>;
  /** The slugs of all articles that are there. */
  slugs(): Awaitable<Iterable<string> | AsyncIterable<string>>;
}

type Awaitable<T> = T | Promise<T>;

/** What a sync did. */
export interface Synced {
  /** Slugs of articles that are new or changed. After a walk through the whole blog, of all. */
  readonly changed: string[];
  /** Slugs of articles that are gone. */
  readonly removed: string[];
  /** Which lists to read again. */
  readonly lists: Changes['lists'];
  /** How many answers it took; each counts against the quota. */
  readonly requests: number;
  /** Whether it read the whole blog. */
  readonly whole: boolean;
}

/** The next page: after a cursor, since a token, or the first of all. */
type Ask = (query: { readonly cursor: string } | { readonly since: string } | object) => Promise<Changes>;

/** Characters that all cursors of a walk begin with. */
const WALK = 26;

/** @throws what the store or a request throws; the state is that of the last page that is in place */
export async function sync(store: Store, ask: Ask): Promise<Synced> {
  const state = await store.load();
  let token = state?.token ?? null;
  let cursor = state?.cursor ?? null;
  let given = state?.given ? new Set(state.given) : null;
  const changed = new Set<string>();
  const removed = new Set<string>();

  for (let requests = 1; ; requests++) {
    const page = await ask(cursor !== null ? { cursor } : token !== null ? { since: token } : {});
    // A walk is known by how its cursors and its token begin. With another one, it has begun again.
    const isSameWalk = cursor?.slice(0, WALK) === (page.cursor ?? page.token)?.slice(0, WALK);
    if (!page.whole) given = null;
    else if (given === null || !isSameWalk) given = new Set();

    for (const article of page.items) {
      await store.put(article);
      given?.add(article.slug);
      changed.add(article.slug);
      removed.delete(article.slug);
    }
    const gone = new Set(page.removed);
    for (const slug of gone) given?.delete(slug);
    if (given && page.cursor === null) {
      for await (const slug of await store.slugs()) if (!given.has(slug)) gone.add(slug);
    }
    for (const slug of gone) {
      await store.delete(slug);
      removed.add(slug);
      changed.delete(slug);
    }

    token = page.token ?? token;
    cursor = page.cursor;
    await store.save({ token, cursor, given: cursor === null || given === null ? null : [...given] });
    if (cursor === null) {
      const { lists, whole } = page;
      return { changed: [...changed], removed: [...removed], lists, requests, whole };
    }
  }
}
