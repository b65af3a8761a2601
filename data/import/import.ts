import Database from 'better-sqlite3';
import type { BlogDatabase } from '../database.ts';
import { OnePathOnly, SiteUrlInvalid } from './errors.ts';
import { readGhostExport } from './ghost/read.ts';
import { withinLimits } from './limits.ts';
import { readMarkdownBlog } from './markdown/read.ts';
import type { ImportedItem, ImportedPost, ImportReport, Skipped } from './post.ts';
import { type ImportProgress, SILENT } from './progress.ts';
import { dropQueue, queuedPosts, queueLength, queuePosts } from './queue.ts';
import { postWriter } from './write-post.ts';
import { readWordPressExport } from './wordpress/read.ts';
import { termWriter } from './write-terms.ts';

/**
 * Importing a blog, from one end to the other:
 *
 *     a format's `read`     its files or export → posts, one at a time     markdown/read.ts, ghost/read.ts,
 *                                                                          wordpress/read.ts
 *     the rules they share  dates, slugs, addresses, terms, plain text,    date.ts, slug.ts, address.ts,
 *                           one category, names, players of videos         term.ts, text.ts, taxonomy.ts,
 *                                                                          public-name.ts, player.ts
 *     withinLimits          texts that are too long                        limits.ts
 *     queuePosts            waiting until all are read, in a fixed order   queue.ts
 *     termWriter            categories, tags, authors                      write-terms.ts
 *     postWriter            posts, their slugs and tags                    write-post.ts
 *
 * What a format hands over, and what the report says, is in post.ts. A new format is a folder with a
 * `read`, and an entry here.
 */
export interface Format {
  /** For the list of formats in the command's help. */
  readonly description: string;
  /**
   * `now` tells what is still to come, and `site` is the public site's address where it is known.
   *
   * @throws ImportError when nothing at all can be read
   */
  readonly read: (path: string, options: ReadOptions) => AsyncIterable<ImportedItem>;
  /** For a format whose export may come in several files. */
  readonly readParts?: (paths: readonly string[], options: ReadOptions) => AsyncIterable<ImportedItem>;
}

export interface ReadOptions {
  readonly now: Date;
  readonly site?: string | null;
  /** Is told how the reading goes on, where that takes long. */
  readonly progress?: ImportProgress;
}

export const FORMATS = {
  markdown: {
    description: 'a folder of Markdown or HTML files with front matter (Jekyll, Hugo, Zola, 11ty)',
    read: readMarkdownBlog,
  },
  ghost: {
    description: 'the JSON file of an export of Ghost',
    read: (path, options) => readGhostExport([path], options),
    readParts: readGhostExport,
  },
  wordpress: {
    description: 'the XML files of an export of WordPress (Tools, Export)',
    read: (path, options) => readWordPressExport([path], options),
    readParts: readWordPressExport,
  },
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof FORMATS;

/** @throws OnePathOnly */
export function readBlog(
  name: FormatName,
  [path, ...others]: readonly [string, ...string[]],
  options: ReadOptions,
): AsyncIterable<ImportedItem> {
  const format: Format = FORMATS[name];
  if (others.length === 0) return format.read(path, options);
  if (format.readParts === undefined) throw new OnePathOnly(name);
  return format.readParts([path, ...others], options);
}

/**
 * The public site's address, for what formats make of it: the one that is given with this import, else the
 * one in the database. Null while nobody has said it.
 *
 * @throws SiteUrlInvalid
 */
export function siteAddress(db: BlogDatabase, given: string | undefined): string | null {
  if (given !== undefined) return parseSiteUrl(given);
  const known = db.prepare<[], string>('SELECT url FROM site').pluck().get();
  return known === undefined || known === UNSAID_SITE ? null : known;
}

/** What schema.sql has in its place. */
const UNSAID_SITE = 'https://blog.example';

export interface Import {
  readonly db: BlogDatabase;
  readonly items: AsyncIterable<ImportedItem>;
  /** What the import sets of the site; without it the site stays as it is. */
  readonly site?: { readonly url?: string | undefined } | undefined;
  /** Is told how the writing goes on. */
  readonly progress?: ImportProgress;
}

/**
 * Writes what a format read into the database, in one transaction: all of it, or nothing when it is
 * stopped. Posts are found again by their source, so that importing the same twice changes nothing at
 * all. Posts of other sources, and those no longer in this one, are left as they are.
 *
 * @throws SiteUrlInvalid, and whatever `items` throws; then nothing is written
 */
export async function importBlog({ db, items, site, progress = SILENT }: Import): Promise<ImportReport> {
  const siteUrl = site?.url === undefined ? null : parseSiteUrl(site.url);
  try {
    const skipped = await queuePosts(db, withinLimits(items));
    return db.transaction(() => writeQueued(db, siteUrl, skipped, progress)).immediate();
  } finally {
    dropQueue(db);
  }
}

function writeQueued(
  db: BlogDatabase,
  siteUrl: string | null,
  unread: readonly Skipped[],
  progress: ImportProgress,
): ImportReport {
  if (siteUrl !== null) db.prepare('UPDATE site SET url = @siteUrl WHERE url <> @siteUrl').run({ siteUrl });
  const terms = termWriter(db);
  const write = postWriter(db, terms);
  const skipped = [...unread];
  const renamed: { source: string; slug: string; wanted: string }[] = [];
  let posts = 0;
  let unchanged = 0;
  progress.begin('posts', queueLength(db));
  try {
    for (const post of queuedPosts(db)) {
      progress.advance(1);
      const before = { ...terms.changed };
      const written = orSkipped(post, () => db.transaction(write)(post));
      if ('reason' in written) {
        Object.assign(terms.changed, before); // Its terms were taken back with it.
        skipped.push(written);
        continue;
      }
      if (written.change === 'none') unchanged += 1;
      else posts += 1;
      if (written.slug !== post.slug)
        renamed.push({ source: post.source, slug: written.slug, wanted: post.slug });
    }
  } finally {
    progress.end();
  }
  return { imported: { posts, ...terms.changed }, unchanged, renamed, skipped };
}

/** A row that the schema refuses is left out, and does not take the others with it. */
function orSkipped<T>(post: ImportedPost, write: () => T): T | Skipped {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_CONSTRAINT')) throw error;
    return { source: post.source, reason: `the database refuses it: ${error.message}` };
  }
}

/** `https://blog.example`, with a path where the blog has one, and no slash at the end. */
function parseSiteUrl(written: string): string {
  if (!/^https?:\/\//i.test(written) || !URL.canParse(written)) throw new SiteUrlInvalid(written);
  const { origin, pathname, search, hash, username } = new URL(written);
  if (search !== '' || hash !== '' || username !== '') throw new SiteUrlInvalid(written);
  return origin + pathname.replace(/\/+$/, '');
}
