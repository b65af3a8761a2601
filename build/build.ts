/**
 * Database → snapshot. The way of a build, from top to bottom:
 *
 *   lock        memory.ts         one build at a time; what the last one made of each post
 *   mirror      live-source.ts    a database that is not Offprint's own is brought up to date first
 *   guard       output-guard.ts   another blog: refused; guards.ts: so are lost limits and lost posts
 *   up to date  last-build.ts     nothing changed: done
 *   read        source.ts         the blog, in one transaction
 *   difference  difference.ts     what changed since the last build; each changed article is rendered
 *   runs        runs.ts           pages of summaries and the search index
 *   sets        sets.ts           who belongs to which category, tag and author, and their pages (set-pages.ts)
 *   listings    listings.ts       categories, tags, authors, views
 *   names       names.ts          the directory's name tables
 *   page        documentation.ts  the documentation page and the description
 *   place       staging.ts        new objects, durable before anything names them
 *   switch      pointer-file.ts   the pointer, last and at once
 *
 * Whatever goes wrong, and whenever the process is killed, the snapshot that was published before stays
 * whole.
 */
import { ExplainedError, OutputUnwritable } from '../common/errors.ts';
import type { Limits } from '../contract/policy.ts';
import type { BuildReport } from './build-report.ts';
import { documentationFingerprint, engineFingerprint } from './engine.ts';
import { RowsSkipped, SnapshotHeld, TooManyPostsGone } from './errors.ts';
import { guardLimits, isMostlyGone, publishedLimits } from './guards.ts';
import { type HtmlAdditions, NO_ADDITIONS } from './html/policy.ts';
import { inputsFingerprint, type LastBuild, readLastBuild, writeLastBuild } from './last-build.ts';
import { isReadableCurrent, readableDatabase, type ReadableDatabase, readPath } from './live-source.ts';
import { type MadeSnapshot, makeSnapshot } from './make-snapshot.ts';
import { asMemoryError, BuildMemory } from './memory.ts';
import { guardAddress, guardSource, idsOf, outputOf } from './output-guard.ts';
import { publishPointer, readPointer } from './pointer-file.ts';
import type { Progress } from '../common/progress.ts';
import { SourceMoved, ThreadTooSmall } from './render-threads.ts';
import type { Site, SiteOverrides } from './site.ts';
import { Source, UNKNOWN_ADDRESS } from './source.ts';
import { clearStaging } from './staging.ts';

export interface BuildOptions {
  /** The database. */
  readonly db: string;
  /** A file of views, for a database that is not of Offprint's own schema. */
  readonly source?: string | undefined;
  /** The output folder. */
  readonly out: string;
  readonly site: SiteOverrides;
  readonly limits: Limits;
  /** The blog's id, where the settings say it. */
  readonly blog?: string | null;
  /** Whether there is a configuration; without one, limits must not fall back to the defaults unnoticed. */
  readonly configured?: boolean;
  /** What articles may contain in addition to what the policy allows; default: nothing. */
  readonly html?: HtmlAdditions;
  /** The public address of the service (`site.api_url` of the directory); null, or not given: none is known. */
  readonly apiUrl?: string | null;
  /** Fail where a row cannot be exported. */
  readonly strict: boolean;
  /** Publish even where another blog is served, more than half of the posts would go, or limits would be lost. */
  readonly force: boolean;
  /** Trust nothing: render everything, and repair what was damaged. */
  readonly full?: boolean;
  /** One post is withdrawn: it may be missing, and a rollback in force then holds what is built now. */
  readonly withdrawing?: boolean;
  /** The database of withdrawals, where `source` is set: that of the keys. */
  readonly keys?: string;
  /** The present. */
  readonly now: Date;
  readonly progress: Progress;
  /** For the pointer: program and version. */
  readonly builtBy: string;
}

/**
 * Exports the blog and publishes it.
 *
 * @throws DatabaseError, BuildError, OutputUnwritable
 */
export async function build(options: BuildOptions): Promise<BuildReport> {
  const started = performance.now();
  const memory = BuildMemory.open(options.out);
  const last = readLastBuild(options.out);
  try {
    const readable = readableDatabase(options, options.full ?? false, (address) =>
      guardAddress(options, address),
    );
    const { notes, ...built } = await buildLocked({ ...options, ...readable }, memory, last.success);
    const report = { ...built.report, notes, seconds: Math.round(performance.now() - started) / 1000 };
    const at = options.now.toISOString();
    record(options.out, { success: { ...built, at, report }, failure: null });
    return report;
  } catch (thrown) {
    const error = asMemoryError(options.out, thrown);
    if (error instanceof ExplainedError) recordFailure(options, last, error);
    throw error;
  } finally {
    memory.close();
  }
}

/**
 * Whether a build would find anything to do: something was written to the database, a post appears or expires by
 * itself, the settings or the program changed, or the last build failed. Cheap on a blog of any size.
 *
 * @throws DatabaseError
 */
export function isBuildDue(options: BuildOptions): boolean {
  if (readPointer(options.out)?.held) return false;
  const { success, failure } = readLastBuild(options.out);
  if (failure || !isReadableCurrent(options)) return true;
  const source = new Source(readPath(options));
  try {
    return upToDate(options, success, beginBuild(options, source).inputs) === null;
  } finally {
    source.close();
  }
}

interface Built {
  readonly inputs: string;
  readonly blogs: readonly string[];
  readonly configured: boolean;
  readonly next_due: number | null;
  readonly report: Omit<BuildReport, 'seconds' | 'notes'>;
  readonly notes: readonly string[];
}

