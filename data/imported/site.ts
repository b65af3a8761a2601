import type { BlogDatabase } from '../database.ts';
import { hasSample } from '../sample-origin.ts';
import { SiteUrlInvalid } from './errors.ts';
import type { Origin } from './origin.ts';
import type { ImportedBlog } from '../../import/imported-item.ts';

/** The default values of schema.sql. */
const UNSAID = { name: 'Blog', url: 'https://blog.example' };

interface Site {
  readonly name: string | null;
  readonly url: string | null;
}

/** The public site in the database. Name and address are null until they are set: then placeholders are used. */
export function knownSite(db: BlogDatabase): Site {
  const { name, url } = siteRow(db);
  return { name: name === UNSAID.name ? null : name, url: url === UNSAID.url ? null : url };
}

/**
 * The public site's address, for the reading of formats: the one given with this import, or else the one in the
 * database. Null until it is set, and while it is the sample's, which the first blog replaces.
 *
 * @throws SiteUrlInvalid
 */
export function siteAddress(db: BlogDatabase, given: string | undefined): string | null {
  if (given !== undefined) return parseSiteUrl(given);
  return hasSample(db) ? null : knownSite(db).url;
}

/**
 * Takes the site's name and address from a blog if they are not set, or if this blog set them at an earlier import. The
 * owner's own values stay.
 *
 * @param given the blog's address, if it was given with this import; it is kept until another is given
 * @param configured the configured address, which overrides the database's
 * @returns as `findHome`
 */
export function updateSite(
  db: BlogDatabase,
  { site }: ImportedBlog,
  { id }: Pick<Origin, 'id'>,
  given: string | null,
  configured: string | undefined,
): string | null {
  const { name = null, url = null } = site ?? {};
  const before = known(db, id);
  const set = (column: 'name' | 'url', value: string): void => {
    db.prepare(`UPDATE site SET ${column} = @value WHERE ${column} <> @value`).run({ value });
    db.prepare(`UPDATE origins SET site_${column} = ? WHERE id = ?`).run(value, id);
  };
  const said = { name: name?.trim() || null, url: url === null || before.isGiven ? null : siteUrlFrom(url) };
  const home = homeAt(db, id, given ?? said.url ?? before.url, configured);
  const row = siteRow(db);
  for (const column of ['name', 'url'] as const) {
    const value = said[column];
    const isOurs = row[column] === UNSAID[column] || row[column] === before[column];
    if (value !== null && isOurs) set(column, value);
  }
  if (given !== null && home === null) set('url', given);
  // The site's patterns are those of the blog that is there. The owner's own are in the configuration.
  for (const [kind, pattern] of home === null ? Object.entries(site?.paths ?? {}) : [])
    if (pattern !== null)
      db.prepare(`UPDATE site SET ${kind}_path = @pattern WHERE ${kind}_path <> @pattern`).run({ pattern });
  const own = given === null ? (before.isGiven ? null : home) : `${given}/`;
  if (own !== null) db.prepare('UPDATE origins SET site_url = ? WHERE id = ?').run(own, id);
  return home;
}

/**
 * The address of a blog, if the site's is another blog's; null: the site's is its own. An address that no blog has is
 * the owner's, and for all blogs.
 */
export function findHome(db: BlogDatabase, id: number, configured: string | undefined): string | null {
  return homeAt(db, id, known(db, id).url, configured);
}

function homeAt(
  db: BlogDatabase,
  id: number,
  url: string | null,
  configured: string | undefined,
): string | null {
  const current = siteUrlFrom(configured ?? siteRow(db).url);
  const ofOther = db.prepare("SELECT 1 FROM origins WHERE rtrim(site_url, '/') = ? AND id <> ?");
  return url === null || url === current || ofOther.get(current, id) === undefined ? null : url;
}

/** What is known of a blog's site. In the database, an address that its owner has given ends with a slash. */
function known(db: BlogDatabase, id: number): Site & { readonly isGiven: boolean } {
  const { name = null, url = null } =
    db
      .prepare<[number], Site>('SELECT site_name AS name, site_url AS url FROM origins WHERE id = ?')
      .get(id) ?? {};
  return { name, url: url?.replace(/\/$/, '') ?? null, isGiven: url?.endsWith('/') === true };
}

/** The configuration's values for the site. */
export interface SiteSettings {
  readonly url?: string | undefined;
  readonly postPath?: string | undefined;
}

/** The pattern of posts' paths (common/site-paths.ts): as configured, or else as in the database. */
export function findPostPath(db: BlogDatabase, configured: string | undefined): string {
  const path = db.prepare<[], string>('SELECT post_path FROM site').pluck().get();
  return configured ?? path ?? '/posts/{slug}';
}

/** `https://blog.example`, with the blog's path if it has one, and no trailing slash. @throws SiteUrlInvalid */
export function parseSiteUrl(written: string): string {
  const url = siteUrlFrom(written);
  if (url === null) throw new SiteUrlInvalid(written);
  return url;
}

/** Like `parseSiteUrl`; null if the text is not the URL of a site. */
function siteUrlFrom(written: string): string | null {
  if (!/^https?:\/\//i.test(written) || !URL.canParse(written)) return null;
  const { origin, pathname, search, hash, username } = new URL(written);
  if (search !== '' || hash !== '' || username !== '') return null;
  return origin + pathname.replace(/\/+$/, '');
}

function siteRow(db: BlogDatabase): { name: string; url: string } {
  return db.prepare<[], { name: string; url: string }>('SELECT name, url FROM site').get() ?? UNSAID;
}
