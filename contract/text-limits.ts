/**
 * Maximum lengths of a blog's texts. Importers and the build enforce the same table. The gateway's filters accept every
 * text that it allows, so everything in a list can also be requested.
 *
 * Characters are Unicode code points; a body is counted in bytes of UTF-8.
 */
export const TEXT_LIMITS = {
  /** Of an article. It is part of a path: each character takes up to 12 of the 16,384 bytes that a URL may have. */
  slug: 1000,
  /** For filters: slugs and names of categories and tags, names and usernames of authors. */
  name: 200,
  title: 1000,
  /** Descriptions, and texts for search engines. */
  description: 5000,
  /** Addresses: an article's own, covers, avatars. */
  address: 2000,
  /** In bytes: 2 MB. */
  body: 2_000_000,
} as const;

/** Texts that are cut if they are too long. If any other text is too long, its row is left out. */
export type CutText = 'title' | 'description';

/** Why an article's slug or an author's username cannot be part of a path; null: it can. */
export function pathNameFault(name: string, most: number): string | null {
  // URL parsers resolve these even where the dots are percent-encoded (WHATWG URL, "double-dot URL path segment").
  if (name === '.' || name === '..') return `"${name}" has another meaning in a URL`;
  if (name.includes('/')) return 'it contains a slash';
  return filterNameFault(name, most);
}

/** Why a name cannot be used in a filter; null: it can. */
export function filterNameFault(name: string, most: number = TEXT_LIMITS.name): string | null {
  if (hasControl(name)) return 'it contains control characters';
  return lengthFault(name, most);
}

/** `it has 201 characters; at most 200 are allowed`; null: short enough. */
export function lengthFault(text: string, most: number): string | null {
  if (text.length <= most) return null;
  const { length } = [...text];
  return length <= most ? null : `it has ${length} characters; at most ${most} are allowed`;
}

/** The fault of a body: `it has 2000001 bytes; at most 2000000 are allowed`. */
export function bodyFault(body: string): string | null {
  // A code unit takes 3 bytes of UTF-8 at most.
  if (body.length * 3 <= TEXT_LIMITS.body) return null;
  const bytes = new TextEncoder().encode(body).length;
  return bytes <= TEXT_LIMITS.body ? null : `it has ${bytes} bytes; at most ${TEXT_LIMITS.body} are allowed`;
}

/** The text; if it is longer than `TEXT_LIMITS` allows, its first characters with `…` as the last. */
export function cutText(text: string, kind: CutText): string {
  const most = TEXT_LIMITS[kind];
  if (lengthFault(text, most) === null) return text;
  return `${[...text.slice(0, 2 * most)].slice(0, most - 1).join('')}…`;
}

/** Whether a text has control characters (Unicode category Cc), which filters refuse. */
export function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
