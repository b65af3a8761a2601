import { hash } from 'node:crypto';
import { SILENT } from '../common/progress.ts';
import { isNumber, isText, mapOf, parseJson, recordOf } from '../contract/json.ts';
import type { ImportedBlog, ReadItem } from './imported-item.ts';
import type { ReadOptions } from './read-options.ts';

/** A post in a blog's list. */
export interface ListedPost {
  /** As in ImportedPost. */
  readonly source: string;
  /** Changes whenever the post does: its time of change, status and address. */
  readonly version: string;
}

/** A blog that lists its posts: a running one, read over its API, or a database with revisions. */
export interface ListedBlog<Post> {
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
  readonly fetch: (ids: readonly string[]) => AsyncIterable<readonly [id: string, post: Post]>;
  readonly itemsOf: (post: Post, source: string) => Iterable<ReadItem>;
}

/**
 * Reads the posts of a blog that are new or changed since the last import, by a list of all of them. Posts that are not
 * in the list are gone. If a post changes meanwhile, it has another version in the next list.
 *
 * @throws the errors of the blog's functions
 */
export async function* readChanges<Post>(
  { blog, basis, terms, list, hasAny, fetch, itemsOf }: ListedBlog<Post>,
  { known, all = false, progress = SILENT }: ReadOptions,
): AsyncGenerator<ReadItem> {
  const database = known?.(blog.format, blog.key ?? '') ?? null;
  const before = parseState(database?.state ?? null);
  const current = { basis: hashOf(basis), terms: hashesOf(terms) };
  const isAsBefore =
    !all && before !== null && before.basis === current.basis && hasAll(current.terms, before.terms);

  let listed = await list();
  const missing = Object.keys(before?.posts ?? {}).filter((id) => !listed.has(id));
  // Pages of a list shift if an earlier post is deleted.
  if (missing.length > 0 && (await hasAny?.(missing)) === true) listed = await list();

  /** What gives no post is read again next time. */
  const posts = new Map<string, string>();
  const changed = new Map<string, string>();
  for (const [id, { source, version }] of listed) {
    const hash = hashOf(version);
    if (isAsBefore && before.posts[id] === hash && database?.has(source) === true) {
      posts.set(id, hash);
      yield { kind: 'unchanged', source };
    } else changed.set(id, hash);
  }

  progress.begin('reading posts', changed.size);
  try {
    for await (const [id, post] of fetch([...changed.keys()])) {
      const items = [...itemsOf(post, listed.get(id)?.source ?? '')];
      yield* items;
      if (items.some(({ kind }) => kind === 'post')) posts.set(id, changed.get(id) ?? '');
      progress.advance(1);
    }
  } finally {
    progress.end();
  }
  const state: State = { format: FORMAT, ...current, posts: Object.fromEntries(posts) };
  yield { kind: 'state', text: JSON.stringify(state) };
}

const FORMAT = 1;

/** What is kept of a blog from one import to the next. */
interface State {
  readonly format: number;
  /** A hash. */
  readonly basis: string;
  /** By id, as hashes. */
  readonly terms: Readonly<Record<string, string>>;
  /** The version of each post, by id, as a hash. */
  readonly posts: Readonly<Record<string, string>>;
}

const isState = recordOf<State>({
  format: isNumber,
  basis: isText,
  terms: mapOf(isText),
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

function hashOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 16);
}

function hashesOf(texts: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  return Object.fromEntries([...texts].map(([id, text]) => [id, hashOf(text)]));
}

/** Whether all earlier terms are still there, unchanged; new ones change no post. */
function hasAll(now: Readonly<Record<string, string>>, before: Readonly<Record<string, string>>): boolean {
  return Object.entries(before).every(([id, hash]) => now[id] === hash);
}