async function buildLocked(
  options: BuildOptions & ReadableDatabase,
  memory: BuildMemory,
  success: LastBuild['success'],
): Promise<Built> {
  const current = readPointer(options.out);
  if (current?.held && !options.withdrawing) throw new SnapshotHeld(current.snapshot);
  let mayUseThreads = true;
  for (let attempt = 1; ; attempt++) {
    const source = new Source(options.db);
    try {
      const { inputs, blogs, ...setting } = beginBuild(options, source);
      guardSource(options, current, blogs, source);
      const { configured = true, force, limits } = options;
      const notes = notesOn(options, setting.site);
      const known = upToDate(options, success, inputs);
      if (known) return { ...known, blogs, configured, notes };
      if (current && !configured && !force) {
        guardLimits(outputOf(options), publishedLimits(options.out, current.snapshot), limits);
      }
      clearStaging(options.out);
      memory.attempt();
      const made = await makeSnapshot(
        {
          ...options,
          ...setting,
          full: options.full ?? false,
          withdrawing: options.withdrawing ?? false,
          source,
          memory,
          current,
          mayUseThreads,
        },
        (draft) => guard(options, current?.posts, draft),
      );
      publishPointer(options, current, { ...made, blog: blogs[0] ?? null });
      memory.commit(made.remembered);
      return { inputs, blogs, configured, notes, next_due: made.nextDue, report: reportOf(made) };
    } catch (error) {
      // Another program wrote between the start of our transaction and that of a thread: try again, and finally without
      // threads, so that a database that is never quiet is exported too; likewise an article too large for them.
      if (!(error instanceof SourceMoved || error instanceof ThreadTooSmall)) throw error;
      mayUseThreads = error instanceof SourceMoved && attempt + 1 < ATTEMPTS_WITH_THREADS;
      memory.undo();
    } finally {
      source.close();
    }
  }
}

const ATTEMPTS_WITH_THREADS = 3;

/** Begins the source's transaction, and finds all that the snapshot depends on, but the passing of time. */
function beginBuild(options: BuildOptions, source: Source) {
  const { limits, html = NO_ADDITIONS, apiUrl = null } = options;
  const revision = source.begin();
  const site = source.readSite(options.site);
  const engine = engineFingerprint(site, html);
  const blogs = idsOf(options, source);
  const documentation = documentationFingerprint(engine);
  const inputs = inputsFingerprint(documentation, limits, apiUrl, revision, blogs);
  return { revision, site, html, apiUrl, engine, documentation, blogs, inputs };
}

/** The last build's outcome, where a build now would come to the same. */
function upToDate(
  options: BuildOptions,
  success: LastBuild['success'],
  inputs: string,
): Omit<Built, 'blogs' | 'configured' | 'notes'> | null {
  if (options.full || !success || success.inputs !== inputs) return null;
  if (readPointer(options.out)?.snapshot !== success.report.snapshot) return null;
  if (options.now.getTime() < Date.parse(success.at)) return null;
  if (success.next_due !== null && success.next_due * 1000 <= options.now.getTime()) return null;
  const { seconds: _, notes: __, ...report } = success.report;
  if (options.strict && report.skipped.length > 0) throw new RowsSkipped(report.skipped);
  const objects = { total: report.objects.total, written: 0, bytes_written: 0 };
  return { inputs, next_due: success.next_due, report: { ...report, objects } };
}

/** @throws RowsSkipped, TooManyPostsGone */
function guard(
  options: BuildOptions,
  postsBefore: number | undefined,
  { posts, skipped }: Pick<MadeSnapshot, 'posts' | 'skipped'>,
): void {
  if (options.strict && skipped.length > 0) throw new RowsSkipped(skipped);
  const expected = (postsBefore ?? 0) - (options.withdrawing ? 1 : 0);
  if (!options.force && postsBefore !== undefined && isMostlyGone(expected, posts))
    throw new TooManyPostsGone(outputOf(options), postsBefore, posts, skipped);
}

function reportOf({ snapshot, posts, total, written, skipped, cut }: MadeSnapshot): Built['report'] {
  return {
    snapshot,
    posts,
    objects: { total, written: written.objects, bytes_written: written.bytes },
    skipped,
    cut,
  };
}

/** A live database may not hold the site's address: Ghost's does not. */
function notesOn({ source }: BuildOptions, { url }: Site): string[] {
  if (source === undefined || url !== UNKNOWN_ADDRESS) return [];
  return [
    `Nothing says what the site's address is, so those of articles, categories and tags are made up (${url}/…). ` +
      `Set "site": { "url": "https://…" } in offprint.json.`,
  ];
}

function recordFailure({ out, now }: BuildOptions, { success, failure }: LastBuild, error: Error): void {
  if (error instanceof SnapshotHeld) return; // Nothing failed: the owner wants it so.
  const skipped = error instanceof RowsSkipped || error instanceof TooManyPostsGone ? error.skipped : [];
  const at = now.toISOString();
  const since = failure?.since ?? failure?.at ?? at;
  record(out, { success, failure: { at, since, message: error.message, skipped } });
}

/** For `status` and the next build. Where it cannot be written, what was published or failed still is so. */
function record(out: string, last: LastBuild): void {
  try {
    writeLastBuild(out, last);
  } catch (error) {
    if (!(error instanceof OutputUnwritable)) throw error;
  }
}
