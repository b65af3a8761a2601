/** Earlier versions of articles, kept for walks that began before a publish (contract/change-log.ts). */
import { gzipSync } from 'node:zlib';
import type { Version } from '../../contract/change-log.ts';
import { decodeColumn } from '../../contract/columns.ts';
import type { Directory } from '../../contract/directory.ts';
import { shardOf } from '../../contract/name-table.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { decodePage, encodePage, PAGE_SIZE } from '../../contract/pages.ts';
import { pagesAt } from '../../contract/post-hashes.ts';
import { publishedAt, slugIn, splitAtViews, wholeRecord, withViews } from '../../contract/records.ts';
import { batchesOf } from '../snapshot/parallel.ts';
import { entriesIn, readAll, type TextStore, shardsOf } from './changed-articles.ts';

/** Objects are small, because a page of a walk reads them completely. */
const MAX_RECORDS = 50;
const MAX_CHARACTERS = 2 ** 20;

/** For more articles, all pages are read instead of the pages of each one. */
const SCAN_ALL_ABOVE = 1000;

export interface EarlierStore extends TextStore {
  put(kind: 'earlier', content: Buffer): ObjectHash;
}

/**
 * Keeps some articles of a snapshot, with its view counts.
 *
 * @param slugs unknown ones are ignored
 * @param most if the snapshot has more of these articles, none is kept
 * @returns slug → version; null: none is kept
 * @throws the errors of `store`
 */
export async function keepEarlier(
  snapshot: Directory,
  slugs: ReadonlySet<string>,
  most: number,
  store: EarlierStore,
): Promise<ReadonlyMap<string, Version> | null> {
  const { post } = snapshot.names;
  const shards = shardsOf(post);
  const needed = new Set([...slugs].map((slug) => shards[shardOf(slug, shards.length)] ?? ''));
  const entries = await entriesIn(post, shards.length === 0 ? [] : [...needed], store);
  const details = new Map(entries.filter(([slug]) => slugs.has(slug)));
  if (details.size > most) return null;

  const kept = new Map<string, Version>();
  if (details.size === 0) return kept;
  let waiting: { readonly slug: string; readonly time: number; readonly record: string }[] = [];
  let characters = 0;
  const write = () => {
    const hash = store.put('earlier', gzipSync(encodePage(waiting.map(({ record }) => record))));
    for (const [index, { slug, time }] of waiting.entries()) kept.set(slug, [time, hash, index]);
    [waiting, characters] = [[], 0];
  };
  for (const some of batchesOf(await placesOf(snapshot, details, store), MAX_RECORDS)) {
    const hashes = some.map(({ slug }) => details.get(slug) ?? '');
    const texts = await readAll('post', hashes, store);
    for (const [i, { slug, summary }] of some.entries()) {
      const record = wholeRecord(summary, texts[i] ?? '');
      if (waiting.length > 0 && characters + record.length > MAX_CHARACTERS) write();
      waiting.push({ slug, time: publishedAt(texts[i] ?? ''), record });
      characters += record.length;
    }
    write();
  }
  return kept;
}

/** The summaries of some articles, by position, so that articles on one page of a walk are in one object. */
async function placesOf(
  snapshot: Directory,
  details: ReadonlyMap<string, ObjectHash>,
  store: TextStore,
): Promise<readonly { readonly slug: string; readonly summary: string }[]> {
  const numbers = await pagesOf(snapshot, details, store);
  const pages = await readAll(
    'page',
    numbers.map((number) => snapshot.pages[number] ?? ''),
    store,
  );
  const columns = await readAll('views', snapshot.views, store);
  const views = columns.flatMap(decodeColumn);
  return pages.flatMap((page, i) =>
    decodePage(page).flatMap((line, index) => {
      const slug = slugIn(line);
      if (!details.has(slug)) return [];
      const position = (numbers[i] ?? 0) * PAGE_SIZE + index;
      return [{ slug, summary: withViews(splitAtViews(line), views[position] ?? 0) }];
    }),
  );
}

/** The numbers of the pages that some articles may be on, ascending. */
async function pagesOf(
  { pages, page_times: times }: Directory,
  details: ReadonlyMap<string, ObjectHash>,
  store: TextStore,
): Promise<readonly number[]> {
  if (details.size > SCAN_ALL_ABOVE) return pages.map((_, number) => number);
  const numbers = new Set<number>();
  for (const detail of await readAll('post', [...details.values()], store)) {
    const { first, last } = pagesAt(times, publishedAt(detail));
    for (let number = first; number <= last; number++) numbers.add(number);
  }
  return [...numbers].sort((a, b) => a - b);
}
