/**
 * Database → snapshot. The way of a build, from top to bottom:
 *
 *   lock        memory.ts         one build at a time; what the last one made of each post
 *   mirror      live-source.ts    a database that is not Offprint's own is brought up to date first
 *   up to date  last-build.ts     nothing changed: done
 *   read        source.ts         the blog, in one transaction
 *   difference  difference.ts     what changed since the last build; each changed article is rendered
 *   runs        runs.ts           pages of summaries and the search index
 *   sets        sets.ts           who belongs to which category, tag and author
 *   listings    listings.ts       categories, tags, authors, views
 *   names       names.ts          the directory's name tables
 *   place       staging.ts        new objects, durable before anything names them
 *   switch      pointer-file.ts   the pointer, last and at once
 *
 * Whatever goes wrong, and whenever the process is killed, the snapshot that was published before stays
 * whole.
 */
import { DatabaseError } from '../data/errors.ts';
import type { Limits } from '../contract/policy.ts';
import type { SkippedRow } from './blog.ts';
import { engineFingerprint } from './engine.ts';
import { BuildError, RowsSkipped, SnapshotHeld, TooManyPostsGone } from './errors.ts';
import { type HtmlAdditions, NO_ADDITIONS } from './html/policy.ts';
import { inputsFingerprint, type LastBuild, readLastBuild, writeLastBuild } from './last-build.ts';
import { isReadableCurrent, readableDatabase, type ReadableDatabase, readPath } from './live-source.ts';
import { type MadeSnapshot, makeSnapshot } from './make-snapshot.ts';
import { asMemoryError, BuildMemory } from './memory.ts';
import { publishPointer, readPointer } from './pointer-file.ts';
import type { BuildProgress } from './progress.ts';
import { SourceMoved } from './render-threads.ts';
import type { SiteOverrides } from './site.ts';
import { Source } from './source.ts';
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
  /** What articles may hold beside what the policy allows; nothing, if not given. */
  readonly html?: HtmlAdditions;
  /** The public address of the service (`site.api_url` of the directory); null, or not given: none is known. */
  readonly apiUrl?: string | null;
  /** Fail where a row cannot be exported. */
  readonly strict: boolean;
  /** Publish even where more than half of the posts would go. */
  readonly force: boolean;
  /** Take nothing on trust: render everything, and mend what was damaged. */
  readonly full?: boolean;
  /** The present. */
  readonly now: Date;
  readonly progress: BuildProgress;
  /** For the pointer: program and version. */
  readonly builtBy: string;
}

/** The answer of the command `build`, and its `--json`. */
export interface BuildReport {
  readonly snapshot: string;
  readonly posts: number;
  readonly objects: { readonly total: number; readonly written: number; readonly bytes_written: number };
  readonly skipped: readonly SkippedRow[];
  readonly seconds: number;
}

/**
 * Exports the blog and publishes it.
 *
 * @throws DatabaseError, BuildError
 */
export async function build(options: BuildOptions): Promise<BuildReport> {
  const started = performance.now();
  const memory = BuildMemory.open(options.out);
  const { success } = readLastBuild(options.out);
  try {
    const readable = readableDatabase(options, options.full ?? false);
    const built = await buildLocked({ ...options, ...readable }, memory, success);
    const report = { ...built.report, seconds: Math.round(performance.now() - started) / 1000 };
    const at = options.now.toISOString();
    record(options.out, { success: { ...built, at, report }, failure: null });
    return report;
  } catch (thrown) {
    const error = asMemoryError(options.out, thrown);
    if (error instanceof BuildError || error instanceof DatabaseError) recordFailure(options, success, error);
    throw error;
  } finally {
    memory.close();
  }
}

/**
 * Whether a build would find anything to do: something was written to the database, a scheduled post is
 * due, or the settings or the program changed. Cheap, whatever the blog's size.
 *
 * @throws DatabaseError
 */
export function isBuildDue(options: BuildOptions): boolean {
  if (readPointer(options.out)?.held) return false;
  if (!isReadableCurrent(options)) return true;
  const source = new Source(readPath(options));
  try {
    return upToDate(options, readLastBuild(options.out).success, beginBuild(options, source).inputs) === null;
  } finally {
    source.close();
  }
}

