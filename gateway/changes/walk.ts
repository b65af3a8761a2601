/** A walk through all articles, oldest first. Each page is of the snapshot that is current when it is read. */
import { keyOf } from '../../contract/article-order.ts';
import { PAGE_SIZE } from '../../contract/pages.ts';
import { withAllFields } from '../../contract/records.ts';
import { positionAfter } from '../listing/range.ts';
import { readSummaries } from '../listing/summaries.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { detailsAt, fillPage, readRecord } from './articles.ts';
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
  const firstPage = from - (from % PAGE_SIZE);
  const lastPage = Math.min(Math.ceil(end / PAGE_SIZE) * PAGE_SIZE, posts);
  const [summaries, details] = await Promise.all([
    readSummaries(current, positions, withAllFields),
    detailsAt(current, firstPage, lastPage),
  ]);
  for (let page = 0; page < details.length; page += PAGE_SIZE) {
    await current.objects.readArticles(details.slice(page, page + PAGE_SIZE));
  }
  const items = await fillPage(positions, (position) =>
    readRecord(current, summaries[position - from] ?? '', details[position - firstPage] ?? ''),
  );
  const last = summaries[items.length - 1];
  const position = from + items.length - 1;
  return { items, after: last !== undefined && position + 1 < posts ? { ...keyOf(last), position } : null };
}
