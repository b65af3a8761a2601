import { basename } from 'node:path';
import { zoneNamed } from '../../common/content/moment.ts';
import { patternFault } from '../../common/site-paths.ts';
import { whyUnread } from '../article/outcome.ts';
import type { ImportedBlog } from '../imported-item.ts';
import { textsOf } from './rows.ts';
import type { Views } from './views.ts';

/** The blog that the views show. */
export interface SiteInViews {
  readonly blog: ImportedBlog;
  /** Null: UTC. */
  readonly zone: string | null;
  /** What its owner should know. */
  readonly notes: readonly string[];
}

/** What is wrong with a value; null: nothing. */
const FAULTS: Readonly<Record<string, (value: string) => string | null>> = {
  url: (url) => (/^https?:\/\/[^/]/.test(url) && URL.canParse(url) ? null : 'is not an address'),
  post_path: (pattern) => patternFault('post', pattern),
  category_path: (pattern) => patternFault('category', pattern),
  tag_path: (pattern) => patternFault('tag', pattern),
  time_zone: (zone) => (zoneNamed(zone) === null ? 'is no time zone' : null),
};

/** @param path of the database */
export function siteIn(views: Views, path: string): SiteInViews {
  const [row = {}] = [...views.rows('offprint_site')];
  const texts = textsOf(row, 'offprint_site', views);
  const notes: string[] = [];
  const value = (column: string): string | null => {
    const note = (why: string): null => {
      notes.push(`${column} of offprint_site is not used: ${why}.`);
      return null;
    };
    try {
      const text = texts(column)?.trim() ?? null;
      const fault = text === null ? null : (FAULTS[column]?.(text) ?? null);
      return fault === null ? text : note(`"${text}" ${fault}`);
    } catch (error) {
      return note(whyUnread(error));
    }
  };
  const name = value('name');
  const zone = value('time_zone');
  const paths = { post: value('post_path'), category: value('category_path'), tag: value('tag_path') };
  const site = { name, url: value('url'), paths };
  const blog = { format: 'sql', key: path, name: name ?? basename(path), isWhole: true, site };
  return { blog, zone: zone && zoneNamed(zone), notes };
}
