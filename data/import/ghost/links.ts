import { decodePercent } from '../slug.ts';
import type { PostRow } from './tables.ts';

/** What an export writes in place of the site's own address. */
const PLACEHOLDER = '__GHOST_URL__';

/** Text with the site's address in place of the placeholder; without a site, with paths. */
export function withSite(text: string, site: string | null): string {
  return text.replaceAll(PLACEHOLDER, site ?? '');
}

/**
 * HTML whose paths on the site are addresses. Where an article names another site as its own (a canonical
 * address), its paths would otherwise lead there.
 */
export function withAddresses(html: string, site: string | null): string {
  const own = withSite(html, site);
  if (site === null) return own;
  const { origin } = new URL(site);
  return own.replace(/<[a-z][^<>]*>/gi, (tag) =>
    tag.replace(/(\s(?:href|src|poster)\s*=\s*["']?)\/(?=[^/])/gi, `$1${origin}/`),
  );
}

/** The address of a file: absolute, or a path on the site where that is not known. Null for anything else. */
export function fileAddress(written: string | null, site: string | null): string | null {
  const address = withSite(written ?? '', site).trim();
  if (address.startsWith('//')) return `https:${address}`;
  if (address.startsWith('/')) return site === null ? address : new URL(site).origin + address;
  return /^https?:\/\/./i.test(address) ? address : null;
}

/** What a post's address may be made of. */
export interface Place {
  readonly slug: string;
  /** As `momentIn` gives it. */
  readonly publishedAt: string | null;
  readonly author: string | null;
  readonly firstTag: string | null;
}

/**
 * The path at which Ghost serves a post: `/slug/`, or what the setting `permalinks` of versions before 2.0
 * says. Null for a draft whose path would have a date in it.
 */
export function ownPath(
  row: PostRow,
  place: Place,
  permalinks: string | undefined,
  site: string | null,
): string | null {
  const pattern = permalinks && /:(?:slug|id)\b/.test(permalinks) ? permalinks : '/:slug/';
  const [year, month, day] = (place.publishedAt ?? '').slice(0, 10).split('-');
  const parts: Readonly<Record<string, string | null | undefined>> = {
    slug: place.slug,
    id: row.id,
    year,
    month,
    day,
    author: place.author,
    primary_author: place.author,
    primary_tag: place.firstTag ?? 'all',
  };
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => parts[name] || ':');
  if (path.includes(':')) return null;
  const below = site === null ? '' : decodePercent(new URL(site).pathname).replace(/\/+$/, '');
  return `${below}/${path.replace(/^\/+/, '')}`;
}
