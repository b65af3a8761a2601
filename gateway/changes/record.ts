/** The record of changes (contract/change-log.ts), as far as it goes back to a number. */
import type { Change, Version } from '../../contract/change-log.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all } from '../maybe-promise.ts';

/** Each article that changed since a number, with the last number that changed it; ascending, then by slug. */
export async function changesSince(
  current: Snapshot,
  since: number,
): Promise<readonly { readonly number: number; readonly slug: string }[]> {
  const latest = new Map<string, number>();
  for (const [number, slug] of await entriesSince(current, since)) {
    if (number > (latest.get(slug) ?? 0)) latest.set(slug, number);
  }
  const changes = Array.from(latest, ([slug, number]) => ({ number, slug }));
  return changes.sort((a, b) => a.number - b.number || (a.slug < b.slug ? -1 : 1));
}

/**
 * Each article that changed since a number, by its slug, as it was at that number; null: it was not there. All others are
 * as they were.
 *
 * @param since at least `walks` of the record
 */
export async function versionsAt(
  current: Snapshot,
  since: number,
): Promise<ReadonlyMap<string, Version | null>> {
  const first = new Map<string, Change>();
  for (const change of await entriesSince(current, since)) {
    const [number, slug] = change;
    if (number < (first.get(slug)?.[0] ?? Infinity)) first.set(slug, change);
  }
  return new Map(Array.from(first, ([slug, [, , before]]) => [slug, before ?? null]));
}

async function entriesSince(current: Snapshot, since: number): Promise<readonly Change[]> {
  const needed = (current.log?.parts ?? []).filter(({ newest }) => newest > since);
  const parts = await all(needed.map(({ hash }) => current.read('changes', hash)));
  return parts.flat().filter(([number]) => number > since);
}
