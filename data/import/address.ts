import { decodePercent, tidySlug } from './slug.ts';

/** A post's own place on its site, as its front matter or its export names it. */
export interface Address {
  /** An absolute address, or a path that begins with `/`. */
  readonly url: string;
  /** From its last segment; empty for the site's root. */
  readonly slug: string;
}

/** Names of whole patterns that Jekyll knows; they say nothing about one post. */
const PATTERN_NAMES = /^(?:date|pretty|ordinal|weekdate|none)$/;

/** Placeholders of Jekyll and Hugo (`/:year/:title/`), and of template languages. */
const PLACEHOLDER = /(?:^|\/):[a-z]|\{\{|\{%|<%|\$\{/;

/**
 * The address that `written` gives, or null when it gives none: a pattern with placeholders, another
 * scheme than http(s), or a path that climbs (`..`, also as `%2e%2e`) or leads to another host (`//`).
 */
export function parseAddress(written: string): Address | null {
  const text = written.trim();
  if (text === '' || PATTERN_NAMES.test(text) || PLACEHOLDER.test(text)) return null;
  if (/^[a-z][a-z\d+.-]*:/i.test(text)) return absoluteAddress(text);
  const path = text.replace(/[?#].*$/s, '').replace(/\s/g, '%20');
  const segments = safeSegments(path);
  if (segments === null || path.startsWith('//')) return null;
  return { url: `/${path.replace(/^\/+/, '')}`, slug: slugOf(segments) };
}

function absoluteAddress(text: string): Address | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  // `URL` has resolved what climbs; an encoded slash or backslash may still hide it.
  const segments = safeSegments(url.pathname);
  return segments === null ? null : { url: url.href, slug: slugOf(segments) };
}

/** The decoded segments of a path; null when one of them climbs or hides another path. */
function safeSegments(path: string): string[] | null {
  const segments = path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodePercent);
  const climbs = (segment: string): boolean => /^\.{1,2}$|[\\/\p{Cc}]/u.test(segment);
  return segments.some(climbs) ? null : segments;
}

function slugOf(segments: readonly string[]): string {
  const names = segments.map((segment) => segment.replace(/\.(?:html?|php|aspx?)$/i, ''));
  return tidySlug(names.findLast((name) => name !== 'index') ?? '');
}
