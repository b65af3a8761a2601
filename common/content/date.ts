const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** By offset, the zone names of RFC 2822 (4.3), and others with one meaning. Any other name counts as UTC, as RFC 2822 says. */
const ZONES = new Map(
  Object.entries({
    '-10:00': 'HST',
    '-09:00': 'AKST',
    '-08:00': 'AKDT PST',
    '-07:00': 'MST PDT',
    '-06:00': 'CST MDT',
    '-05:00': 'CDT EST',
    '-04:00': 'EDT',
    '+01:00': 'BST CET MET WEST',
    '+02:00': 'CEST EET MEST SAST',
    '+03:00': 'EEST MSK',
    '+08:00': 'AWST HKT',
    '+09:00': 'JST KST',
    '+10:00': 'AEST',
    '+11:00': 'AEDT',
    '+12:00': 'NZST',
    '+13:00': 'NZDT',
  }).flatMap(([offset, names]) => names.split(' ').map((name) => [name, offset])),
);

const CLOCK =
  '(?<hour>\\d{1,2}):(?<minute>\\d{2})(?::(?<second>\\d{2})(?:[.,]\\d+)?)?\\s*(?<half>[AP]M|[AP]\\.M\\.)?';
const OFFSET =
  '(?:GMT|UTC)?(?<offset>[+-]\\d{1,2}(?::?\\d{2})?)(?:\\s+[A-Z]{1,5})?(?:\\s+m=\\S+|\\[[^\\]]+\\])?';
const ZONE = `\\s*(?:${OFFSET}|(?<zone>[A-Z]{1,5}))?`;
const TIME = `(?:(?:T|,?\\s+(?:at\\s+|-\\s+)?)${CLOCK}${ZONE})?`;
const WEEKDAY = '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?(?:,|,?\\s)\\s*)?';
const MONTH = '(?<name>[a-z]{3,9})\\.?';
const DAY = '(?<day>\\d{1,2})(?:st|nd|rd|th)?';
const YEAR = '(?<year>\\d{4})';

const FORMS = [
  `${YEAR}(?<sign>[-/.])(?<month>\\d{1,2})\\k<sign>(?<day>\\d{1,2})${TIME}`, // 2015-3-7 10:00 -0500
  `${WEEKDAY}${DAY}[\\s-]+${MONTH}[,\\s-]+(?<year>\\d{4}|\\d{2})${TIME}`, // Sat, 7 Mar 2015 10:00:00 GMT
  `${WEEKDAY}${MONTH}\\s+${DAY},?\\s+${YEAR}${TIME}`, // March 7, 2015
  `${WEEKDAY}${MONTH}\\s+${DAY}\\s+${CLOCK}${ZONE}\\s+${YEAR}`, // Sat Mar  7 10:00:00 CET 2015
  `${WEEKDAY}${MONTH}\\s+${DAY}\\s+${CLOCK}\\s+${YEAR}${ZONE}`, // Sat Mar 7 10:00:00 2015 +0100
].map((form) => new RegExp(`^${form}$`, 'i'));

/**
 * Converts a date as people and generators write it to the form of the database: `2015-03-07T10:00:00-05:00`. Without a
 * time it is midnight, without a zone UTC. Fractions and leap seconds are dropped, and comments (RFC 2822). Null if it cannot be
 * read, or if the day or time does not exist.
 */
export function parseDate(written: string): string | null {
  if (written.length > 100) return null;
  const text = withoutComments(written)
    .replace(/\s*:\s*/g, ':')
    .trim();
  const parts = FORMS.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (parts === undefined) return null;
  const month = parts['name'] === undefined ? Number(parts['month']) : monthNamed(parts['name']);
  const hour = to24Hours(Number(parts['hour'] ?? 0), parts['half']?.[0]?.toUpperCase());
  const zone = parts['offset'] === undefined ? findOffset(parts['zone']) : offset(parts['offset']);
  if (hour === null || zone === null) return null;
  const day = `${fullYear(parts['year'] ?? '')}-${two(month)}-${two(Number(parts['day']))}`;
  const second = parts['second'] === '60' ? '59' : (parts['second'] ?? '00');
  const time = `${two(hour)}:${parts['minute'] ?? '00'}:${second}`;
  return isReal(day, time) ? `${day}T${time}${zone}` : null;
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

function to24Hours(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half === 'P' ? 12 : 0);
}

/** Comments may contain comments. */
function withoutComments(text: string): string {
  const less = text.replace(/\((?:[^()\\]|\\.)*\)/g, ' ');
  return less === text ? text : withoutComments(less);
}

/** RFC 850 has years of two digits. */
function fullYear(year: string): string {
  if (year.length === 4) return year;
  return (year < '70' ? '20' : '19') + year;
}

function findOffset(name = 'UTC'): string {
  return ZONES.get(name.toUpperCase()) ?? '+00:00';
}

function offset(written: string): string | null {
  const [, sign = '', hours, minutes = '00'] = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(written) ?? [];
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
