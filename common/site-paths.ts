/**
 * Paths on the blog's public site, from the patterns of `site.paths` and of the table `site`. The build makes addresses
 * from them. Importers drop a post's own address if its pattern gives the same.
 */

/** The placeholders of each pattern. Only `{slug}` is unique, so every pattern needs it. */
const PLACEHOLDERS = {
  post: ['slug', 'year', 'month', 'day', 'category'],
  category: ['slug'],
  tag: ['slug'],
} as const;

export type PathKind = keyof typeof PLACEHOLDERS;

/** The fields of a post that its path may contain. */
export interface PostInPath {
  readonly slug: string;
  /** RFC 3339; the path has its day as written, in its own offset. Null: none, as in some drafts. */
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

/** Why a pattern is invalid, as the end of a sentence: `must begin with /`; null: it is valid. */
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
