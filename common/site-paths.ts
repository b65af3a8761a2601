/**
 * Paths on the blog's public site, by the patterns of `site.paths` and of the table `site`: the build makes addresses
 * of them, and importers leave out a post's own address where its pattern gives the same.
 */

/** What a pattern may hold in braces. Only `{slug}` is unique, so every pattern needs it. */
export const PLACEHOLDERS = {
  post: ['slug', 'year', 'month', 'day', 'category'],
  category: ['slug'],
  tag: ['slug'],
} as const;

export type PathKind = keyof typeof PLACEHOLDERS;

/** What a post's path is made of. */
export interface PostInPath {
  readonly slug: string;
  /** RFC 3339, of which the day is taken as written, in its own offset; null, as drafts may have: none. */
  readonly publishedAt: string | null;
  /** The slug of its category; null: none. */
  readonly category: string | null;
}

/**
 * A post's path, percent-encoded. Without a category, a segment `{category}` is left out, as in Jekyll's permalinks.
 *
 * `/{category}/{year}/{slug}` → `/news/2024/on-brevity`, or `/2024/on-brevity`
 */
export function postPath(pattern: string, { slug, publishedAt, category }: PostInPath): string {
  const [year = '', month = '', day = ''] = publishedAt?.slice(0, 10).split('-') ?? [];
  const used = category === null ? pattern.replace(/\/\{category\}(?=\/|$)/g, '') : pattern;
  return filled(used, { slug, year, month, day, category: category ?? '' });
}

/** The path of a category or tag, percent-encoded. */
export function termPath(pattern: string, slug: string): string {
  return filled(pattern, { slug });
}

/** What keeps a pattern from being used, as the end of a sentence: `must begin with /`; null: nothing. */
export function patternFault(kind: PathKind, pattern: string): string | null {
  if (!pattern.startsWith('/')) return 'must begin with /';
  if (!pattern.includes('{slug}')) return 'must contain {slug}';
  const known: readonly string[] = PLACEHOLDERS[kind];
  const unknown = [...pattern.matchAll(/\{([^{}]*)\}/g)].find(([, name = '']) => !known.includes(name));
  if (!unknown) return null;
  return `has no placeholder ${unknown[0]}; there ${known.length === 1 ? 'is' : 'are'} ${known.map((name) => `{${name}}`).join(', ')}`;
}

function filled(pattern: string, values: Readonly<Record<string, string>>): string {
  return pattern.replace(/\{([^{}]*)\}/g, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? placeholder : encodeURIComponent(value);
  });
}
