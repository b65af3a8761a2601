import { parseDate } from '../../common/content/date.ts';

/** Facts from the path of a post's file, before it is opened. */
export interface Place {
  /** Relative to the imported folder, with `/`. */
  readonly path: string;
  /** The name without date, language and extension; for a bundle (`hello/index.md`), its folder's name. */
  readonly name: string;
  readonly extension: string;
  /** `es` for `index.es.md`; null without such a suffix. */
  readonly language: string | null;
  /** As written (`2017-2-5`); it may not exist. */
  readonly date: string | null;
  readonly isBundle: boolean;
}

const DATED_NAME = /^(?<date>\d{4}-\d{1,2}-\d{1,2})(?:[-_ ]+(?<rest>.+))?$/s;

/**
 * Parses the path of a file. If the suffix of `stem.suffix` is a language code, `isTranslation` decides whether it is a
 * translation of `stem`: `node.js.md` is not.
 */
export function parsePath(path: string, isTranslation: (stem: string, suffix: string) => boolean): Place {
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
    date: dated.date ?? folderDate(folders),
    isBundle,
  };
}

/** Whether the text is the code of a known language, such as `es` or `zh-cn`. */
function isLanguageCode(text: string): boolean {
  try {
    return LANGUAGE_NAMES.of(text) !== undefined;
  } catch {
    return false;
  }
}

const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** The date at the beginning of or inside a path such as Zola's `2015/03/17/hello`; null without one. */
export function folderDate(segments: readonly string[]): string | null {
  const [, year, month, day] = /(?:^|\/)(\d{4})\/(\d{1,2})\/(\d{1,2})(?:\/|$)/.exec(segments.join('/')) ?? [];
  const date = `${year}-${month}-${day}`;
  // Three folders of digits may not be a date; digits in a file's name are always meant as one.
  return year !== undefined && parseDate(date) !== null ? date : null;
}

function splitDate(name: string): { date: string | null; name: string } {
  const groups = DATED_NAME.exec(name)?.groups;
  return { date: groups?.['date'] ?? null, name: groups?.['rest'] ?? name };
}

/** Whether `stem.suffix` is a translation of `stem`, given the paths of all files without extensions. */
export function translationsAmong(
  paths: readonly string[],
): (folder: string, stem: string, suffix: string) => boolean {
  const stems = new Map<string, number>();
  for (const path of paths) {
    const stem = path.replace(/\.[^./]*$/, '').replace(/\.[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i, '');
    stems.set(stem, (stems.get(stem) ?? 0) + 1);
  }
  return (folder, stem, suffix) =>
    isLanguageCode(suffix) && (/^index$/.test(stem) || (stems.get(folder + stem) ?? 0) > 1);
}

/**
 * The path on the site of a page bundle (`hello/index.md`) and its files, such as `/posts/hello/`: its own address if it
 * has one, else its folder below `content/`. Null for other posts, and where neither is known. `above` are the folders
 * above the imported one.
 */
export function bundlePath(place: Place, above: readonly string[], ownUrl: string | null): string | null {
  if (!place.isBundle) return null;
  if (ownUrl !== null) return /^\/(?:[^.]|\.(?=.*\/))*$/.test(ownUrl) ? ownUrl.replace(/\/?$/, '/') : null;
  const folders = [...above, ...folderNames(place)];
  const content = folders.lastIndexOf('content');
  return content === -1 ? null : `/${folders.slice(content + 1).join('/')}/`;
}

/** The folders that a file is in, from the imported one. */
export function folderNames({ path }: Pick<Place, 'path'>): string[] {
  return path.split('/').slice(0, -1);
}
