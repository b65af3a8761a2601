/** Reads the record of changes (contract/change-log.ts). */
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all } from '../maybe-promise.ts';
import type { ChangeKey } from './tokens.ts';

/** The articles that changed since a number, each with its last change; by number, then slug. */
export async function changesSince(current: Snapshot, since: number): Promise<readonly ChangeKey[]> {
  const needed = current.log.parts.filter(({ newest }) => newest > since);
  const parts = await all(needed.map(({ hash }) => current.read('changes', hash)));
  const latest = new Map<string, number>();
  for (const [number, slug] of parts.flat()) {
    if (number > Math.max(since, latest.get(slug) ?? 0)) latest.set(slug, number);
  }
  const changes = Array.from(latest, ([slug, number]) => ({ number, slug }));
  return changes.sort((a, b) => a.number - b.number || (a.slug < b.slug ? -1 : 1));
}
