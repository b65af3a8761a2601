/**
 * A walk through all articles, oldest first. Each page is of the snapshot that is current when it is read. Earlier versions kept
 * for walks took up to a sixth of the output, and a made-up cursor of the past showed deleted articles.
 */
import { parseArticleKey } from '../../contract/article-order.ts';
import { readBodyHashes } from '../../contract/pages.ts';
import { PAGE_SIZE } from '../../contract/snapshot.ts';
import { positionAfter } from '../listing/range.ts';
import { pageIndex, readWholeSummaries } from '../listing/summaries.ts';
import { all } from '../maybe-promise.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { fillPage, readRecord } from './articles.ts';
import type { ArticlePlace } from './tokens.ts';

/**
 * The next page of a walk.
 *
 * @param after the last article of the page before; null: the first page
 * @param isSame whether that page was of the same snapshot
 * @returns `after` null: no article follows
 */
export async function walkPage(
  current: Snapshot,
  after: ArticlePlace | null,
  isSame: boolean,
  count: number,
): Promise<{ readonly items: readonly string[]; readonly after: ArticlePlace | null }> {
  const { posts } = current.directory;
  const from = after === null ? 0 : isSame ? after.position + 1 : await positionAfter(current, after);
  const end = Math.min(from + count, posts);
  const positions = Array.from({ length: Math.max(0, end - from) }, (_, i) => from + i);
  const first = pageIndex(from) * PAGE_SIZE;
  const hashes = current.directory.pages.slice(pageIndex(from), Math.ceil(end / PAGE_SIZE));
  const pages = await all(hashes.map((hash) => current.read('lines', hash)));
  const summaries = await readWholeSummaries(current, positions);
  const details = pages.flatMap(readBodyHashes);
  const items = await fillPage(positions, (position) =>
    readRecord(current, summaries[position - from] ?? '', details[position - first] ?? ''),
  );
  const position = from + items.length - 1;
  const last =
    position + 1 < posts ? pages[pageIndex(position - first)]?.at(position % PAGE_SIZE) : undefined;
  return { items, after: last === undefined ? null : { ...parseArticleKey(last), position } };
}
