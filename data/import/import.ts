import Database from 'better-sqlite3';
import type { BlogDatabase } from '../database.ts';
import { type Departures, settleDepartures } from './departures.ts';
import { NothingToImport, OnePathOnly, SiteUrlInvalid } from './errors.ts';
import { readGhostExport } from './ghost/read.ts';
import { withinLimits } from './limits.ts';
import { readMarkdownBlog } from './markdown/read.ts';
import { claimPosts, findOrigin, type Origin } from './origin.ts';
import type { ImportedItem, ImportedPost, ImportReport, KnownPost, Skipped } from './post.ts';
import { type Progress, SILENT } from '../../common/progress.ts';
import { dropQueue, queuedPosts, queueLength, queuePosts, type Reading } from './queue.ts';
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
 *     findOrigin            which blog it is, of those imported before     origin.ts
 *     settleDepartures      posts that moved in it, or are gone from it    departures.ts
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
  readonly progress?: Progress;
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

/** What an import does with posts that are not in their blog any more, and which blog it is. */
export interface ImportRules {
  /** The name of the blog; without it, it is recognised. */
  readonly name?: string | undefined;
  /** What is read is all of the blog, whatever its format says. */
  readonly complete?: boolean;
  /** Posts that are gone stay as they are. */
  readonly keep?: boolean;
  /** Goes on where most posts are gone, or all. */
  readonly force?: boolean;
}

export interface Import extends ImportRules {
  readonly db: BlogDatabase;
  readonly items: AsyncIterable<ImportedItem>;
  /** What the import sets of the site; without it the site stays as it is. */
  readonly site?: { readonly url?: string | undefined } | undefined;
  /** Is told how the writing goes on. */
  readonly progress?: Progress;
}

/**
 * Writes what a format read into the database, in one transaction: all of it, or nothing when it is
 * stopped. Posts are found again by their source, so that importing the same twice changes nothing at
 * all. Posts of the same blog that are gone from it are archived; those of other blogs, and those that were
 * written by hand, are left as they are.
 *
 * @throws SiteUrlInvalid, NothingToImport, TooManyPostsMissing, PartOfKnownBlog, BlogNameInvalid, and whatever
 *   `items` throws; then nothing is written
 */
export async function importBlog({
  db,
  items,
  site,
  progress = SILENT,
  ...rules
}: Import): Promise<ImportReport> {
  const siteUrl = site?.url === undefined ? null : parseSiteUrl(site.url);
  try {
    const reading = await queuePosts(db, withinLimits(items));
    if (queueLength(db) === 0 && !rules.force) {
      throw new NothingToImport(reading.skipped);
    }
    return db
      .transaction(() => {
        if (siteUrl !== null)
          db.prepare('UPDATE site SET url = @siteUrl WHERE url <> @siteUrl').run({ siteUrl });
        const settled = settleBlogs(db, reading, rules);
        return writeQueued(db, reading.skipped, settled, progress);
      })
      .immediate();
  } finally {
    dropQueue(db);
  }
}

interface SettledBlogs {
  /** By the numbers of the blogs in the queue. */
  readonly origins: readonly Origin[];
  readonly new: readonly boolean[];
  readonly departures: readonly Departures[];
}

function settleBlogs(db: BlogDatabase, reading: Reading, rules: ImportRules): SettledBlogs {
  const { name, complete = false, keep = false, force = false } = rules;
  const settled = reading.blogs.map((read) => {
    const blog = { ...read, isWhole: read.isWhole || complete };
    const { origin, isNew } = findOrigin(db, blog, name, force);
    claimPosts(db, blog, origin, complete);
    return { origin, isNew, departures: settleDepartures(db, blog, origin, reading, { force, keep }) };
  });
  return {
    origins: settled.map(({ origin }) => origin),
    new: settled.map(({ isNew }) => isNew),
    departures: settled.map(({ departures }) => departures),
  };
}

function writeQueued(
  db: BlogDatabase,
  unread: readonly Skipped[],
  { origins, new: isNew, departures }: SettledBlogs,
  progress: Progress,
): ImportReport {
  const terms = termWriter(db);
  const write = postWriter(db, terms);
  const skipped = [...unread];
  const renamed: { source: string; slug: string; wanted: string }[] = [];
  const withdrawn: KnownPost[] = [];
  let posts = 0;
  let unchanged = 0;
  progress.begin('posts', queueLength(db));
  try {
    for (const { post, blog } of queuedPosts(db)) {
      progress.advance(1);
      const before = { ...terms.changed };
      const origin = blog === null ? undefined : origins[blog];
      const written = orSkipped(post, () => db.transaction(write)(post, origin?.id ?? null));
      if ('reason' in written) {
        Object.assign(terms.changed, before); // Its terms were taken back with it.
        skipped.push(written);
        continue;
      }
      if (written.change === 'none') unchanged += 1;
      else posts += 1;
      if (written.slug !== post.slug)
        renamed.push({ source: post.source, slug: written.slug, wanted: post.slug });
      if (written.isWithdrawn) withdrawn.push({ source: post.source, slug: written.slug });
    }
  } finally {
    progress.end();
  }
  const slugOf = db.prepare<[number], string>('SELECT slug FROM posts WHERE id = ?').pluck();
  return {
    origins: origins.map(({ format, name }, i) => ({ format, name, new: isNew[i] ?? false })),
    imported: { posts, ...terms.changed },
    unchanged,
    renamed,
    moved: departures.flatMap(({ moved }) =>
      moved.map(({ from, to, id }) => ({ from, to, slug: slugOf.get(id) ?? '' })),
    ),
    gone: departures.flatMap(({ gone }) => gone),
    absent: departures.flatMap(({ absent }) => absent),
    withdrawn,
    skipped,
  };
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
