import { field } from './fields.ts';
import { isList, type FrontMatter, type FrontValue } from './front-matter.ts';

/** Hugo's and Zola's `aliases`, and Jekyll's `redirect_from`: earlier paths that redirect to a page. */
export function aliasesOf(frontMatter: FrontMatter, url: string | null): string[] {
  const written = ['aliases', 'alias', 'redirect_from'].flatMap((key) => textsIn(field(frontMatter, key)));
  // Hugo's are relative to the page's folder, Zola's to the site.
  return written.flatMap((path) =>
    path.startsWith('/') || url === null ? path : [path, relativeTo(url, path)],
  );
}

function relativeTo(url: string, path: string): string {
  const base = URL.parse(url, 'https://blog.example')?.href;
  return URL.parse(`../${path}`, base)?.pathname ?? path;
}

function textsIn(value: FrontValue | undefined): string[] {
  if (typeof value === 'string') return [value];
  return isList(value) ? value.flatMap(textsIn) : [];
}
