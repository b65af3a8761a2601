import { parseDate } from '../../content/date.ts';

/** What the path of a post's file says, before the file is opened. */
export interface Place {
  /** From the imported folder, with `/`. */
  readonly path: string;
  /** The name without date, language and extension; of a bundle (`hello/index.md`) its folder's name. */
  readonly name: string;
  readonly extension: string;
  /** `es` of `index.es.md`; null without such a suffix. */
  readonly language: string | null;
  /** As it is written (`2017-2-5`), which need not be a real day. */
  readonly date: string | null;
  readonly isBundle: boolean;
  /** `_index.md`: the text of a list, not a post. */
  readonly isSection: boolean;
  /** The folders it lies in, outermost first; without the bundle's own. */
  readonly folders: readonly string[];
}

const DATED_NAME = /^(?<date>\d{4}-\d{1,2}-\d{1,2})(?:[-_ ]+(?<rest>.+))?$/s;

/**
 * Reads the path of a file. `isTranslation` decides whether `stem.suffix` is a translation of `stem`
 * when the suffix is the code of a language: `node.js.md` is not.
 */
export function placeOf(path: string, isTranslation: (stem: string, suffix: string) => boolean): Place {
  const folders = path.split('/');
  const file = folders.pop() ?? '';
  const [, full = file, extension = ''] = /^(.+)\.([^.]*)$/s.exec(file) ?? [];
  const [, shorter, suffix] = /^(.+)\.([a-z]{2,3}(?:-[a-z\d]{2,8})*)$/is.exec(full) ?? [];
  const translated = shorter !== undefined && suffix !== undefined && isTranslation(shorter, suffix);
  const stem = translated ? shorter : full;

  const isBundle = stem === 'index' && folders.length > 0;
  const dated = splitDate(isBundle ? (folders.pop() ?? stem) : stem);
  return {
    path,
    name: dated.name,
    extension: extension.toLowerCase(),
    language: translated ? suffix.toLowerCase() : null,
    date: dated.date ?? dateOfFolders(folders),
    isBundle,
    isSection: stem === '_index',
    folders,
  };
}

/** Whether the text is the code of a language that has a name, such as `es` or `zh-cn`. */
export function isLanguageCode(text: string): boolean {
  try {
    return LANGUAGE_NAMES.of(text) !== undefined;
  } catch {
    return false;
  }
}

const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** The date that a path such as Zola's `2015/03/17/hello` begins with or contains; null without one. */
export function dateOfFolders(segments: readonly string[]): string | null {
  const [, year, month, day] = /(?:^|\/)(\d{4})\/(\d{1,2})\/(\d{1,2})(?:\/|$)/.exec(segments.join('/')) ?? [];
  const date = `${year}-${month}-${day}`;
  // Three folders with numbers need not be a date; one in a file's name is always meant as one.
  return year !== undefined && parseDate(date) !== null ? date : null;
}

function splitDate(name: string): { date: string | null; name: string } {
  const groups = DATED_NAME.exec(name)?.groups;
  return { date: groups?.['date'] ?? null, name: groups?.['rest'] ?? name };
}
