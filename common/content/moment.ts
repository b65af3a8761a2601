import { parseDate } from './date.ts';

/** A blog's time zone, under old and new setting names. Null, which means UTC: not set or unknown. */
export function findTimeZone(settings: ReadonlyMap<string, string>): string | null {
  const zone = ['timezone', 'active_timezone', 'activeTimezone']
    .map((key) => settings.get(key))
    .find(Boolean);
  return zone === undefined ? null : findZone(zone);
}

/** The time zone with that name (`Europe/Berlin`); null if unknown. */
export function findZone(zone: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/**
 * Converts a date of an export (ISO 8601, SQL's `YYYY-MM-DD hh:mm:ss` in UTC, or seconds or milliseconds since 1970) to
 * the form of the database, with the zone's offset at that moment. Null if it is not a date.
 */
export function momentIn(zone: string | null, written: string): string | null {
  const date = numberToDate(written) ?? parseDate(written);
  if (date === null) return null;
  if (zone === null) return withOffset(Date.parse(date), 0);
  return withOffset(Date.parse(date), offsetAt(zone, new Date(date)));
}

/** A moment in the form of the database, with an offset. @param minutes from UTC */
export function withOffset(moment: number, minutes: number): string {
  const two = (number: number): string => String(Math.floor(number)).padStart(2, '0');
  const local = new Date(moment + minutes * 60_000).toISOString().slice(0, 19);
  const size = Math.abs(minutes);
  return `${local}${minutes < 0 ? '-' : '+'}${two(size / 60)}:${two(size % 60)}`;
}

/** From this value (1973 in milliseconds, the year 5138 in seconds), a number counts milliseconds. */
const LEAST_MILLISECONDS = 1e11;
/** A smaller number (before 1973 in seconds) is not a blog's date: more likely one written as 20240501. */
const LEAST_SECONDS = 1e8;

/**
 * Converts a number of seconds or milliseconds since 1970, told apart by size, to the form of the database, in UTC.
 * Null if it is not a number or is neither.
 */
export function numberToDate(written: string): string | null {
  if (!/^-?\d+(?:\.\d+)?$/.test(written.trim())) return null;
  const number = Number(written);
  if (Math.abs(number) < LEAST_SECONDS) return null;
  const moment = new Date(Math.abs(number) < LEAST_MILLISECONDS ? number * 1000 : number);
  if (Number.isNaN(moment.getTime())) return null;
  return parseDate(moment.toISOString());
}

/** Cached by zone: creating a format takes longer than all the rest. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** In minutes; 0 if it is not in whole minutes, as before time zones. */
function offsetAt(zone: string, moment: Date): number {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(zone, format);
  const name = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign, hours, minutes] = /^GMT([+-])(\d{2}):(\d{2})$/.exec(name ?? '') ?? [];
  return sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
}
