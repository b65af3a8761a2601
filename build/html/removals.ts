import { isLazyAddress, LAZY_BACKGROUNDS } from '../../common/content/lazy-attributes.ts';
import { HTML_POLICY } from './policy.ts';

/**
 * What the sanitiser removed from articles although a reader would miss it, by kind: `frame` with the host if it has one,
 * `custom element` with its name, `link` with the scheme of its address, `image` and `media file` (without an address that can
 * be shown), `background image`, `form field`, `object`, `drawing`, `script`, `noscript text`, `image map`, `text track`.
 */
export type Removals = Readonly<Record<string, number>>;

/** A kind of removal, over all articles. */
export interface Removed {
  readonly kind: string;
  readonly count: number;
  /** Articles with at least one. */
  readonly posts: number;
  /** Of frames their hosts, of custom elements their names, of links their schemes; the most frequent first. */
  readonly hosts: readonly string[];
}

const KINDS: Readonly<Record<string, string>> = {
  // A button is none: its text stays, and without the blog's scripts it does nothing.
  input: 'form field',
  select: 'form field',
  textarea: 'form field',
  object: 'object',
  embed: 'object',
  applet: 'object',
  svg: 'drawing',
  canvas: 'drawing',
  script: 'script',
  map: 'image map',
  track: 'text track',
};

/**
 * The kind of an element that is removed; undefined: nobody misses it.
 *
 * @param attributes with absolute addresses
 */
export function findRemoval(tag: string, attributes: Readonly<Record<string, string>>): string | undefined {
  if (attributes['type'] === 'hidden') return undefined;
  if (tag !== 'iframe') return KINDS[tag];
  const host = URL.parse(attributes['src'] ?? '')?.hostname;
  return host ? `frame ${host}` : 'frame';
}

/** A background that is a file; an address of 2,000 characters at most, so that the time is linear. */
const BACKGROUND =
  /background(?:-image)?\s{0,9}:[^;]{0,200}?url\(\s{0,9}(["']?)(?!data:)([^)"']{1,2000})\1\s{0,9}\)/i;

/** The address of the image behind an element; undefined: none. */
export function findBackground(attributes: Readonly<Record<string, string>>): string | undefined {
  const { style } = attributes;
  const lazy = LAZY_BACKGROUNDS.map((name) => attributes[name] ?? '').find(isLazyAddress);
  if (lazy !== undefined) return lazy.replace(/^\s*(?:url\(\s*["']?)?|[\s,"')].*$/gs, '');
  return style?.includes('url(') ? BACKGROUND.exec(style)?.[2] : undefined;
}

/** Elements that cover what is behind them. */
const OPAQUE = new Set(['img', 'iframe', 'video', 'audio']);

/**
 * The kinds of what is missing in an element that stays: addresses that are not allowed, and the image behind it.
 *
 * @param attributes with absolute addresses; empty: it cannot be one
 */
export function missingIn(tag: string, attributes: Readonly<Record<string, string>>): string[] {
  const { href, src, poster } = attributes;
  const allowed = HTML_POLICY.schemesByTag[tag] ?? HTML_POLICY.schemes;
  const isLost = (address: string | undefined): boolean =>
    address !== undefined && !address.startsWith('#') && !allowed.includes(parseScheme(address));
  const kinds: string[] = [];
  if (tag === 'a' && isLost(href)) kinds.push(`link ${parseScheme(href ?? '')}`.trimEnd());
  if (tag === 'img' && !allowed.includes(parseScheme(src ?? ''))) kinds.push('image');
  if (tag !== 'img' && isLost(src)) kinds.push('media file');
  if (isLost(poster)) kinds.push('image');
  if (findBackground(attributes) !== undefined && !OPAQUE.has(tag)) kinds.push('background image');
  return kinds;
}

function parseScheme(address: string): string {
  return /^([a-z][a-z\d+.-]*):/i.exec(address)?.[1]?.toLowerCase() ?? '';
}

/** Sums up the removals of articles by kind, the most frequent first. */
export function sumRemovals(articles: Iterable<Removals>): Removed[] {
  const kinds = new Map<string, { count: number; posts: number; hosts: Map<string, number> }>();
  for (const removals of articles) {
    const seen = new Set<string>();
    for (const [what, count] of Object.entries(removals)) {
      const [, kind = what, host] = /^(frame|custom element|link) (.+)$/s.exec(what) ?? [];
      const sum = kinds.get(kind) ?? { count: 0, posts: 0, hosts: new Map<string, number>() };
      kinds.set(kind, sum);
      sum.count += count;
      if (host !== undefined) sum.hosts.set(host, (sum.hosts.get(host) ?? 0) + count);
      if (!seen.has(kind)) sum.posts += 1;
      seen.add(kind);
    }
  }
  return [...kinds]
    .map(([kind, { count, posts, hosts }]) => ({ kind, count, posts, hosts: byCount(hosts) }))
    .toSorted((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1));
}

function byCount(hosts: ReadonlyMap<string, number>): string[] {
  return [...hosts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([host]) => host);
}
