import { dayOfYear } from './calendar.ts';
import { field, flagField, flagOf, textField } from '../fields.ts';
import { isList, isTable, type FrontMatter, type FrontValue } from '../front-matter.ts';

/** The place of a file in a Hugo site's content. */
export interface HugoFile {
  /** In lower case; the site's default if the file names none. */
  readonly language: string;
  /** Below the content folder; without the bundle's own folder. */
  readonly folders: readonly string[];
  /** Without language and extension; for a leaf bundle, its folder's name. */
  readonly name: string;
  readonly isBundle: boolean;
}

interface ContentFolder {
  /** Relative to the site's root, with a trailing slash; empty for the root. */
  readonly source: string;
  /** Where Hugo mounts it below `content/`. */
  readonly target: readonly string[];
  readonly language: string | null;
}

/** A file's place in a site's content, or null if it is outside. */
export function hugoFile(path: string, config: FrontMatter): HugoFile | null {
  const content = contentFolders(config).find(({ source }) => path.startsWith(source));
  if (content === undefined) return null;
  const below = [...content.target, ...path.slice(content.source.length).split('/')];
  const file = below.pop() ?? '';
  const stem = file.replace(/\.[^.]*$/, '');
  const [, shorter = stem, suffix = ''] = /^(.+)\.([^.]+)$/s.exec(stem) ?? [];
  const isSuffix = content.language === null && languageTables(config).has(suffix.toLowerCase());
  const name = isSuffix ? shorter : stem;
  const isBundle = name === 'index' && below.length > 0;
  return {
    language: content.language ?? (isSuffix ? suffix.toLowerCase() : defaultLanguage(config)),
    name: isBundle ? (below.pop() ?? '') : name,
    folders: below,
    isBundle,
  };
}

/**
 * The path below `baseURL` at which Hugo serves a page, percent-encoded: `/posts/hello/`. Null if it is uncertain.
 *
 * @param date ISO 8601, in its own offset; null: none
 */
