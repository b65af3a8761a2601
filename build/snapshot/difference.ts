import { type ArticleKey, compareKeys } from '../../contract/article-order.ts';
import { type BuiltPost, leftOut, type PostEntry, type RenderedPost, type Taxonomy } from './blog.ts';
import type { BuildMemory, Remembered } from './memory.ts';
import type { Progress } from '../../common/progress.ts';
import { batchesOf, inParallel } from './parallel.ts';
import type { Renderer } from './renderer.ts';
import { entryFault, type PostsDigest, type Source } from './source.ts';

/** Posts in a batch, and batches in parallel. */
const BATCH_SIZE = 250;
const BATCHES = 6;

/**
 * The difference to the last build. Positions below `from` have the same posts as before, and only those in `edited`
 * look different. Everything from `from` on is rebuilt. After a new post was appended, `from` is the old number of
 * posts; without a last build it is 0.
 */
export interface Difference {
  /** The posts of the snapshot, by position. */
  readonly ids: readonly number[];
  readonly from: number;
  readonly edited: readonly {
    readonly position: number;
    readonly before: BuiltPost;
    readonly after: BuiltPost;
  }[];
  /** The posts from `from` on, before and after. */
  readonly tailBefore: readonly BuiltPost[];
  readonly tail: () => Iterable<BuiltPost>;
  /** Every changed post, before and after; empty without a last build. */
  readonly changes: readonly Change[];
}

interface Change {
  readonly before: BuiltPost | undefined;
  readonly after: (BuiltPost & RenderedPost) | undefined;
}

/**
 * Renders the details of changed posts, and updates the memory.
 *
 * @param last undefined: everything is new
 * @returns what changed, for pages, sets and everything else that covers several posts
 */
export async function renderChanges(
  { changed, gone }: FoundChanges,
  memory: BuildMemory,
  taxonomy: Taxonomy,
  renderer: Renderer,
  last: Remembered | undefined,
  progress: Progress,
): Promise<Difference> {
  if (!last) {
    // Nothing to compare with: each post is stored at once, while threads render the next ones.
    await renderAll(changed, taxonomy, renderer, progress, (after) => memory.putPost(after));
    return {
      ids: memory.idsInOrder(),
      from: 0,
      edited: [],
      tailBefore: [],
      tail: () => memory.postsFrom(BEGINNING),
      changes: [],
    };
  }

  const changes: Change[] = gone.map((id) => ({ before: memory.post(id), after: undefined }));
  await renderAll(changed, taxonomy, renderer, progress, (after) =>
    changes.push({ before: memory.post(after.id), after }),
  );
  const start = firstMove(changes);
  const tailBefore = start ? [...memory.postsFrom(start)] : [];
  for (const { before } of changes) if (before) memory.deletePost(before.id);
  for (const { after } of changes) if (after) memory.putPost(after);

  const ids = memory.idsInOrder();
  const from = ids.length - (start ? memory.countFrom(start) : 0);
  const tail = () => (start ? memory.postsFrom(start) : []);
  return { ids, from, edited: findEdited(changes, ids, from), tailBefore, tail, changes };
}

const BEGINNING: ArticleKey = { time: Number.MIN_SAFE_INTEGER, slug: '' };

export interface FoundChanges {
  /** Posts to render. `renderChanges` empties the list: later steps need its memory. */
  readonly changed: PostEntry[];
  /** Posts that are no longer public. */
  readonly gone: readonly number[];
  /** Of all posts of the source. */
  readonly digest: PostsDigest;
}

/**
 * Finds the posts that changed since the last build. Written posts are found by revision. Then a digest over all
 * revisions shows whether that was everything. If rows were deleted or the database was restored from a backup, it was
 * not, and all posts are compared one by one.
 *
 * @param now Unix seconds
 */
export function findChanges(
  source: Source,
  memory: BuildMemory,
  taxonomy: Taxonomy,
  last: Remembered | undefined,
  now: number,
): FoundChanges {
  const relinked = last ? findRelinked(memory, taxonomy) : new Set();
  const digest = source.digestPosts(now);
  if (last && relinked.size === 0) {
    const rows = source.changedPosts(last.content, last.now, now);
    const changed = rows.filter((row) => row.isPublic === 1);
    const gone = rows.filter((row) => row.isPublic === 0 && memory.post(row.id)).map(({ id }) => id);
    const { posts, revisions } = digestAfter(last.digest, memory, changed, gone);
    if (digest.posts === posts && digest.revisions === revisions) return { changed, gone, digest };
  }
  const known = memory.revisions();
  const changed: PostEntry[] = [];
  for (const post of source.publicPosts(now)) {
    if (known.get(post.id) !== post.revision || relinked.has(post.id)) changed.push(post);
    known.delete(post.id);
  }
  const changedIds = new Set(changed.map(({ id }) => id));
  return { changed, gone: [...known.keys()].filter((id) => !changedIds.has(id)), digest };
}

