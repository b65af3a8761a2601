import { Tinypool } from 'tinypool';
import type { Blog, ExportedPost, PostEntry, PostText, SkippedRow } from './blog.ts';
import type { BuildMemory, PostOutcome } from './memory.ts';
import type { ObjectWriter } from './object-writer.ts';
import type { BuildProgress } from './progress.ts';
import { renderDetail } from './render.ts';
import type { RenderBatch } from './render-worker.ts';
import type { Source } from './source.ts';

/** Posts a thread renders at once, and fewest for which threads are worth starting. */
const BATCH_SIZE = 32;
const WORTH_THREADS = 64;

/** Batches under way: enough that no thread waits, few enough that bodies do not fill the memory. */
const BATCHES_PER_THREAD = 2;

/** A thread's heap, in MB: a batch is small, and what it leaves behind is soon collected. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

export interface Details {
  /** The posts that can be exported, in the order of positions. */
  readonly posts: readonly ExportedPost[];
  readonly skipped: readonly SkippedRow[];
}

/**
 * The detail of every post: remembered where nothing it shows has changed, else rendered. Sanitising is
 * most of a build's work, so many posts are rendered on all cores.
 */
export async function buildDetails(
  blog: Blog,
  source: Source,
  memory: BuildMemory,
  writer: ObjectWriter,
  threads: number,
  progress: BuildProgress,
): Promise<Details> {
  const remembered = memory.posts();
  const changed = blog.posts.filter(({ id, revision }) => remembered.get(id)?.revision !== revision);
  const outcomes = new Map<number, PostOutcome>();
  progress.begin('posts', changed.length);
  if (changed.length < WORTH_THREADS) renderHere();
  else await renderInThreads();
  progress.end();

  const posts: ExportedPost[] = [];
  const skipped: SkippedRow[] = [];
  for (const post of blog.posts) {
    const outcome = outcomes.get(post.id) ?? remembered.get(post.id) ?? NOT_RENDERED;
    remembered.delete(post.id);
    if (outcome.hash !== null) {
      const { id, slug, views, categoryId, authorId, revision } = post;
      const { hash, tagIds } = outcome;
      posts.push({ id, slug, views, categoryId, authorId, revision, hash, tagIds });
      writer.keep(hash);
    } else {
      skipped.push({ table: 'posts', row: post.slug, reason: outcome.fault });
    }
  }
  for (const id of remembered.keys()) memory.forgetPost(id);
  return { posts, skipped };

  /** The texts of a post, unless it cannot be exported: then that is its outcome. */
  function read(entry: PostEntry): (PostText & { body: string }) | undefined {
    const post = source.readPost(entry.id, blog.tags);
    if (post.ok) return post.text;
    settle(entry, { hash: null, fault: post.skipped.reason });
    return undefined;
  }

  function settle({ id, revision }: PostEntry, outcome: PostOutcome): void {
    outcomes.set(id, outcome);
    memory.rememberPost(id, revision, outcome);
  }

  function renderHere(): void {
    for (const entry of changed) {
      const text = read(entry);
      if (text)
        settle(entry, {
          hash: writer.put('post', renderDetail(blog.site, text)),
          tagIds: text.tagIds,
          fault: null,
        });
      progress.advance(1);
    }
  }

  async function renderInThreads(): Promise<void> {
    const pool = new Tinypool({
      filename: new URL('render-worker.ts', import.meta.url).href,
      minThreads: threads,
      maxThreads: threads,
      resourceLimits: THREAD_LIMITS,
    });
    try {
      const underWay = new Set<Promise<void>>();
      for (let at = 0; at < changed.length; at += BATCH_SIZE) {
        while (underWay.size >= threads * BATCHES_PER_THREAD) await Promise.race(underWay);
        const batch = renderBatch(pool, changed.slice(at, at + BATCH_SIZE)).finally(() =>
          underWay.delete(batch),
        );
        underWay.add(batch);
      }
      await Promise.all(underWay);
    } finally {
      await pool.destroy();
    }
  }

  async function renderBatch(pool: Tinypool, entries: readonly PostEntry[]): Promise<void> {
    const readable = entries.flatMap((entry) => {
      const text = read(entry);
      return text ? [{ entry, text }] : [];
    });
    const batch: RenderBatch = { site: blog.site, posts: readable.map(({ text }) => text) };
    const details: string[] = await pool.run(batch);
    for (const [i, { entry, text }] of readable.entries()) {
      const detail = details[i];
      if (detail !== undefined)
        settle(entry, { hash: writer.put('post', detail), tagIds: text.tagIds, fault: null });
    }
    progress.advance(entries.length);
  }
}

const NOT_RENDERED: PostOutcome = { hash: null, fault: 'it was not rendered' };
