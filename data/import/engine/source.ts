import { relative, sep } from 'node:path';

/** A page's file, its address and its language, as its engine has them. */
export interface PageOrigin {
  /** An absolute path; null for a page without a file. */
  readonly file: string | null;
  readonly url: string;
  /** Null: the blog's own. */
  readonly language: string | null;
}

/**
 * The `source` of each page, for as long as it is in its file: the same that the reader without the engine gives. A
 * page that has none below `root` goes by its address, and so do all pages of one file that makes several. Where
 * several languages share a file, the blog's own has its path, and the others `PATH#LANGUAGE`.
 *
 * @param makesPages whether a file makes any number of pages
 */
export function sourcesOf<T extends PageOrigin>(
  pages: readonly T[],
  root: string,
  makesPages: (file: string) => boolean = () => false,
): ReadonlyMap<T, string> {
  const sources = new Map<T, string>();
  const taken = new Set<string>();
  const ownFirst = [
    ...pages.filter(({ language }) => language === null),
    ...pages.filter(({ language }) => language !== null),
  ];
  for (const page of ownFirst) {
    const path = page.file === null ? null : pathBelow(root, page.file);
    const isByAddress = path === null || makesPages(path);
    const own = isByAddress ? `markdown:${addressPath(page.url)}` : `markdown:${path}`;
    const source = taken.has(own) && page.language !== null ? `${own}#${page.language}` : own;
    sources.set(page, source);
    taken.add(source);
  }
  return sources;
}

function pathBelow(root: string, file: string): string | null {
  const path = relative(root, file);
  return path === '' || path.startsWith('..') || path.startsWith('/') ? null : path.split(sep).join('/');
}

function addressPath(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}
