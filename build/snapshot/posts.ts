import { countBefore } from '../../contract/binary-search.ts';
import type { ArticleKey } from '../../contract/article-order.ts';
import type { Progress } from '../../common/progress.ts';
import type { SkippedRow } from '../../data/skipped-row.ts';
import type { Post, Taxonomy } from './blog.ts';
import type { BuildMemory, CachedPost } from './memory.ts';
import { inParallel, splitBatches } from './parallel.ts';
import type { Renderer } from './renderer.ts';
import { entryFault, MOST_VIEWS, type ScannedPost } from './source.ts';

/** Posts in a batch, and batches in parallel. */
const BATCH_SIZE = 250;
const BATCHES = 6;

/** The posts that may be published, and what has changed since the last build. */
interface Scan {
  /** In the order of the blog. Some may turn out to be unfit when they are rendered. */
  readonly posts: readonly Post[];
  /** To render: the memory does not know them as they are. */
  readonly changed: readonly Post[];
  /** Ids of posts that the memory knows, and that are no longer public. */
  readonly removed: readonly number[];
  /** Whether the memory knows no posts. */
  readonly isFirst: boolean;
  readonly skipped: readonly SkippedRow[];
  readonly cut: readonly SkippedRow[];
}

/** Compares the posts of the source with those of the memory: by id, revision, and links to missing tags. */
export function scanPosts(entries: readonly ScannedPost[], memory: BuildMemory, taxonomy: Taxonomy): Scan {
  const { ids, revisions } = memory.revisions();
  const missingBefore = memory.missingTags();
  const isPublic = new Uint8Array(ids.length);
  const posts: Post[] = [];
  const changed: Post[] = [];
  const skipped: SkippedRow[] = [];
  const cut: SkippedRow[] = [];
  for (const post of entries) {
    const fault = entryFault(post, taxonomy);
    if (fault !== null || !isDated(post)) {
      const reason = fault ?? 'its date cannot be read';
      skipped.push({ table: 'posts', row: post.slug.trim() || String(post.id), reason });
      continue;
    }
    posts.push(post);
    if (post.views === MOST_VIEWS) {
      const reason = `its views are limited to ${MOST_VIEWS}, the largest whole number that all JSON parsers read exactly`;
      cut.push({ table: 'posts', row: post.slug, reason });
    }
    const at = countBefore(ids.length, (i) => ids[i]! < post.id);
    if (ids[at] === post.id) isPublic[at] = 1;
    const isKnown =
      ids[at] === post.id &&
      revisions[at] === post.revision &&
      (missingBefore.get(post.id) ?? '') === (taxonomy.missingTags.get(post.id) ?? '');
    if (!isKnown) changed.push(post);
  }
  const removed = [...ids.filter((_, i) => isPublic[i] === 0)];
  return { posts, changed, removed, isFirst: ids.length === 0, skipped, cut };
}

function isDated(post: ScannedPost): post is Post {
  return post.time !== null;
}

/** A post of which the snapshot has changed, before and after; undefined: it was not in it, or is not. */
export interface PostChange {
  readonly before: ArticleKey | undefined;
  readonly after: ArticleKey | undefined;
  readonly id: number;
}

/**
 * Renders posts, each once, and keeps the outcomes in the memory.
 *
 * @returns the difference to the last build; nothing if there was none
 */
export async function renderPosts(
  { changed, removed, isFirst }: Scan,
  memory: BuildMemory,
  taxonomy: Taxonomy,
  renderer: Renderer,
  progress: Progress,
): Promise<readonly PostChange[]> {
  const changes: PostChange[] = removed.map((id) => ({
    id,
    before: toArticleKey(memory.post(id)),
    after: undefined,
  }));
  for (const id of removed) memory.deletePost(id);
  progress.begin('posts', changed.length);
  await inParallel(splitBatches(changed, BATCH_SIZE), BATCHES, async (batch) => {
    const outcomes = await renderer.posts(batch.map(({ id }) => id));
    for (const [i, outcome] of outcomes.entries()) {
      const post = batch[i]!;
      const { id, slug, time, revision } = post;
      const after = outcome.fault === null ? post : undefined;
      if (!isFirst) changes.push({ id, before: toArticleKey(memory.post(id)), after });
      const missing = taxonomy.missingTags.get(id) ?? '';
      memory.putPost({ id, slug, time, revision, missing, ...outcome });
    }
    progress.advance(batch.length);
  });
  progress.end();
  return changes;
}

function toArticleKey(post: CachedPost | undefined): ArticleKey | undefined {
  return post?.fault === null ? { time: post.time, slug: post.slug } : undefined;
}
