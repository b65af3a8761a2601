import Database from 'better-sqlite3';
import { PostUnreadable } from '../../common/content/errors.ts';
import { type Progress, SILENT } from '../../common/progress.ts';
import { type BlogDatabase, refuseReadOnly } from '../database.ts';
import { withAbsoluteAddresses } from './absolute-addresses.ts';
import { LossesFound, NothingToImport } from './errors.ts';
import { withinLimits } from './limits.ts';
import { type MissingPosts, updateMissingPosts } from './missing-posts.ts';
import { addPrefix, findOrigin, type Origin } from './origin.ts';
import type { ImportedItem, ImportedPost, Skipped } from '../../import/imported-item.ts';
import {
  dropQueue,
  hiddenPosts,
  queuedPosts,
  queuedTerms,
  queueLength,
  queuePosts,
  type Reading,
  unchangedPosts,
} from './queue.ts';
import {
  type ImportReport,
  type KnownPost,
  leftOut,
  sumCounts,
  tallyLosses,
  tallyNotPosts,
} from './report.ts';
import { removeSample } from '../sample-origin.ts';
import { findPostPath, knownSite, parseSiteUrl, type SiteSettings, updateSite } from './site.ts';
import { postWriter } from './write-post.ts';
import { termWriter } from './write-terms.ts';

/**
 * Writes the posts of a blog, as `import/` reads them, to the database. The steps:
 *
 *     withinLimits          texts that are too long                        limits.ts
 *     queuePosts            temporary table, read in a fixed order         queue.ts
 *     findOrigin            whether the blog was imported before           origin.ts
 *     updateSite            the site's name and address, and the blog's    site.ts
 *     updateMissingPosts    posts that moved, or are missing               missing-posts.ts
 *     termWriter            categories, tags, authors                      write-terms.ts
 *     withAbsoluteAddresses addresses of a blog that is elsewhere          absolute-addresses.ts
 *     postWriter            posts, their slugs and tags                    write-post.ts
 *
 * report.ts has the report.
 */

/** What to do with posts that are no longer in their blog, and which blog it is. */
export interface ImportRules {
  /** The name of the blog; by default, the blog is recognised. */
  readonly name?: string | undefined;
  /** The input is the whole blog, even if its format cannot say so. */
  readonly complete?: boolean;
  /** Leaves missing posts unchanged. */
  readonly keep?: boolean;
  /** Continues if most or all posts are missing. */
  readonly force?: boolean;
  /** Writes nothing if a post, or a part of one, would be lost. */
  readonly strict?: boolean;
}

export interface Import extends ImportRules {
  readonly db: BlogDatabase;
  readonly items: AsyncIterable<ImportedItem>;
  /** What the import sets of the site; default: nothing. */
  readonly site?: { readonly url?: string | undefined } | undefined;
  /** The configured site, which overrides the database. */
  readonly configured?: SiteSettings | undefined;
  /** Receives the progress of writing. */
  readonly progress?: Progress;
  /** It is the sample blog, which any other blog replaces. */
  readonly isSample?: boolean;
}

/**
 * Writes a format's items into the database in one transaction: all of them, or nothing if interrupted. Posts are
 * identified by their source, so a repeated import changes nothing. Posts that are missing from the same blog
 * are archived. Other blogs' posts, and those written by hand, are left unchanged.
 *
 * @throws SiteUrlInvalid, DatabaseUnreadable, NothingToImport, TooManyPostsMissing, PartOfKnownBlog, BlogNameInvalid,
 *   LossesFound, and the errors of `items`; then nothing is written
 */
export async function importBlog({
  db,
  items,
  site,
  configured = {},
  progress = SILENT,
  isSample = false,
  ...rules
}: Import): Promise<ImportReport> {
  const siteUrl = site?.url === undefined ? null : parseSiteUrl(site.url);
  refuseReadOnly(db.name);
  try {
    const reading = await queuePosts(db, withinLimits(items));
    if (queueLength(db).found === 0 && !rules.force) throw new NothingToImport(reading);
    return db
      .transaction(() => {
        const hadSample = !isSample && removeSample(db);
        const { name: before } = knownSite(db);
        const isFirst = db.prepare('SELECT 1 FROM posts').get() === undefined;
        const updated = updateBlogs(db, reading, rules, siteUrl, configured.url);
        const postPath = findPostPath(db, configured.postPath);
        const report = {
          ...writeQueued(db, reading, updated, postPath, progress),
          replacedSample: hadSample,
        };
        const { name } = report.site;
        if (!isFirst && name !== before)
          report.notes.push(
            `The API is now named "${name}", after this blog; site.name in offprint.json overrides it.`,
          );
        if (rules.strict && (report.losses.length > 0 || leftOut(report.skipped).length > 0)) {
          const imported = { posts: 0, categories: 0, tags: 0, authors: 0 };
          const origins = report.origins.map((origin) => ({ ...origin, new: false }));
          throw new LossesFound({ ...report, origins, imported });
        }
        return report;
      })
      .immediate();
  } finally {
    dropQueue(db);
  }
}

