/** A copy of the blog: complete on the first sync, then only changes (`GET /changes`). */
import type { Changes, WholePost } from './api-types.ts';
import { OffprintError } from './error.ts';

/** The state of a copy: opaque JSON to store unchanged. */
export interface State {
  /** The token of the last complete sync. */
  readonly token: string | null;
  /** The cursor of an unfinished sync's next page. */
  readonly cursor: string | null;
  /** The articles so far of an unfinished walk through the whole blog; null: no such walk. */
  readonly given: readonly string[] | null;
  /** What an unfinished sync has changed and removed so far. */
  readonly changed?: readonly string[];
  readonly removed?: readonly string[];
}

/** A place for a copy of the blog. Each method may be asynchronous. */
export interface Store {
  /** The state saved last; undefined or null: none. */
  load(): Awaitable<State | null | undefined>;
  /** Called after each page, when its articles are stored. */
  save(state: State): Awaitable<void>;
  /** Adds an article, or replaces the one with its slug. */
  put(article: WholePost): Awaitable<void>;
  /** Removes an article, which may be missing. */
  delete(slug: string): Awaitable<void>;
  /** The slugs of all stored articles. */
  slugs(): Awaitable<Iterable<string> | AsyncIterable<string>>;
}

type Awaitable<T> = T | Promise<T>;

/** The result of a sync. */
export interface Synced {
  /**
   * Slugs of articles added or changed since the last successful call; all slugs after a walk through the whole blog.
   */
  readonly changed: string[];
  /** Slugs of removed articles, likewise. */
  readonly removed: string[];
  /** Which lists to read again. */
  readonly lists: Changes['lists'];
  /** Number of requests; each counts against the quota. */
  readonly requests: number;
  /** Whether it read the whole blog. */
  readonly whole: boolean;
}

/** The next page: after a cursor, since a token, or the first. */
type Ask = (query: { readonly cursor: string } | { readonly since: string } | object) => Promise<Changes>;

/** How often a sync begins again, if the blog changes too much while it is read. */
const MAX_RESTARTS = 3;

/** @throws errors of the store and of requests; the state is then that of the last stored page */
export async function sync(store: Store, ask: Ask): Promise<Synced> {
  const state = await store.load();
  let token = state?.token ?? null;
  let cursor = state?.cursor ?? null;
  let given = state?.given ? new Set(state.given) : null;
  let restarts = 0;
  const changed = new Set(state?.changed);
  const removed = new Set(state?.removed);
  const unfinished = () => ({
    token,
    cursor,
    given: given && [...given],
    changed: [...changed],
    removed: [...removed],
  });

  for (let requests = 1; ; requests++) {
    let page;
    try {
      page = await ask(cursor !== null ? { cursor } : token !== null ? { since: token } : {});
    } catch (error) {
      // The API no longer knows the cursor, or the token: begin again without it.
      const isUnknown = error instanceof OffprintError && error.status === 400;
      if (!isUnknown || (cursor ?? token) === null || restarts++ === MAX_RESTARTS) throw error;
      if (cursor === null) token = null;
      cursor = null;
      continue;
    }
    if (cursor === null) given = page.whole ? new Set() : null;

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
      removed.add(slug);
      changed.delete(slug);
    }
    // No page names what the whole blog lacks: once deleted, only the state knows it.
    if (gone.size > page.removed.length) await store.save(unfinished());
    for (const slug of gone) await store.delete(slug);

    token = page.token ?? token;
    cursor = page.cursor;
    await store.save(cursor === null ? { token, cursor, given: null } : unfinished());
    if (cursor === null) {
      const { lists, whole } = page;
      return { changed: [...changed], removed: [...removed], lists, requests, whole };
    }
  }
}
