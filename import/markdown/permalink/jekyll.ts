import { momentIn } from '../../../common/content/moment.ts';
import { dayOfYear, isoWeek } from './calendar.ts';
import { field, flagField, textField } from '../fields.ts';
import { isTable, type FrontMatter, type FrontValue } from '../front-matter.ts';

/** Jekyll's names for templates. */
const STYLES: Readonly<Record<string, string>> = {
  none: '/:categories/:title:output_ext',
  date: '/:categories/:year/:month/:day/:title:output_ext',
  ordinal: '/:categories/:year/:y_day/:title:output_ext',
  pretty: '/:categories/:year/:month/:day/:title/',
  weekdate: '/:categories/:year/W:week/:short_day/:title:output_ext',
};

const POST =
  /^(?<folders>(?:[^/]+\/)*?)_posts\/(?:.*\/)?(?<base>(?:\d{2,4}-\d{1,2}-\d{1,2}-)?(?<slug>[^/]*))\.[^./]+$/s;

/**
 * The path at which Jekyll 4 serves a post, percent-encoded: `/news/2015/03/17/hello/`. Null if its template has
 * placeholders that Jekyll does not know, or its file is not a post.
 *
 * @param path relative to the site's root
 * @param date ISO 8601 with an offset
 */
export function jekyllPath(
  path: string,
  frontMatter: FrontMatter,
  date: string | null,
  config: FrontMatter,
): string | null {
  const { folders = '', base = '', slug: named = '' } = POST.exec(path)?.groups ?? {};
  if (base === '' || date === null) return null;
  const slug = textField(frontMatter, 'slug') ?? named.replace(/\.+$/, '');
  const categories = [
    ...new Set([
      ...folders.split('/').filter((folder) => folder !== ''),
      ...words(field(frontMatter, 'categories')),
      ...[field(frontMatter, 'category')].flat().filter((name) => typeof name === 'string'),
    ]),
  ];
  const local = localDate(date, textField(config, 'timezone'));
  const values: Readonly<Record<string, string>> = {
    ...dateTokens(local),
    collection: 'posts',
    output_ext: '.html',
    path: `/${path.replace(/^.*_posts\//s, '').replace(/\.[^./]+$/, '')}`,
    name: slugified(base, DEFAULT),
    title: slugified(slug, PRETTY, true),
    slug: slugified(slug, DEFAULT),
    categories: [...new Set(categories.map((name) => name.toLowerCase()))].join('/'),
    slugified_categories: [...new Set(categories.map((name) => slugified(name, DEFAULT)))].join('/'),
  };
  return filled(templateOf(frontMatter, config), values);
}

/**
 * The path of a collection's document, by its file: `_docs/setup.md`. Null if it depends on front matter, or if it has
 * no page.
 */
export function documentPath(file: string, config: FrontMatter): string | null {
  const [, collection = '', path = ''] = /^_([^/]+)\/(.+)\.[^./]+$/s.exec(file) ?? [];
  const settings = field(config, `collections.${collection}`);
  if (!isTable(settings) || flagField(settings, 'output') !== true) return null;
  const name = slugified(path.replace(/^.*\//s, ''), PRETTY, true);
  const values = {
    collection,
    path: `/${path}`,
    output_ext: '.html',
    title: name,
    slug: name.toLowerCase(),
    name,
  };
  const style = textField(config, 'permalink') ?? 'date';
  const ending =
    style === 'pretty' || style.endsWith('/') ? '/' : /^[a-z]+$/.test(style) ? ':output_ext' : '';
  return filled(textField(settings, 'permalink') ?? `/:collection/:path${ending}`, values);
}

function templateOf(frontMatter: FrontMatter, config: FrontMatter): string {
  const own = textField(frontMatter, 'permalink');
  if (own !== null) return own; // Names of styles do not apply here.
  const written = textField(config, 'collections.posts.permalink') ?? styleOf(textField(config, 'permalink'));
  return written;
}

function styleOf(written: string | null): string {
  const name = (written ?? 'date').replace(/^:/, '');
  return Object.hasOwn(STYLES, name) ? (STYLES[name] ?? '') : (written ?? '');
}

function filled(template: string, values: Readonly<Record<string, string>>): string | null {
  const unknown: string[] = [];
  const text = template.replace(/:([a-z_]+)/g, (_all, name: string) => {
    if (Object.hasOwn(values, name)) return escaped(values[name] ?? '');
    const shorter = name.replace(/_$/, '');
    if (shorter !== name && Object.hasOwn(values, shorter)) return `${escaped(values[shorter] ?? '')}_`;
    unknown.push(name);
    return '';
  });
  if (unknown.length > 0) return null;
  return `/${text}`
    .replaceAll('..', '/')
    .replaceAll('./', '')
    .replace(/\/{2,}/g, '/');
}

function escaped(text: string): string {
  return encodeURI(text.toWellFormed()).replace('#', '%23');
}

const DEFAULT = /[^\p{M}\p{L}\p{Nd}]+/gu;
const PRETTY = /[^\p{M}\p{L}\p{Nd}._~!$&'()+,;=@]+/gu;

/** Jekyll's `slugify`, which can keep upper case. */
function slugified(text: string, replaced: RegExp, cased = false): string {
  const slug = text.replace(replaced, '-').replace(/^-|-$/g, '');
  return cased ? slug : slug.toLowerCase();
}

/** Text contains several, separated by spaces. */
function words(value: FrontValue | undefined): string[] {
  if (typeof value === 'string') return value.split(/\s+/).filter((word) => word !== '');
  if (value === undefined || value === null || typeof value === 'boolean' || isTable(value)) return [];
  return value.flatMap((item) => (typeof item === 'string' ? [item] : words(item)));
}

/** Jekyll uses the site's time zone; without `timezone`, the machine's, which is UTC on most. */
function localDate(date: string, zone: string | null): Date {
  const local = momentIn(zone, date) ?? date;
  return new Date(`${local.slice(0, 19)}Z`);
}

/** The parts of a date (in UTC) by Jekyll's names. */
function dateTokens(date: Date): Record<string, string> {
  const two = (number: number): string => String(number).padStart(2, '0');
  const name = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat('en', { timeZone: 'UTC', ...options }).format(date);
  const month = date.getUTCMonth() + 1;
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  const { week, weekYear } = isoWeek(date);
  return {
    year,
    month: two(month),
    day: two(date.getUTCDate()),
    hour: two(date.getUTCHours()),
    minute: two(date.getUTCMinutes()),
    second: two(date.getUTCSeconds()),
    i_day: String(date.getUTCDate()),
    i_month: String(month),
    short_month: name({ month: 'short' }),
    long_month: name({ month: 'long' }),
    short_year: year.slice(-2),
    w_year: String(weekYear),
    week: two(week),
    w_day: String(date.getUTCDay() || 7),
    short_day: name({ weekday: 'short' }),
    long_day: name({ weekday: 'long' }),
    y_day: String(dayOfYear(date)).padStart(3, '0'),
  };
}
