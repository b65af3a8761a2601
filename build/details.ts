import { Tinypool } from 'tinypool';
import type { ObjectHash } from '../contract/object-name.ts';
import type { Blog, PostEntry, PostText, SkippedRow } from './blog.ts';
import type { BuildMemory } from './memory.ts';
import type { ObjectWriter } from './object-writer.ts';
import type { BuildProgress } from './progress.ts';
import { renderDetail } from './render.ts';
import type { RenderBatch } from './render-worker.ts';
import type { Source } from './source.ts';

/** Posts a thread renders at once, and fewest for which threads are worth starting. */
const BATCH_SIZE = 128;
const WORTH_THREADS = 64;

/** Batches under way: enough that no thread waits, few enough that bodies do not fill the memory. */
const BATCHES_PER_THREAD = 2;

export interface Details {
  /** The posts that can be exported, in the order of positions. */
  readonly posts: readonly PostEntry[];
  /** Their objects, in the same order. */
  readonly hashes: readonly ObjectHash[];
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
  const missing = blog.posts.filter(({ id, revision }) => !memory.post(id, revision));
  progress.begin('posts', missing.length);
  if (missing.length < WORTH_THREADS) renderHere();
  else await renderInThreads();
  progress.end();

  const posts: PostEntry[] = [];
  const hashes: ObjectHash[] = [];
  const skipped: SkippedRow[] = [];
  for (const post of blog.posts) {
    const remembered = memory.post(post.id, post.revision);
    if (remembered && 'hash' in remembered) {
      posts.push(post);
      hashes.push(remembered.hash);
    } else {
      skipped.push({ table: 'posts', row: post.slug, reason: remembered?.fault ?? 'it was not rendered' });
    }
  }
  writer.keep(hashes);
  memory.forgetPostsExcept(new Set(blog.posts.map(({ id }) => id)));
  return { posts, hashes, skipped };

  /** The texts of a post, unless it cannot be exported: then that is remembered. */
  function read({ id, revision }: PostEntry): (PostText & { body: string }) | undefined {
    const post = source.readPost(id, blog.tags);
    if (post.ok) return post.text;
    memory.rememberPost(id, revision, { fault: post.skipped.reason });
    return undefined;
  }

  function renderHere(): void {
    for (const entry of missing) {
      const text = read(entry);
      if (text) {
        const hash = writer.put('post', renderDetail(blog.site, text));
        memory.rememberPost(entry.id, entry.revision, { hash });
      }
      progress.advance(1);
    }
  }

  async function renderInThreads(): Promise<void> {
    const pool = new Tinypool({
      filename: new URL('render-worker.ts', import.meta.url).href,
      minThreads: threads,
      maxThreads: threads,
    });
    try {
      const underWay = new Set<Promise<void>>();
      for (let at = 0; at < missing.length; at += BATCH_SIZE) {
        while (underWay.size >= threads * BATCHES_PER_THREAD) await Promise.race(underWay);
        const batch = renderBatch(pool, missing.slice(at, at + BATCH_SIZE)).finally(() =>
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
    for (const [i, { entry }] of readable.entries()) {
      const hash = writer.put('post', details[i] ?? '');
      memory.rememberPost(entry.id, entry.revision, { hash });
    }
    progress.advance(entries.length);
  }
}
