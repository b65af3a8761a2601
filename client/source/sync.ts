/** A copy of the blog: complete on the first sync, then only changes (`GET /changes`). */
import type { Changes } from './api-types.ts';
import { OffprintError } from './error.ts';

/** The state of a copy: opaque JSON to store unchanged. */
export interface State {
  /** The token of the last complete sync. */
  readonly token: string | null;
  /** The cursor of an unfinished sync's next page. */
  readonly cursor: string | null;
  /** Slugs of an unfinished sync's added or changed articles. */
  readonly changed: readonly string[];
  /** Slugs of its removed articles. */
  readonly removed: readonly string[];
}

/** An article of a copy. */
export type CopiedPost = Changes['items'][number];

/** A place for a copy of the blog. Each method may be asynchronous. */
export interface Store {
  /** The state saved last; undefined or null: none. */
  load(): Awaitable<State | null | undefined>;
  /** Called after each page, when its articles are stored, and before a walk through the whole blog removes articles. */
  save(state: State): Awaitable<void>;
  /** Adds an article, or replaces the one with its slug. */
  put(article: CopiedPost): Awaitable<void>;
  /** Removes an article, which may be missing. */
  delete(slug: string): Awaitable<void>;
  /** The slugs of all stored articles. */
  slugs(): Awaitable<Iterable<string> | AsyncIterable<string>>;
}

type Awaitable<T> = T | Promise<T>;

/** The result of a sync, and of interrupted ones that it continued. */
export interface Synced {
  /** Slugs of added or changed articles; all slugs after a walk through the whole blog. */
  readonly changed: string[];
  /** Slugs of removed articles. */
  readonly removed: string[];
  /** Which lists to read again. */
  readonly lists: Changes['lists'];
  /** Number of its own requests; each counts against the quota. */
  readonly requests: number;
  /** Whether it read the whole blog. */
  readonly whole: boolean;
}

/** The next page: after a cursor, since a token, or the first. */
type Ask = (query: { readonly cursor: string } | { readonly since: string } | object) => Promise<Changes>;

/** How often a sync restarts if the blog changes too much while it is read. */
const MAX_RESTARTS = 3;

/** @throws errors of the store and of requests; the state is then that of the last stored page */
export async function sync(store: Store, ask: Ask): Promise<Synced> {
  const state = await store.load();
  let token = state?.token ?? null;
  let cursor = state?.cursor ?? null;
  let restarts = 0;
  // In a walk through the whole blog, `changed` has all articles so far.
  const changed = new Set(state?.changed);
  const removed = new Set(state?.removed);
  const save = () => store.save({ token, cursor, changed: [...changed], removed: [...removed] });

  for (let requests = 1; ; requests++) {
    let page;
    try {
      page = await ask(cursor !== null ? { cursor } : token !== null ? { since: token } : {});
    } catch (error) {
      // The API no longer knows the cursor, or the token: restart without it.
      const isUnknown = error instanceof OffprintError && error.status === 400;
      if (!isUnknown || (cursor ?? token) === null || restarts++ === MAX_RESTARTS) throw error;
      if (cursor === null) token = null;
      cursor = null;
      continue;
    }
    if (cursor === null && page.whole) {
      token = null;
      changed.clear();
    }

    for (const article of page.items) {
      await store.put(article);
      changed.add(article.slug);
      removed.delete(article.slug);
    }
    const gone = new Set(page.removed);
    for (const slug of gone) changed.delete(slug);
    const { lists, whole } = page;
    if (whole && page.cursor === null) {
      for await (const slug of await store.slugs()) if (!changed.has(slug)) gone.add(slug);
    }
    for (const slug of gone) removed.add(slug);
    // Before the deletion: afterwards the store no longer has their slugs.
    if (whole && page.cursor === null && gone.size > 0) await save();
    for (const slug of gone) await store.delete(slug);

    cursor = page.cursor;
    if (cursor === null) {
      await store.save({ token: page.token, cursor, changed: [], removed: [] });
      return { changed: [...changed], removed: [...removed], lists, requests, whole };
    }
    await save();
  }
}
