import type { ArticleKey } from '../../contract/article-order.ts';
import type { Directory } from '../../contract/directory.ts';
import { PAGE_SIZE } from '../../contract/pages.ts';
import { encodePostHashes, pageStart, POST_HASHES_SIZE } from '../../contract/post-hashes.ts';
import type { BuiltPost } from './blog.ts';
import type { Difference } from './difference.ts';
import type { BuildMemory } from './memory.ts';
import type { ObjectStore } from './object-writer.ts';
import { changeFinder, cutsEvery } from './summary-pages.ts';

/**
 * Lists by position: the hashes of articles' details, and the start time of each page of summaries. Only changed parts
 * are read from the memory and written.
 *
 * @param before the last build's directory, if there was one
 */
export function buildPositions(
  difference: Difference,
  before: Directory | undefined,
  memory: BuildMemory,
  writer: ObjectStore,
): Pick<Directory, 'post_hashes' | 'page_times'> {
  const { ids } = difference;
  const isChanged = changeFinder(difference);
  const postAt = (position: number): BuiltPost => {
    const post = memory.post(ids[position] ?? -1);
    if (!post) throw new Error(`The memory has no post at position ${position}.`);
    return post;
  };

  const keyAt = (position: number): ArticleKey => {
    const { unix, slug } = postAt(position);
    return { time: unix ?? 0, slug };
  };

  const runs = <T>(
    size: number,
    old: readonly T[] | undefined,
    make: (start: number, end: number) => T,
  ): T[] => {
    const cuts = cutsEvery(size, ids.length);
    return cuts.slice(1).map((end, i) => {
      const start = cuts[i] ?? 0;
      const isSameSize = end - start === Math.min(size, (before?.posts ?? 0) - start);
      const kept = isSameSize && !isChanged(start, end) ? old?.[i] : undefined;
      return kept ?? make(start, end);
    });
  };
  return {
    post_hashes: runs(POST_HASHES_SIZE, before?.post_hashes, (start, end) => {
      const hashes = Array.from({ length: end - start }, (_, i) => {
        const { hash, slug } = postAt(start + i);
        if (hash === null) throw new Error(`The post "${slug}" has no object.`);
        return hash;
      });
      return writer.put('post_hashes', encodePostHashes(hashes));
    }),
    page_times: runs(PAGE_SIZE, before?.page_times, (start) =>
      pageStart(keyAt(start), start === 0 ? undefined : keyAt(start - 1)),
    ),
  };
}