interface Built {
  readonly inputs: string;
  readonly next_due: number | null;
  readonly report: Omit<BuildReport, 'seconds'>;
}

async function buildLocked(
  options: BuildOptions & ReadableDatabase,
  memory: BuildMemory,
  success: LastBuild['success'],
): Promise<Built> {
  const current = readPointer(options.out);
  if (current?.held) throw new SnapshotHeld(current.snapshot);
  for (let attempt = 1; ; attempt++) {
    const source = new Source(options.db);
    try {
      const { inputs, ...setting } = beginBuild(options, source);
      const known = upToDate(options, success, inputs);
      if (known) return known;
      clearStaging(options.out);
      memory.attempt();
      const mayUseThreads = attempt < ATTEMPTS_WITH_THREADS;
      const made = await makeSnapshot(
        { ...options, ...setting, full: options.full ?? false, source, memory, current, mayUseThreads },
        (draft) => guard(options, current?.posts, draft),
      );
      publishPointer(options, current, made);
      memory.keep(made.remembered);
      return { inputs, next_due: made.nextDue, report: reportOf(made) };
    } catch (error) {
      // Somebody wrote between the start of our transaction and that of a thread: begin again, and at last
      // without threads, so that a database that is never quiet is exported too.
      if (!(error instanceof SourceMoved)) throw error;
      memory.undo();
    } finally {
      source.close();
    }
  }
}

const ATTEMPTS_WITH_THREADS = 3;

/** Begins the source's transaction, and finds all that the snapshot depends on, but the passing of time. */
function beginBuild(
  { site: overrides, limits, html = NO_ADDITIONS, apiUrl = null }: BuildOptions,
  source: Source,
) {
  const revision = source.begin();
  const site = source.readSite(overrides);
  const engine = engineFingerprint(site, html);
  return {
    revision,
    site,
    html,
    apiUrl,
    engine,
    inputs: inputsFingerprint(engine, limits, apiUrl, revision),
  };
}

/** The last build's outcome, where a build now would come to the same. */
function upToDate(options: BuildOptions, success: LastBuild['success'], inputs: string): Built | null {
  if (options.full || !success || success.inputs !== inputs) return null;
  if (readPointer(options.out)?.snapshot !== success.report.snapshot) return null;
  if (options.now.getTime() < Date.parse(success.at)) return null;
  if (success.next_due !== null && success.next_due * 1000 <= options.now.getTime()) return null;
  const { seconds: _, ...report } = success.report;
  if (options.strict && report.skipped.length > 0) throw new RowsSkipped(report.skipped);
  const objects = { total: report.objects.total, written: 0, bytes_written: 0 };
  return { inputs, next_due: success.next_due, report: { ...report, objects } };
}

/** @throws RowsSkipped, TooManyPostsGone */
function guard(
  { strict, force }: BuildOptions,
  postsBefore: number | undefined,
  { posts, skipped }: Pick<MadeSnapshot, 'posts' | 'skipped'>,
): void {
  if (strict && skipped.length > 0) throw new RowsSkipped(skipped);
  if (!force && postsBefore !== undefined && posts < postsBefore / 2)
    throw new TooManyPostsGone(postsBefore, posts);
}

function reportOf({ snapshot, posts, total, written, skipped }: MadeSnapshot): Omit<BuildReport, 'seconds'> {
  return {
    snapshot,
    posts,
    objects: { total, written: written.objects, bytes_written: written.bytes },
    skipped,
  };
}

function recordFailure({ out, now }: BuildOptions, success: LastBuild['success'], error: Error): void {
  if (error instanceof SnapshotHeld) return; // Nothing failed: the owner wants it so.
  const skipped = error instanceof RowsSkipped ? error.skipped : [];
  record(out, { success, failure: { at: now.toISOString(), message: error.message, skipped } });
}

/** For `status` and the next build. Where it cannot be written, what was published or failed still is so. */
function record(out: string, last: LastBuild): void {
  try {
    writeLastBuild(out, last);
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
  }
}
