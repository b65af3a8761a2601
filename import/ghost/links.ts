import { decodePercent } from '../../common/content/slug.ts';

/** Exports write this in place of the site's own address. */
const PLACEHOLDER = '__GHOST_URL__';

/** Replaces the placeholder with the site's URL; without a site, leaves paths. */
export function withSite(text: string, site: string | null): string {
  return text.replaceAll(PLACEHOLDER, site ?? '');
}

/**
 * Makes paths in HTML absolute. Otherwise, in an article whose canonical address is on another site, they would lead
 * there.
 */
export function withAddresses(html: string, site: string | null): string {
  const own = withSite(html, site);
  if (site === null) return own;
  const { origin } = new URL(site);
  return own.replace(/<[a-z][^<>]*>/gi, (tag) =>
    tag.replace(/(\s(?:href|src|poster)\s*=\s*["']?)\/(?=[^/])/gi, `$1${origin}/`),
  );
}

/** The address of a file: absolute, or a path if the site is unknown. Null for anything else. */
export function fileAddress(written: string | null, site: string | null): string | null {
  const address = withSite(written ?? '', site).trim();
  if (address.startsWith('//')) return `https:${address}`;
  if (address.startsWith('/')) return site === null ? address : new URL(site).origin + address;
  return /^https?:\/\/./i.test(address) ? address : null;
}

/** The inputs of a post's address. */
export interface Place {
  readonly slug: string;
  readonly id: string | null;
  /** As `momentIn` returns it. */
  readonly publishedAt: string;
  readonly author: string | null;
  readonly firstTag: string | null;
}

/** The path at which Ghost serves a post: `/slug/`, or the setting `permalinks` of versions before 2.0. */
export function ownPath(place: Place, permalinks: string | undefined, site: string | null): string | null {
  const pattern = permalinks && /:(?:slug|id)\b/.test(permalinks) ? permalinks : '/:slug/';
  const [year, month, day] = place.publishedAt.slice(0, 10).split('-');
  const parts: Readonly<Record<string, string | null | undefined>> = {
    slug: place.slug,
    id: place.id,
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