/**
 * Posts whose category, author or tag was added or removed without a new revision. SQLite runs no trigger for a
 * replaced row, a writer may leave foreign keys unchecked, and a restored backup may bring the row back while the post
 * has the same revision.
 */
function findRelinked(memory: BuildMemory, taxonomy: Taxonomy): Set<number> {
  const relinked = findOrphans(memory, taxonomy);
  for (const post of memory.danglingPosts()) if (!isDangling(post, taxonomy)) relinked.add(post.id);
  for (const id of taxonomy.danglingPosts) if (memory.post(id)?.dangling === 0) relinked.add(id);
  return relinked;
}

/** Whether a post is linked to a missing category, author or tag. */
function isDangling(
  { id, categoryId, authorId }: Pick<PostEntry, 'id' | 'categoryId' | 'authorId'>,
  { categories, authors, danglingPosts }: Taxonomy,
): boolean {
  return (
    danglingPosts.has(id) ||
    (categoryId !== null && !categories.has(categoryId)) ||
    (authorId !== null && !authors.has(authorId))
  );
}

/** Posts with a category, author or tag in the memory that no longer exists. */
function findOrphans(memory: BuildMemory, taxonomy: Taxonomy): Set<number> {
  const { categories, tags, authors } = taxonomy;
  const isKnown = { category: categories, tag: tags, author: authors };
  const kinds = ['category', 'tag', 'author'] as const;
  if (kinds.every((kind) => [...memory.sets(kind).keys()].every((id) => isKnown[kind].has(id))))
    return new Set();
  const isOrphan = ({ categoryId, authorId, tagIds }: BuiltPost) =>
    (categoryId !== null && !categories.has(categoryId)) ||
    (authorId !== null && !authors.has(authorId)) ||
    (tagIds !== '' && tagIds.split(' ').some((id) => !tags.has(Number(id))));
  const orphans = new Set<number>();
  for (const post of memory.postsFrom(BEGINNING)) if (isOrphan(post)) orphans.add(post.id);
  return orphans;
}

function digestAfter(
  last: PostsDigest,
  memory: BuildMemory,
  changed: readonly PostEntry[],
  gone: readonly number[],
): PostsDigest {
  let { posts, revisions } = last;
  for (const id of [...gone, ...changed.map((post) => post.id)]) {
    const before = memory.post(id);
    if (before) {
      posts -= 1;
      revisions -= low32(before.revision);
    }
  }
  for (const { revision } of changed) {
    posts += 1;
    revisions += low32(revision);
  }
  return { posts, revisions };
}

function low32(revision: number): number {
  return revision % 2 ** 32;
}

async function renderAll(
  entries: PostEntry[],
  taxonomy: Taxonomy,
  renderer: Renderer,
  progress: Progress,
  done: (post: BuiltPost & RenderedPost) => void,
): Promise<void> {
  progress.begin('posts', entries.length);
  const readable: PostEntry[] = [];
  for (const entry of entries) {
    const fault = entryFault(entry, taxonomy);
    if (fault === null) readable.push(entry);
    else done(join(entry, leftOut(fault), taxonomy));
  }
  await inParallel(batchesOf(readable, BATCH_SIZE), BATCHES, async (batch) => {
    const outcomes = await renderer.posts(batch.map(({ id }) => id));
    for (const [i, outcome] of outcomes.entries()) {
      const entry = batch[i];
      if (entry) done(join(entry, outcome, taxonomy));
    }
    progress.advance(batch.length);
  });
  entries.length = 0;
  progress.end();
}

function join(
  { id, slug, unix, categoryId, authorId, revision }: PostEntry,
  outcome: RenderedPost,
  taxonomy: Taxonomy,
): BuiltPost & RenderedPost {
  const dangling = isDangling({ id, categoryId, authorId }, taxonomy) ? 1 : 0;
  return { id, slug, unix, categoryId, authorId, revision, ...outcome, dangling };
}

/** The first sort key at which a post was added, removed or moved; undefined: none. */
function firstMove(changes: readonly Change[]): ArticleKey | undefined {
  let first: ArticleKey | undefined;
  for (const { before, after } of changes) {
    const [old, now] = [keyOf(before), keyOf(after)];
    if (old && now && compareKeys(old, now) === 0) continue;
    for (const key of [old, now]) if (key && (!first || compareKeys(key, first) < 0)) first = key;
  }
  return first;
}

/** The sort key of a post; undefined: it is not in the snapshot. */
function keyOf(post: BuiltPost | undefined): ArticleKey | undefined {
  if (!post || post.fault !== null || post.unix === null) return undefined;
  return { time: post.unix, slug: post.slug };
}

function findEdited(changes: readonly Change[], ids: readonly number[], from: number): Difference['edited'] {
  const edits = new Map<number, { before: BuiltPost; after: BuiltPost }>();
  for (const { before, after } of changes) {
    if (keyOf(before) && keyOf(after) && before && after) edits.set(after.id, { before, after });
  }
  if (edits.size === 0) return [];
  return ids.slice(0, from).flatMap((id, position) => {
    const edit = edits.get(id);
    return edit ? { position, ...edit } : [];
  });
}
