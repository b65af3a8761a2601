import { hash } from 'node:crypto';
import { SILENT } from '../common/progress.ts';
import { isNumber, isText, mapOf, parseJson, recordOf } from '../contract/json.ts';
import type { ImportedBlog, ReadItem } from './imported-item.ts';
import type { ReadOptions } from './read-options.ts';

/** A post in a blog's list. */
export interface ListEntry {
  /** As in ImportedPost. */
  readonly source: string;
  /** Changes whenever the post does: its time of change, status and address, and the names of its tags and authors. */
  readonly version: string;
}

/** A blog that lists its posts: a running one, read over its API, or a database with revisions. */
interface ListedBlog<Post> {
  readonly blog: ImportedBlog;
  /** Settings that affect every post, such as the time zone. When they change, all posts are read again. */
  readonly basis: string;
  /** All posts by id. */
  readonly list: () => Promise<ReadonlyMap<string, ListEntry>>;
  /** Whether any of these exists although it was not listed. Absent: lists are complete. */
  readonly hasAny?: (ids: readonly string[]) => Promise<boolean>;
  /** Posts by id, without those that were removed meanwhile. */
  readonly fetch: (ids: readonly string[]) => AsyncIterable<readonly [id: string, post: Post]>;
  readonly toItems: (post: Post, source: string) => Iterable<ReadItem>;
}

/**
 * Reads the posts of a blog that are new or changed since the last import, by a list of all of them. Posts that are not
 * in the list were removed. If a post changes meanwhile, it has another version in the next list.
 *
 * @throws the errors of the blog's functions
 */
export async function* readChanges<Post>(
  { blog, basis, list, hasAny, fetch, toItems }: ListedBlog<Post>,
  { known, all = false, progress = SILENT }: ReadOptions,
): AsyncGenerator<ReadItem> {
  const database = known?.(blog.format, blog.key ?? '') ?? null;
  const before = parseState(database?.state ?? null);
  const current = hashText(basis);
  const unchanged = !all && before?.basis === current ? before.posts : {};

  let listed = await list();
  const missing = Object.keys(before?.posts ?? {}).filter((id) => !listed.has(id));
  // Pages of a list shift if an earlier post is deleted.
  if (missing.length > 0 && (await hasAny?.(missing)) === true) listed = await list();

  /** What gives no post is read again next time. */
  const posts = new Map<string, string>();
  const changed = new Map<string, string>();
  for (const [id, { source, version }] of listed) {
    const hash = hashText(version);
    if (unchanged[id] === hash && database?.has(source) === true) {
      posts.set(id, hash);
      yield { kind: 'unchanged', source };
    } else changed.set(id, hash);
  }

  progress.begin('reading posts', changed.size);
  try {
    for await (const [id, post] of fetch([...changed.keys()])) {
      const items = [...toItems(post, listed.get(id)?.source ?? '')];
      yield* items;
      if (items.some(({ kind }) => kind === 'post')) posts.set(id, changed.get(id) ?? '');
      progress.advance(1);
    }
  } finally {
    progress.end();
  }
  const state: State = { format: FORMAT, basis: current, posts: Object.fromEntries(posts) };
  yield { kind: 'state', text: JSON.stringify(state) };
}

const FORMAT = 2;

/** What is kept of a blog from one import to the next. */
interface State {
  readonly format: number;
  /** A hash. */
  readonly basis: string;
  /** The version of each post, by id, as a hash. */
  readonly posts: Readonly<Record<string, string>>;
}

const isState = recordOf<State>({
  format: isNumber,
  basis: isText,
  posts: mapOf(isText),
});

/** Null if there is none, or if another version wrote it. */
function parseState(text: string | null): State | null {
  if (text === null) return null;
  try {
    const state = parseJson(text, isState, "a blog's state");
    return state.format === FORMAT ? state : null;
  } catch {
    return null;
  }
}

function hashText(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 16);
}
