const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The zone names that have an offset in RFC 2822 (4.3); other names are ambiguous. */
const ZONES: Readonly<Record<string, string>> = {
  Z: '+00:00',
  UT: '+00:00',
  UTC: '+00:00',
  GMT: '+00:00',
  EDT: '-04:00',
  EST: '-05:00',
  CDT: '-05:00',
  CST: '-06:00',
  MDT: '-06:00',
  MST: '-07:00',
  PDT: '-07:00',
  PST: '-08:00',
};

const TIME =
  '(?:(?:T|,?\\s+)(?<hour>\\d{1,2}):(?<minute>\\d{2})(?::(?<second>\\d{2})(?:[.,]\\d+)?)?' +
  '\\s*(?<half>[AP]M)?\\s*(?<zone>[A-Z]{1,3}|[+-]\\d{1,2}(?::?\\d{2})?)?)?';
const WEEKDAY = '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,?\\s+)?';
const MONTH = '(?<name>[a-z]{3,9})\\.?';
const DAY = '(?<day>\\d{1,2})(?:st|nd|rd|th)?';

const FORMS = [
  `(?<year>\\d{4})(?<sign>[-/.])(?<month>\\d{1,2})\\k<sign>(?<day>\\d{1,2})${TIME}`, // 2015-3-7 10:00 -0500
  `${WEEKDAY}${DAY}\\s+${MONTH},?\\s+(?<year>\\d{4})${TIME}`, // Sat, 7 Mar 2015 10:00:00 GMT
  `${WEEKDAY}${MONTH}\\s+${DAY},?\\s+(?<year>\\d{4})${TIME}`, // March 7, 2015
].map((form) => new RegExp(`^${form}$`, 'i'));

/**
 * Converts a date as people and generators write it to the form of the database: `2015-03-07T10:00:00-05:00`. Without a
 * time it is midnight, without a zone UTC; fractions of a second are dropped. Null if it cannot be read, or if the day or time does not
 * exist.
 */
export function parseDate(written: string): string | null {
  const text = written.trim();
  if (text.length > 100) return null;
  const parts = FORMS.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (parts === undefined) return null;
  const month = parts['name'] === undefined ? Number(parts['month']) : monthNamed(parts['name']);
  const hour = hourOf(Number(parts['hour'] ?? 0), parts['half']?.toUpperCase());
  const zone = parts['zone'] === undefined ? undefined : offset(parts['zone']);
  if (hour === null || zone === null) return null;
  const day = `${parts['year']}-${two(month)}-${two(Number(parts['day']))}`;
  const time = `${two(hour)}:${parts['minute'] ?? '00'}:${parts['second'] ?? '00'}`;
  const local = `${day}T${time}`;
  return isReal(day, time) ? local + (zone ?? '+00:00') : null;
}

/** Whether a moment, as `parseDate` gives it, is later than `now`. */
export function isAfter(date: string, now: Date): boolean {
  return Date.parse(date) > now.getTime();
}

/** Whether a post is no longer public. */
export function hasExpired({ expiresAt }: { readonly expiresAt?: string | null }, now: Date): boolean {
  return typeof expiresAt === 'string' && !isAfter(expiresAt, now);
}

function monthNamed(name: string): number {
  return MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half === 'PM' ? 12 : 0);
}

function offset(zone: string): string | null {
  const [, sign, hours, minutes = '00'] = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(zone) ?? [];
  if (sign === undefined) return ZONES[zone.toUpperCase()] ?? null;
  // SQLite reads offsets up to 14 hours, the largest in use.
  if (Number(hours) > 14 || Number(minutes) > 59) return null;
  const size = `${two(Number(hours))}:${minutes}`;
  return size === '00:00' ? '+00:00' : `${sign}${size}`;
}

/** 31 April does not exist; `Date` would turn it into 1 May. */
function isReal(day: string, time: string): boolean {
  const moment = new Date(`${day}T${time}Z`);
  return !Number.isNaN(moment.getTime()) && day > '0001' && moment.toISOString() === `${day}T${time}.000Z`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
