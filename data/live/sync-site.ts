import { type PathKind, patternFault } from '../../common/site-paths.ts';
import type { BlogDatabase } from '../database.ts';
import { zoneNamed } from '../../common/content/moment.ts';
import type { SkippedRow } from '../skipped-row.ts';
import { LiveRow, RowUnusable } from './rows.ts';
import type { Views } from './views.ts';

/** The columns of `site` in schema.sql, with the rule and the default of each. */
const SITE = {
  name: { isUsable: (name: string) => /\S/.test(name), otherwise: 'Blog' },
  url: { isUsable: isAddress, otherwise: 'https://blog.example' },
  post_path: { isUsable: isPattern('post'), otherwise: '/posts/{slug}' },
  category_path: { isUsable: isPattern('category'), otherwise: '/categories/{slug}' },
  tag_path: { isUsable: isPattern('tag'), otherwise: '/tags/{slug}' },
} as const;

function isAddress(url: string): boolean {
  return /^https?:\/\/[^/]/.test(url);
}

function isPattern(kind: PathKind): (pattern: string) => boolean {
  return (pattern) => patternFault(kind, pattern) === null;
}

type SiteColumn = keyof typeof SITE;

/** Updates the site from the views, and returns the blog's time zone: null means UTC. */
export function syncSite(views: Views, mirror: BlogDatabase, leftOut: SkippedRow[]): string | null {
  const [row = {}] = [...views.rows('offprint_site')];
  const live = new LiveRow(row, 'offprint_site', views);
  const site = Object.fromEntries(
    Object.entries(SITE).map(([column, { isUsable, otherwise }]) => {
      const written = textOf(live, column, leftOut);
      if (written === null) return [column, otherwise];
      if (isUsable(written)) return [column, column === 'url' ? written.replace(/\/+$/, '') : written];
      leftOut.push({ table: 'offprint_site', row: column, reason: `"${written}" cannot be used` });
      return [column, otherwise];
    }),
  );
  const columns = Object.keys(SITE) as SiteColumn[];
  mirror
    .prepare(
      `UPDATE site SET ${columns.map((column) => `${column} = @${column}`).join(', ')}
       WHERE ${columns.map((column) => `${column} <> @${column}`).join(' OR ')}`,
    )
    .run(site);

  const zone = textOf(live, 'time_zone', leftOut);
  if (zone === null) return null;
  const known = zoneNamed(zone);
  if (known === null) {
    leftOut.push({ table: 'offprint_site', row: 'time_zone', reason: `there is no time zone "${zone}"` });
  }
  return known;
}

/** The site's address as in `syncSite`; null if there is no usable one. */
export function readAddress(views: Views): string | null {
  const [row = {}] = [...views.rows('offprint_site')];
  const written = textOf(new LiveRow(row, 'offprint_site', views), 'url', []);
  return written !== null && SITE.url.isUsable(written) && written !== SITE.url.otherwise ? written : null;
}

function textOf(live: LiveRow, column: string, leftOut: SkippedRow[]): string | null {
  try {
    return live.text(column)?.trim() || null;
  } catch (error) {
    if (!(error instanceof RowUnusable)) throw error;
    leftOut.push({ table: 'offprint_site', row: column, reason: error.message });
    return null;
  }
}
