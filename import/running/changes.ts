import { SILENT } from '../../common/progress.ts';
import { hashOf, stateFrom, stateText } from '../last-reading.ts';
import type { ReadOptions } from '../read-options.ts';
import type { ImportedBlog, ReadItem } from '../imported-item.ts';

/** A post in a running blog's list. */
export interface ListedPost {
  /** As in ImportedPost. */
  readonly source: string;
  /** Changes whenever the post does: its time of change, status and address. */
  readonly version: string;
}

/** A running blog, read over its API. */
export interface RunningBlog<Post> {
  readonly blog: ImportedBlog;
  /** Settings that affect every post, such as the time zone. When they change, all posts are read again. */
  readonly basis: string;
  /** Tags, authors and similar terms by id: renaming one does not change its posts. */
  readonly terms: ReadonlyMap<string, string>;
  /** All posts by id. */
  readonly list: () => Promise<ReadonlyMap<string, ListedPost>>;
  /** Whether any of these exists although it was not listed. Absent: lists are complete. */
  readonly hasAny?: (ids: readonly string[]) => Promise<boolean>;
  /** Posts by id, without those that are gone meanwhile. */
  readonly fetch: (ids: readonly string[]) => Promise<ReadonlyMap<string, Post>>;
  readonly itemsOf: (post: Post, source: string) => Iterable<ReadItem>;
}

/** How many posts are fetched in one request. */
const BATCH = 25;

/**
 * Reads a running blog: a list of all its posts, then those that are new or changed since the last import. Posts that
 * are not in the list are gone. If a post changes meanwhile, it has another version in the next list.
 *
 * @throws the errors of the blog's functions
 */
export async function* readChanges<Post>(
  { blog, basis, terms, list, hasAny, fetch, itemsOf }: RunningBlog<Post>,
  { known, all = false, progress = SILENT }: ReadOptions,
): AsyncGenerator<ReadItem> {
  yield { kind: 'blog', blog };
  const database = known?.(blog.format, blog.key ?? '') ?? null;
  const before = stateFrom(database?.state ?? null);
  const current = { basis: hashOf(basis), terms: hashesOf(terms) };
  const isAsBefore =
    !all && before !== null && before.basis === current.basis && hasAll(current.terms, before.terms);

  let listed = await list();
  const missing = Object.keys(before?.posts ?? {}).filter((id) => !listed.has(id));
  // Pages of a list shift if an earlier post is deleted.
  if (missing.length > 0 && (await hasAny?.(missing)) === true) listed = await list();

  const posts = new Map<string, string>();
  const changed: string[] = [];
  for (const [id, { source, version }] of listed) {
    posts.set(id, hashOf(version));
    const isUnchanged = isAsBefore && before.posts[id] === posts.get(id) && database?.has(source) === true;
    if (isUnchanged) yield { kind: 'unchanged', source };
    else changed.push(id);
  }

  progress.begin('reading posts', changed.length);
  try {
    for (let at = 0; at < changed.length; at += BATCH) {
      const batch = changed.slice(at, at + BATCH);
      const fetched = await fetch(batch);
      for (const id of batch) {
        const post = fetched.get(id);
        const items = post === undefined ? [] : [...itemsOf(post, listed.get(id)?.source ?? '')];
        yield* items;
        // What gives no post is read again next time.
        if (!items.some(({ kind }) => kind === 'post')) posts.delete(id);
      }
      progress.advance(batch.length);
    }
  } finally {
    progress.end();
  }
  yield { kind: 'state', text: stateText({ ...current, posts: Object.fromEntries(posts) }) };
}

function hashesOf(texts: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  return Object.fromEntries([...texts].map(([id, text]) => [id, hashOf(text)]));
}

/** Whether all earlier terms are still there, unchanged; new ones change no post. */
function hasAll(now: Readonly<Record<string, string>>, before: Readonly<Record<string, string>>): boolean {
  return Object.entries(before).every(([id, hash]) => now[id] === hash);
}