interface UpdatedBlog extends MissingPosts {
  readonly origin: Origin;
  readonly isNew: boolean;
  /** As `updateSite` returns it. */
  readonly home: string | null;
}

/** The blogs, by their numbers in the queue. */
function updateBlogs(
  db: BlogDatabase,
  reading: Reading,
  rules: ImportRules,
  given: string | null,
  configured: string | undefined,
): UpdatedBlog[] {
  const { name, complete = false, keep = false, force = false } = rules;
  return reading.blogs.map((read) => {
    const blog = { ...read, isComplete: read.isComplete || complete };
    const { origin, isNew } = findOrigin(db, blog, name, force);
    const home = updateSite(db, blog, origin, given, configured);
    addPrefix(db, blog, origin);
    const missing = updateMissingPosts(db, blog, origin, reading, { force, keep });
    db.prepare('UPDATE origins SET state = ? WHERE id = ?').run(blog.state, origin.id);
    return { ...missing, origin, isNew, home };
  });
}

function writeQueued(
  db: BlogDatabase,
  reading: Reading,
  blogs: readonly UpdatedBlog[],
  postPath: string,
  progress: Progress,
): Omit<ImportReport, 'replacedSample' | 'notes'> & { notes: string[] } {
  const terms = termWriter(db, queuedTerms(db));
  const write = postWriter(db, terms);
  const skipped = [...reading.skipped];
  const renamed: { source: string; slug: string; wanted: string }[] = [];
  const withdrawn: KnownPost[] = [];
  const hidden = hiddenPosts(db);
  const posts = { published: 0, scheduled: 0, archived: 0 };
  let changed = 0;
  let unchanged = 0;
  const queue = queueLength(db);
  progress.begin('posts', queue.posts);
  try {
    for (const { post, blog } of queuedPosts(db)) {
      progress.advance(1);
      const before = { ...terms.changed };
      const { origin, home = null } = (blog === null ? undefined : blogs[blog]) ?? {};
      const written = writeOrSkip(post, () => {
        const own = home === null ? post : withAbsoluteAddresses(post, { url: home, postPath });
        return db.transaction(write)(own, origin?.id ?? null);
      });
      if ('reason' in written) {
        Object.assign(terms.changed, before); // Its terms were rolled back with it.
        skipped.push(written);
        continue;
      }
      if (written.change === 'none') unchanged += 1;
      else changed += 1;
      posts[written.isWithdrawn ? 'archived' : post.status] += 1;
      if (written.slug !== post.slug)
        renamed.push({ source: post.source, slug: written.slug, wanted: post.slug });
      if (written.isWithdrawn) withdrawn.push({ source: post.source, slug: written.slug });
    }
  } finally {
    progress.end();
  }
  for (const [status, count] of unchangedPosts(db)) {
    unchanged += count;
    posts[status] += count;
  }
  const selectSlug = db.prepare<[number], string>('SELECT slug FROM posts WHERE id = ?').pluck();
  return {
    notes: [...reading.notes, ...terms.merged()],
    origins: blogs.map(({ origin: { format, name }, isNew }) => ({ format, name, new: isNew })),
    site: knownSite(db),
    found: queue.found + sumCounts(reading.skipped),
    posts,
    hidden,
    imported: { posts: changed, ...terms.changed },
    unchanged,
    renamed,
    moved: blogs.flatMap(({ moved }) =>
      moved.map(({ from, to, id }) => ({ from, to, slug: selectSlug.get(id) ?? '' })),
    ),
    gone: blogs.flatMap(({ gone }) => gone),
    absent: blogs.flatMap(({ absent }) => absent),
    withdrawn,
    skipped,
    notPosts: tallyNotPosts(skipped),
    losses: tallyLosses(reading.losses),
  };
}

/** Skips a post that the schema or `withAbsoluteAddresses` rejects, and continues with the others. */
function writeOrSkip<T>(post: ImportedPost, write: () => T): T | Skipped {
  try {
    return write();
  } catch (error) {
    if (error instanceof PostUnreadable) return { source: post.source, reason: error.message };
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_CONSTRAINT')) throw error;
    return { source: post.source, reason: `the database rejects it: ${error.message}` };
  }
}
