import { decodePercent, tidySlug } from '../../common/content/slug.ts';

/** A post's own address on its site, from its front matter or its export. */
export interface Address {
  /** An absolute address, or a path that begins with `/`. */
  readonly url: string;
  /** The last segment; empty for the site's root. */
  readonly slug: string;
}

/** Jekyll's names of whole patterns, which say nothing about one post. */
const PATTERN_NAMES = /^(?:date|pretty|ordinal|weekdate|none)$/;

/** Placeholders of Jekyll and Hugo (`/:year/:title/`) and of template languages. */
const PLACEHOLDER = /(?:^|\/):[a-z]|\{\{|\{%|<%|\$\{/;

/**
 * Parses the address in `written`. Null if there is none: a pattern with placeholders, a scheme other than http(s), or
 * a path with `..` (also as `%2e%2e`) or to another host (`//`).
 */
export function parseAddress(written: string): Address | null {
  const text = written.trim();
  if (text === '' || PATTERN_NAMES.test(text) || PLACEHOLDER.test(text)) return null;
  if (/^[a-z][a-z\d+.-]*:/i.test(text)) return absoluteAddress(text);
  const path = text.replace(/[?#].*$/s, '').replace(/\s/g, '%20');
  const segments = safeSegments(path);
  if (segments === null || path.startsWith('//')) return null;
  return { url: `/${path.replace(/^\/+/, '')}`, slug: extractSlug(segments) };
}

function absoluteAddress(text: string): Address | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  // `URL` has resolved `..`; an encoded slash or backslash may still hide one.
  const segments = safeSegments(url.pathname);
  return segments === null ? null : { url: url.href, slug: extractSlug(segments) };
}

/** The decoded segments of a path; null if one is `..` or hides another path. */
function safeSegments(path: string): string[] | null {
  const segments = path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodePercent);
  const climbs = (segment: string): boolean => /^\.{1,2}$|[\\/\p{Cc}]/u.test(segment);
  return segments.some(climbs) ? null : segments;
}

function extractSlug(segments: readonly string[]): string {
  const names = segments.map((segment) => segment.replace(/\.(?:html?|php|aspx?)$/i, ''));
  return tidySlug(names.findLast((name) => name !== 'index') ?? '');
}

/**
 * A post's slug: the last segment of its address; or its own name, if that segment is a number or the post's language, as in
 * `/2016/11/03/`.
 */
export function slugAt(address: Address | null, name: string, language: string | null): string {
  const { slug = '' } = address ?? {};
  const isShared = /^\d*$/.test(slug) || slug.toLowerCase() === language?.toLowerCase();
  return (isShared && tidySlug(name)) || slug;
}

/** Folders at a site's root, which front matter often names without the slash. */
const ROOT_FOLDER = /^(?:\.\/)?(?:(?:static|public)\/|(?=(?:assets|images?|img|media|uploads|files)\/))/i;

/**
 * The path on the site of a file or page that a post names: absolute addresses and paths are unchanged; relative ones
 * are resolved from the post's bundle, if any. Never above the site's root.
 */
export function sitePath(written: string, bundle: string | null): string {
  if (written.startsWith('//')) return `https:${written}`;
  if (written === '' || /^(?:[a-z][a-z\d+.-]*:|[/#?])/i.test(written)) return written;
  if (bundle === null) return ROOT_FOLDER.test(written) ? `/${written.replace(ROOT_FOLDER, '')}` : written;
  // Themes also accept paths from `content/`.
  if (`/${written}`.startsWith(bundle)) return `/${written}`;
  const { pathname, search, hash } = new URL(written, `http://site.example${bundle}`);
  return decodePercent(pathname).replace(/\s/g, '%20') + search + hash;
}

/** The address of a picture, if it is absolute or a path on the site; null for any other. */
export function pictureAt(written: string | null | undefined): string | null {
  return written && /^(?:https?:\/\/.|\/[^/])/i.test(written) ? written : null;
}
