import { createHash } from 'node:crypto';
import type { ObjectHash } from '../contract/object-name.ts';
import { encodePage, PAGE_SIZE } from '../contract/pages.ts';
import { encodeSegment, searchCuts } from '../contract/search-index.ts';
import { wordsOf } from '../contract/search-text.ts';
import type { Blog, ExportedPost, PostText } from './blog.ts';
import type { BuildMemory } from './memory.ts';
import type { ObjectWriter } from './object-writer.ts';
import type { BuildProgress } from './progress.ts';
import { renderSummary } from './render.ts';
import type { Source } from './source.ts';

/**
 * Objects that cover a run of positions, pages of summaries and segments of the search index: each is
 * remembered by what its posts looked like, so only runs with a changed post are read and rendered.
 */
export interface Runs {
  readonly pages: readonly ObjectHash[];
  readonly search: readonly (readonly ObjectHash[])[];
}

/** @param posts those that are exported, in the order of positions */
export function buildRuns(
  blog: Blog,
  posts: readonly ExportedPost[],
  source: Source,
  memory: BuildMemory,
  writer: ObjectWriter,
  progress: BuildProgress,
): Runs {
  const pageCuts = cutsEvery(PAGE_SIZE, posts.length);
  progress.begin('pages', pageCuts.length - 1);
  const pages = eachRun('page', pageCuts, (run) => [writer.put('page', encodePage(run.map(summaryOf)))]);
  progress.end();

  const segmentCuts = searchCuts(posts.length);
  progress.begin('search index', segmentCuts.length - 1);
  const search = eachRun('search', segmentCuts, (run) =>
    encodeSegment(run.map((post) => searchedWords(textOf(post)))).map((part) => writer.put('search', part)),
  );
  progress.end();

  return { pages: pages.flat(), search };

  function eachRun(
    kind: string,
    cuts: readonly number[],
    render: (run: readonly ExportedPost[]) => ObjectHash[],
  ): (readonly ObjectHash[])[] {
    return cuts.slice(1).map((end, i) => {
      const run = posts.slice(cuts[i], end);
      const fingerprint = fingerprintOf(kind, run);
      const known = memory.run(fingerprint);
      const hashes = known ?? render(run);
      if (known) for (const hash of known) writer.keep(hash);
      else memory.rememberRun(fingerprint, hashes);
      progress.advance(1);
      return hashes;
    });
  }

  function summaryOf(post: ExportedPost): string {
    const category = post.categoryId === null ? undefined : blog.categories.get(post.categoryId);
    const author = post.authorId === null ? undefined : blog.authors.get(post.authorId);
    return renderSummary(blog.site, textOf(post), category, author);
  }

  function textOf({ id }: ExportedPost): PostText {
    const post = source.readPost(id, blog.tags);
    if (!post.ok) throw new Error(`Post ${id} was exported, but cannot be read: ${post.skipped.reason}`);
    return post.text;
  }
}

/** `[0, size, 2 × size, …, length]`. */
export function cutsEvery(size: number, length: number): number[] {
  const cuts = [];
  for (let at = 0; at < length; at += size) cuts.push(at);
  return [...cuts, length];
}

/** The distinct words in which a search looks: of the title, the description and each tag. */
function searchedWords({ title, description, tags }: PostText): Set<string> {
  return new Set([title, description ?? '', ...tags].flatMap(wordsOf));
}

function fingerprintOf(kind: string, run: readonly ExportedPost[]): string {
  const posts = run.map(({ id, revision }) => `${id}:${revision}`).join(' ');
  return createHash('sha256').update(`${kind} ${posts}`).digest('base64url');
}
