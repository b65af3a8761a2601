/** Reads the record of changes (contract/change-log.ts). */
import { countBefore } from '../../contract/binary-search.ts';
import { decodeChanges } from '../../contract/change-log.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all } from '../maybe-promise.ts';
import type { ChangeKey } from './tokens.ts';

/** The newest parts of a record as one list, without repeats: by number, then slug. */
interface Latest {
  /** How many parts. */
  readonly parts: number;
  readonly changes: readonly ChangeKey[];
}

/** Joining the parts of a month takes some 20 ms, for each page of a feed. Fewer parts are the end of the same list. */
const LATEST = new WeakMap<Snapshot, Latest>();

/**
 * The next articles of a feed, each with its last change; by number, then slug.
 *
 * @param since the number after which the feed begins
 * @param after the last change of the page before
 * @param count how many at most
 */
export async function changesAfter(
  current: Snapshot,
  since: number,
  after: ChangeKey,
  count: number,
): Promise<readonly ChangeKey[]> {
  const needed = current.log.parts.filter(({ newest }) => newest > since).length;
  let latest = LATEST.get(current);
  if (!latest || latest.parts < needed) {
    latest = { parts: needed, changes: await readLatest(current, needed) };
    LATEST.set(current, latest);
  }
  const { changes } = latest;
  const first = countBefore(changes.length, (i) => {
    const change = changes[i]!;
    return change.number <= since || compareChanges(change, after) <= 0;
  });
  return changes.slice(first, first + count);
}

/** @param count of the newest parts */
async function readLatest(current: Snapshot, count: number): Promise<readonly ChangeKey[]> {
  const newest = current.log.parts.slice(0, count);
  const parts = await all(newest.map(({ hash }) => current.read('lines', hash)));
  const latest = new Map<string, number>();
  for (const [number, slug] of parts.flatMap(decodeChanges)) {
    if (number > (latest.get(slug) ?? 0)) latest.set(slug, number);
  }
  return Array.from(latest, ([slug, number]) => ({ number, slug })).sort(compareChanges);
}

function compareChanges(one: ChangeKey, other: ChangeKey): number {
  return one.number - other.number || (one.slug < other.slug ? -1 : Number(one.slug > other.slug));
}
