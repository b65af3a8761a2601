/** When a key ends: as an owner writes it, and as a warning. */
import type { KeyRecord } from '../contract/key-record.ts';
import { moment } from './terminal.ts';

const UNITS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000 };
const DURATION = /^(\d{1,5})([dhm])$/;
/** RFC 3339: a date, or a date and time with seconds and an offset. */
const TIME = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}))?$/i;

/** RFC 3339 has years of four digits. */
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59);

/**
 * Reads `2027-01-01` (its beginning, UTC), `2027-01-01T12:00:00+01:00`, or `90d`, `12h`, `30m` from now.
 *
 * @returns why it is not a future time, as the end of a sentence
 */
export function parseExpiry(text: string, now: Date): Date | string {
  const [, count, unit = ''] = DURATION.exec(text) ?? [];
  const [, date] = TIME.exec(text) ?? [];
  const ms = count === undefined ? Date.parse(text) : now.getTime() + Number(count) * (UNITS[unit] ?? NaN);
  if ((count ?? date) === undefined || !isReal(ms, date))
    return 'is not a time: use 2027-01-01, 2027-01-01T12:00:00Z, or 90d (days), 12h, 30m';
  if (ms > LATEST_MS) return 'is after the year 9999';
  if (ms <= now.getTime()) return 'is in the past';
  return new Date(ms);
}

/** Date.parse takes 30 February for 2 March. @param date as written; undefined: a duration */
function isReal(ms: number, date: string | undefined): boolean {
  if (Number.isNaN(ms)) return false;
  return date === undefined || new Date(`${date}T00:00:00Z`).toISOString().startsWith(date);
}

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
