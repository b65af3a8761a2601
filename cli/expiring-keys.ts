import type { KeyRecord } from '../contract/key-record.ts';
import { moment } from './terminal.ts';

const SOON_MS = 14 * 86_400_000;

/** Keys that stop working within 14 days, the next one first, as a sentence; null: there are none. */
export function describeExpiring(records: readonly KeyRecord[], now: Date): string | null {
  const soon = records
    .flatMap(({ prefix, account, revoked, replaced, expires }) =>
      revoked || replaced || expires === undefined
        ? []
        : { prefix, account, left: expires - now.getTime(), expires },
    )
    .filter(({ left }) => left > 0 && left <= SOON_MS)
    .sort((a, b) => a.left - b.left);
  if (soon.length === 0) return null;
  const shown = soon.slice(0, 5).map(({ prefix, account, expires }) => {
    return `${prefix} of "${account}" on ${moment(new Date(expires).toISOString())}`;
  });
  const more = soon.length > shown.length ? `, and ${soon.length - shown.length} more` : '';
  return `${soon.length === 1 ? 'A key expires' : 'Keys expire'} within 14 days: ${shown.join(', ')}${more}.`;
}
