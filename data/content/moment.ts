import { parseDate } from './date.ts';

/** The time zone of a blog; its names have changed. Null, which is UTC: none is set, or none that is known. */
export function zoneOf(settings: ReadonlyMap<string, string>): string | null {
  const zone = ['timezone', 'active_timezone', 'activeTimezone']
    .map((key) => settings.get(key))
    .find(Boolean);
  return zone === undefined ? null : zoneNamed(zone);
}

/** The time zone of that name (`Europe/Berlin`); null where none is known. */
export function zoneNamed(zone: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/**
 * A date of an export (ISO 8601, SQL's `YYYY-MM-DD hh:mm:ss` in UTC, or seconds or milliseconds since 1970) to the
 * form of the database, with the offset that the zone had at that moment. Null when it is no date.
 */
export function momentIn(zone: string | null, written: string): string | null {
  const date = dateOfNumber(written) ?? parseDate(written);
  if (date === null || zone === null) return date && inUtc(date);
  const moment = new Date(date);
  const offset = offsetAt(zone, moment);
  if (offset === null) return inUtc(date);
  const sign = offset.startsWith('-') ? -1 : 1;
  const minutes = sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4)));
  return new Date(moment.getTime() + minutes * 60_000).toISOString().slice(0, 19) + offset;
}

/** For `parseDate`: the offset that clocks of the zone had at a local time. Null is UTC. */
export function localOffsetIn(zone: string | null): (local: string) => string {
  return (local) => {
    if (zone === null) return '+00:00';
    const asUtc = Date.parse(`${local}Z`);
    // The first guess is wrong by hours, which matters where clocks change just then.
    const guess = offsetAt(zone, new Date(asUtc));
    return (guess && offsetAt(zone, new Date(`${local}${guess}`))) ?? '+00:00';
  };
}

/** From here on (1973 in milliseconds, the year 5138 in seconds) a number counts milliseconds. */
const LEAST_MILLISECONDS = 1e11;
/** Less than this (1973 in seconds) is no date of a blog: more likely one written as 20240501. */
const LEAST_SECONDS = 1e8;

/**
 * A number of seconds or of milliseconds since 1970 to the form of the database, in UTC: which of the two is told by
 * its size. Null when it is no number, or one that is neither.
 */
export function dateOfNumber(written: string): string | null {
  if (!/^-?\d+(?:\.\d+)?$/.test(written.trim())) return null;
  const number = Number(written);
  if (Math.abs(number) < LEAST_SECONDS) return null;
  const moment = new Date(Math.abs(number) < LEAST_MILLISECONDS ? number * 1000 : number);
  if (Number.isNaN(moment.getTime())) return null;
  return parseDate(moment.toISOString());
}

function inUtc(date: string): string {
  return `${new Date(date).toISOString().slice(0, 19)}+00:00`;
}

/** Made once for each zone, since that takes longer than all the rest. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** `+02:00`; null where it is not of whole minutes, as before there were time zones. */
function offsetAt(zone: string, moment: Date): string | null {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(zone, format);
  const name = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value;
  if (name === 'GMT') return '+00:00';
  return /^GMT([+-]\d{2}:\d{2})$/.exec(name ?? '')?.[1] ?? null;
}
