import { SAMPLE } from '../../data/sample-origin.ts';
import type { SiteOverrides } from '../snapshot/site.ts';

/** Everything that identifies the blog of a build. */
interface BlogNames {
  /** The setting `blog`. */
  readonly configured: string | null;
  readonly site: SiteOverrides;
  /** The site's address in the database; null if it is not set. */
  readonly url: string | null;
  /** Created with the database; null: another program deleted it. */
  readonly uid: string | null;
}

/**
 * The ids of a blog, by precedence: the setting `blog`, the id of the site's URL, the id created with the database.
 * Empty: the blog is unknown.
 */
export function blogIds({ configured, site, url, uid }: BlogNames): string[] {
  const address = site.url ?? url;
  const ids = [configured, address === null ? null : idFromAddress(address), uid];
  return [...new Set(ids.filter((id) => id !== null))];
}

/**
 * Host and path of an address. The scheme is ignored, so that a site may move to https.
 *
 * `https://Blog.example/en/` → `blog.example/en`
 */
export function idFromAddress(address: string): string | null {
  const url = URL.parse(address);
  return url && url.host + url.pathname.replace(/\/+$/, '');
}

const SAMPLE_ID = idFromAddress(SAMPLE.url);

/** Whether an id is the sample blog's, of which nothing has to be kept. */
export function isSample(blog: string | null): boolean {
  return blog === SAMPLE_ID;
}

/**
 * Whether a build may replace what is served. Any blog may replace an unknown one, and the sample.
 */
export function isSameBlog(served: string | null, ids: readonly string[]): boolean {
  return served === null || isSample(served) || ids.includes(served);
}
