import nodePath from 'node:path';
import { withSlashes } from '../../common/slashes.ts';
import type { RenderedPage } from './page.ts';

/**
 * The `source` of each page, stable while the page stays in its file, and the same as without the engine:
 * `markdown:posts/hello.md`. A page without a file below `root` is identified by its address, and so are all pages of a
 * `.gotmpl` of Hugo, which makes several. If several languages share a file, the default one has its path, and the others
 * `PATH#LANGUAGE`.
 */
export function identifyPages<T extends Pick<RenderedPage, 'file' | 'url' | 'language'>>(
  pages: readonly T[],
  root: string,
): ReadonlyMap<T, string> {
  const sources = new Map<T, string>();
  const taken = new Set<string>();
  const isTranslation = ({ language }: T): number => (language === null ? 0 : 1);
  for (const page of pages.toSorted((a, b) => isTranslation(a) - isTranslation(b))) {
    const path = page.file === '' ? null : pathBelow(root, page.file);
    const own = `markdown:${path === null || path.endsWith('.gotmpl') ? addressPath(page.url) : path}`;
    const source = taken.has(own) && page.language !== null ? `${own}#${page.language}` : own;
    sources.set(page, source);
    taken.add(source);
  }
  return sources;
}

/** The path of a file from `root`, with `/`; null if it is not below. */
export function pathBelow(
  root: string,
  file: string,
  paths: Pick<typeof nodePath, 'isAbsolute' | 'relative' | 'sep'> = nodePath,
): string | null {
  const path = paths.relative(root, file);
  // On another drive of Windows it stays absolute.
  return path === '' || path.startsWith('..') || paths.isAbsolute(path) ? null : withSlashes(path, paths);
}

function addressPath(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}