export function hugoPath(
  file: HugoFile,
  frontMatter: FrontMatter,
  title: string,
  date: string | null,
  config: FrontMatter,
): string | null {
  const { language, folders, name } = file;
  const settings = languageTables(config).get(language) ?? {};
  const isFirst = language === defaultLanguage(config);
  const isPrefixed = !isFirst || flagField(config, 'defaultContentLanguageInSubdir') === true;
  const hasLanguages = languageTables(config).size > 0;
  const prefix = hasLanguages && isPrefixed ? `/${language}` : '';

  const own = textField(frontMatter, 'url');
  if (own !== null) {
    if (/[:#?]/.test(own)) return null;
    const path = own.startsWith('/') ? own : `${prefix}/${own}`;
    return encodeURI(/\.\w+$|\/$/.test(path) ? path : `${path}/`);
  }

  const tidy = (text: string): string => hugoPathOf(text, config);
  const [section = ''] = folders;
  const slug = textField(frontMatter, 'slug');
  const template = templateFor(section, settings, config);
  let path: string | null = [...folders, slug ?? name].join('/');
  if (template !== null) path = filled(template, { file, slug, title, date, tidy });
  if (path === null || /[#?]/.test(path)) return null;
  const tidied = tidy(path)
    .replace(/^\/+|\/+$/g, '')
    .replace(/\/{2,}/g, '/');
  if (tidied === '') return `${prefix}/`;
  const isUgly = uglyFor(section, settings) ?? uglyFor(section, config) ?? false;
  return encodeURI(`${prefix}/${tidied}`.toWellFormed()) + (isUgly ? '.html' : '/');
}

/** Hugo's `MakePathSanitized`: letters, digits and a few signs, in lower case; white space becomes a hyphen. */
export function hugoPathOf(text: string, config: FrontMatter): string {
  const plain =
    flagField(config, 'removePathAccents') === true
      ? text
          .normalize('NFD')
          .replace(/\p{Mn}/gu, '')
          .normalize('NFC')
      : text;
  let out = '';
  let gap = false;
  for (const sign of plain) {
    if (/[\p{L}\p{Nd}\p{M}./\\_#+~@%-]/u.test(sign)) {
      if (gap && sign !== '-') out += '-';
      gap = false;
      out += sign;
    } else if (out !== '' && !out.endsWith('-') && /\s/.test(sign)) gap = true;
  }
  return flagField(config, 'disablePathToLower') === true ? out : out.toLowerCase();
}

/** `permalinks.posts`, or `permalinks.page.posts` in newer versions. */
function templateFor(section: string, settings: FrontMatter, config: FrontMatter): string | null {
  for (const table of [field(settings, 'permalinks'), field(config, 'permalinks')]) {
    if (!isTable(table)) continue;
    const pages = field(table, 'page');
    for (const sections of [pages, table]) {
      const template = isTable(sections) ? sections[section] : undefined;
      if (typeof template === 'string' && template !== '') return template;
    }
  }
  return null;
}

function uglyFor(section: string, settings: FrontMatter): boolean | null {
  const value = field(settings, 'uglyURLs');
  return flagOf(isTable(value) ? value[section] : value);
}

interface Known {
  readonly file: HugoFile;
  readonly slug: string | null;
  readonly title: string;
  readonly date: string | null;
  readonly tidy: (text: string) => string;
}

const TOKEN = /:\w+(?:\[[^\]]*\])?/g;

function filled(template: string, known: Known): string | null {
  const unknown: string[] = [];
  const path = template.replace(TOKEN, (token) => {
    const value = tokenValue(token.slice(1), known);
    if (value === null) unknown.push(token);
    return value ?? '';
  });
  if (unknown.length > 0) return null;
  // Hugo decodes it a second time, so a plus becomes a space.
  try {
    return decodeURIComponent(path.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

function tokenValue(token: string, { file, slug, title, date, tidy }: Known): string | null {
  const { folders, name } = file;
  const [, list, range] = /^(sections)\[([^\]]*)\]$/.exec(token) ?? [];
  if (list !== undefined) return slice(folders, range ?? '');
  switch (token) {
    case 'section':
      return folders[0] ?? '';
    case 'sections':
      return folders.join('/');
    case 'title':
      return tidy(title);
    case 'slug':
      return tidy(slug ?? title);
    case 'filename':
    case 'contentbasename':
      return tidy(name);
    case 'slugorfilename':
    case 'slugorcontentbasename':
      return tidy(slug ?? name);
    default:
      return date === null ? null : datePart(token, date);
  }
}

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

function datePart(token: string, written: string): string | null {
  const date = new Date(`${written.slice(0, 19)}Z`);
  const [year = '', month = '', day = ''] = written.slice(0, 10).split('-');
  switch (token) {
    case 'year':
    case '2006':
      return year;
    case 'month':
    case '01':
      return month;
    case 'day':
    case '02':
      return day;
    case '06':
      return year.slice(2);
    case '1':
      return String(Number(month));
    case '2':
      return String(Number(day));
    case 'Jan':
      return (MONTHS[Number(month) - 1] ?? '').slice(0, 3);
    case 'monthname':
    case 'January':
      return MONTHS[Number(month) - 1] ?? '';
    case 'weekday':
      return String(date.getUTCDay());
    case 'weekdayname':
    case 'Monday':
      return WEEKDAYS[date.getUTCDay()] ?? '';
    case 'Mon':
      return (WEEKDAYS[date.getUTCDay()] ?? '').slice(0, 3);
    case 'yearday':
      return String(dayOfYear(date));
    default:
      return null;
  }
}

/** `1:`, `:last`, `0:2`, `last` or a number, as in Go. */
function slice(folders: readonly string[], range: string): string | null {
  const bound = (text: string, fallback: number): number =>
    text === '' ? fallback : text === 'last' ? folders.length - 1 : Number(text);
  const [from = '', to] = range.split(':');
  const start = bound(from, 0);
  const end = to === undefined ? start + 1 : bound(to, folders.length);
  return Number.isInteger(start) && Number.isInteger(end) ? folders.slice(start, end).join('/') : null;
}

function defaultLanguage(config: FrontMatter): string {
  return (textField(config, 'defaultContentLanguage') ?? 'en').toLowerCase();
}

function languageTables(config: FrontMatter): ReadonlyMap<string, FrontMatter> {
  const languages = field(config, 'languages');
  if (!isTable(languages)) return new Map();
  return new Map(
    Object.entries(languages).flatMap(([name, table]): [string, FrontMatter][] =>
      isTable(table) && flagField(table, 'disabled') !== true ? [[name.toLowerCase(), table]] : [],
    ),
  );
}

/** Deepest first. */
function contentFolders(config: FrontMatter): ContentFolder[] {
  const folder = (written: string): string => `${written.replace(/^\.?\/+|\/+$/g, '')}/`.replace(/^\/$/, '');
  const found: ContentFolder[] = [];
  for (const [language, settings] of languageTables(config)) {
    const written = textField(settings, 'contentDir');
    if (written !== null) found.push({ source: folder(written), target: [], language });
  }
  const mounts = list(field(config, 'module.mounts')).filter(isTable);
  for (const mount of mounts) {
    const source = textField(mount, 'source');
    const [root, ...target] = (textField(mount, 'target') ?? '').split('/').filter((part) => part !== '');
    if (source === null || root !== 'content') continue;
    found.push({ source: folder(source), target, language: textField(mount, 'lang')?.toLowerCase() ?? null });
  }
  const hasMount = mounts.some((mount) => /^content\/?$/.test(textField(mount, 'target') ?? ''));
  const own = folder(textField(config, 'contentDir') ?? 'content');
  if (!hasMount && !found.some(({ source }) => source === own)) {
    found.push({ source: own, target: [], language: null });
  }
  return found.sort((a, b) => b.source.length - a.source.length);
}

function list(value: FrontValue | undefined): readonly FrontValue[] {
  return isList(value) ? value : [];
}
