import type { SiteOverrides } from './site.ts';

/** What says which blog a build is of. */
export interface BlogNames {
  /** The setting `blog`. */
  readonly configured: string | null;
  readonly site: SiteOverrides;
  /** The site's address in the database; null if it is not set. */
  readonly url: string | null;
  /** Made with the database; null for those of schema version 1, and for mirrors, which are made again at will. */
  readonly uid: string | null;
}

/**
 * The ids of a blog, the one that it goes by first: the setting `blog`, the id of the site's address, the one made
 * with the database. Empty where nothing says which blog it is.
 */
export function blogIds({ configured, site, url, uid }: BlogNames): string[] {
  const address = site.url ?? url;
  const ids = [configured, address === null ? null : idOfAddress(address), uid];
  return [...new Set(ids.filter((id) => id !== null))];
}

/**
 * Host and path of an address. The scheme does not count, so that a site may move to https.
 *
 * `https://Blog.example/en/` → `blog.example/en`
 */
export function idOfAddress(address: string): string | null {
  const url = URL.parse(address);
  return url && url.host + url.pathname.replace(/\/+$/, '');
}

/**
 * Whether a build may replace what is served. A pointer of a version before 0.2 names no blog, and any blog may
 * take it over.
 */
export function isSameBlog(served: string | null, ids: readonly string[]): boolean {
  return served === null || ids.includes(served);
}
