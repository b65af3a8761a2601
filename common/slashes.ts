import nodePath from 'node:path';

/** A path with `/` between its names, as patterns, links and reports have it. */
export function withSlashes(path: string, { sep }: { readonly sep: string } = nodePath): string {
  return path.split(sep).join('/');
}
