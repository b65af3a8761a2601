/** Reads the record of changes (contract/change-log.ts) since a number. */
import type { Change, Version } from '../../contract/change-log.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all } from '../maybe-promise.ts';

/** The articles that changed since a number, each with its last change; by number, then slug. */
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
 * The articles that changed since a number, by slug, in their version at that number; null: it did not exist. All other
 * articles are unchanged.
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
