/**
 * A walk through all articles, in order, as of the publish with which it began. Articles that have not changed since come
 * from the current snapshot, the others in their earlier versions from the record of changes.
 */
import { type ArticleKey, compareKeys, keyOf } from '../../contract/article-order.ts';
import type { Version } from '../../contract/change-log.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { decodePage, PAGE_SIZE } from '../../contract/pages.ts';
import { readSummaries } from '../listing/summaries.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import { gunzip } from '../gunzip.ts';
import { detailsAt, fillPage, positionAfter, readRecord } from './articles.ts';
import { versionsAt } from './record.ts';
import type { Token } from './tokens.ts';

/** The progress of a walk. */
export interface WalkPlace {
  /** The last article passed. */
  readonly after: ArticleKey;
  /** The next position in the walk's first snapshot; null: unknown, since articles have changed. */
  readonly position: number | null;
}

/** An article of the walk. */
interface Walked {
  readonly key: ArticleKey;
  readonly read: () => MaybePromise<string>;
}

/** A page ends empty after this many positions with only new articles. */
const MOST_POSITIONS = 10 * PAGE_SIZE;

/**
 * The next page of a walk.
 *
 * @param start the publish with which it began; the record must have its earlier versions
 * @param place null: the first page
 * @returns `next` null: the last page
 */
export async function walkPage(
  current: Snapshot,
  start: Token,
  place: WalkPlace | null,
  count: number,
): Promise<{ readonly items: readonly string[]; readonly next: WalkPlace | null }> {
  const isCurrent = start.snapshot === current.id;
  const versions = isCurrent ? new Map<string, Version>() : await versionsAt(current, start.number);
  const hasChanged = versions.size > 0;
  const from = await positionOf(current, place, hasChanged);
  const { walked, position, last } = await unchangedFrom(current, from, count, versions);

  const { posts } = current.directory;
  const isNext = (key: ArticleKey) =>
    (!place || compareKeys(key, place.after) > 0) &&
    (!last || position >= posts || compareKeys(key, last) <= 0);
  const readEarlier = earlierReader(current);
  for (const [slug, version] of versions) {
    if (version === null) continue;
    const [time, hash, index] = version;
    const key = { time, slug };
    if (isNext(key)) walked.push({ key, read: () => readEarlier(hash, index) });
  }
  walked.sort((a, b) => compareKeys(a.key, b.key));

  const items = await fillPage(walked.slice(0, count), ({ read }) => read());
  const after = items.length < walked.length ? walked[items.length - 1]?.key : position < posts ? last : null;
  return { items, next: after ? { after, position: hasChanged ? null : from + items.length } : null };
}

async function positionOf(current: Snapshot, place: WalkPlace | null, hasChanged: boolean): Promise<number> {
  if (place === null) return 0;
  if (!hasChanged && place.position !== null) return place.position;
  return positionAfter(current, place.after);
}

/**
 * The unchanged articles from a position, at least `count` if there are as many.
 *
 * @param changed slugs
 * @returns `position` after the last article examined, whose key is `last`
 */
async function unchangedFrom(
  current: Snapshot,
  from: number,
  count: number,
  changed: ReadonlyMap<string, unknown>,
): Promise<{ readonly walked: Walked[]; readonly position: number; readonly last: ArticleKey | null }> {
  const { posts } = current.directory;
  const walked: Walked[] = [];
  let position = from;
  let last: ArticleKey | null = null;
  while (position < posts && walked.length < count && position - from < MOST_POSITIONS) {
    const start = position - (position % PAGE_SIZE);
    const missing = count - walked.length;
    const end = Math.min(Math.ceil((position + missing) / PAGE_SIZE) * PAGE_SIZE, posts);
    const positions = Array.from({ length: end - position }, (_, i) => position + i);
    const [summaries, details] = await Promise.all([
      readSummaries(current, positions),
      detailsAt(current, start, end),
    ]);
    const firsts = details.filter((_, i) => i % PAGE_SIZE === 0);
    await Promise.all(
      firsts.map((_, page) =>
        current.objects.readArticles(details.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE)),
      ),
    );
    for (const [i, summary] of summaries.entries()) {
      last = keyOf(summary);
      const detail = details[position + i - start];
      if (changed.has(last.slug) || detail === undefined) continue;
      walked.push({ key: last, read: () => readRecord(current, summary, detail) });
    }
    position = end;
  }
  return { walked, position, last };
}

/** Reads earlier versions; each object once. */
function earlierReader(current: Snapshot): (hash: ObjectHash, index: number) => Promise<string> {
  const read = new Map<ObjectHash, Promise<readonly string[]>>();
  const load = async (hash: ObjectHash) => {
    const bytes = await gunzip(await current.read('earlier', hash));
    return decodePage(new TextDecoder().decode(bytes));
  };
  return async (hash, index) => {
    const records = read.get(hash) ?? load(hash);
    read.set(hash, records);
    const record = (await records)[index];
    if (record === undefined) throw new RangeError(`The object earlier/${hash} has no record ${index}.`);
    return record;
  };
}
