/**
 * Database → snapshot. The way of a build, from top to bottom:
 *
 *   lock      memory.ts         one build at a time; what the last one learnt
 *   read      source.ts         the blog, in one transaction; rows that cannot be exported are named
 *   details   details.ts        each changed article, sanitised and rendered, on all cores
 *   runs      runs.ts           pages of summaries and the search index
 *   listings  listings.ts       categories, tags, authors, views
 *   place     object-writer.ts  new objects, durable before anything names them
 *   switch    pointer-file.ts   the pointer, last and at once
 */
import { availableParallelism } from 'node:os';
import type { Directory } from '../contract/directory.ts';
import { type Limits, policyFor } from '../contract/policy.ts';
import type { Pointer } from '../contract/pointer.ts';
import { FORMAT } from '../contract/snapshot.ts';
import { DatabaseError } from '../data/errors.ts';
import type { SkippedRow } from './blog.ts';
import { buildDetails } from './details.ts';
import { engineFingerprint } from './engine.ts';
import { BuildError, RowsSkipped, SnapshotHeld, TooManyPostsGone } from './errors.ts';
import { inputsFingerprint, type LastBuild, readLastBuild, writeLastBuild } from './last-build.ts';
import { buildListings, writeNames } from './listings.ts';
import { BuildMemory } from './memory.ts';
import { clearStaging, ObjectWriter } from './object-writer.ts';
import { historyAfter, readPointer, switchPointer } from './pointer-file.ts';
import type { BuildProgress } from './progress.ts';
import { renderOverview } from './render.ts';
import { buildRuns } from './runs.ts';
import type { SiteOverrides } from './site.ts';
import { Source } from './source.ts';

export interface BuildOptions {
  /** The database. */
  readonly db: string;
  /** The output folder. */
  readonly out: string;
  readonly site: SiteOverrides;
  readonly limits: Limits;
  /** Fail where a row cannot be exported. */
  readonly strict: boolean;
  /** Publish even where more than half of the posts would go. */
  readonly force: boolean;
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
 * Exports the blog and publishes it. Whatever goes wrong, and whenever the process is killed, the
 * snapshot that was published before stays whole.
 *
 * @throws DatabaseError, BuildError
 */
export async function build(options: BuildOptions): Promise<BuildReport> {
  const started = performance.now();
  const memory = BuildMemory.open(options.out);
  try {
    const { success } = readLastBuild(options.out);
    try {
      const built = await buildLocked(options, memory);
      const report = { ...built.report, seconds: Math.round(performance.now() - started) / 1000 };
      const at = options.now.toISOString();
      writeLastBuild(options.out, { success: { ...built, at, report }, failure: null });
      return report;
    } catch (error) {
      if (error instanceof BuildError || error instanceof DatabaseError)
        recordFailure(options, success, error);
      throw error;
    }
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
  const source = new Source(options.db);
  try {
    return upToDate(options, inputsOf(options, source)) === null;
  } finally {
    source.close();
  }
}

interface Built {
  readonly inputs: string;
  readonly next_due: number | null;
  readonly report: Omit<BuildReport, 'seconds'>;
}

async function buildLocked(options: BuildOptions, memory: BuildMemory): Promise<Built> {
  clearStaging(options.out);
  const current = readPointer(options.out);
  if (current?.held) throw new SnapshotHeld(current.snapshot);
  const source = new Source(options.db);
  try {
    const inputs = inputsOf(options, source);
    return upToDate(options, inputs) ?? (await publish(options, memory, source, current, inputs));
  } finally {
    source.close();
  }
}

async function publish(
  options: BuildOptions,
  memory: BuildMemory,
  source: Source,
  current: Pointer | undefined,
  inputs: string,
): Promise<Built> {
  const { out, now, progress } = options;
  progress.begin('read', 1);
  const blog = source.readBlog(Math.floor(now.getTime() / 1000), options.site);
  progress.end();

  keepOrForget(memory, engineFingerprint(blog.site), current);
  const writer = new ObjectWriter(out);
  const details = await buildDetails(blog, source, memory, writer, availableParallelism(), progress);
  const { posts } = details;
  const skipped = [...blog.skipped, ...details.skipped];
  guard(options, current, posts.length, skipped);

  const { pages, search } = buildRuns(blog, posts, source, memory, writer, progress);
  progress.begin('publish', 1);
  const { names, ...listings } = buildListings(blog, posts, writer);
  const policy = policyFor(options.limits);
  const directory: Directory = {
    format: FORMAT,
    posts: posts.length,
    ...listings,
    policy,
    overview: writer.put('overview', renderOverview(policy)),
    pages,
    search,
    names: {
      post: writeNames(
        posts.map(({ slug, hash }) => [slug, hash]),
        writer,
      ),
      ...names,
    },
  };
  const snapshot = writer.put('directory', JSON.stringify(directory));
  const written = writer.settle();

  if (snapshot !== current?.snapshot) {
    switchPointer(out, {
      format: FORMAT,
      snapshot,
      built_at: now.toISOString(),
      posts: posts.length,
      built_by: options.builtBy,
      held: false,
      previous: historyAfter(current, snapshot),
    });
  }
  memory.set('snapshot', snapshot);
  memory.commit();
  progress.end();

  const { total, objects, bytes } = written;
  const report = {
    snapshot,
    posts: posts.length,
    objects: { total, written: objects, bytes_written: bytes },
    skipped,
  };
  return { inputs, next_due: blog.nextDue, report };
}

/** Begins the source's transaction, and says all that the snapshot will depend on. */
function inputsOf({ site, limits }: BuildOptions, source: Source): string {
  const revision = source.begin();
  return inputsFingerprint(engineFingerprint(source.readSite(site)), limits, revision);
}

/** The last build's outcome, where a build now would come to the same. */
function upToDate(options: BuildOptions, inputs: string): Built | null {
  const { success } = readLastBuild(options.out);
  if (!success || success.inputs !== inputs) return null;
  if (readPointer(options.out)?.snapshot !== success.report.snapshot) return null;
  if (success.next_due !== null && success.next_due * 1000 <= options.now.getTime()) return null;
  const { seconds: _, ...report } = success.report;
  if (options.strict && report.skipped.length > 0) throw new RowsSkipped(report.skipped);
  return {
    inputs,
    next_due: success.next_due,
    report: { ...report, objects: { total: report.objects.total, written: 0, bytes_written: 0 } },
  };
}

function guard(
  { strict, force }: BuildOptions,
  current: Pointer | undefined,
  posts: number,
  skipped: readonly SkippedRow[],
): void {
  if (strict && skipped.length > 0) throw new RowsSkipped(skipped);
  if (!force && current && posts < current.posts / 2) throw new TooManyPostsGone(current.posts, posts);
}

/** Memory is of use only where it speaks of a snapshot that is still kept, made by this very program. */
function keepOrForget(memory: BuildMemory, engine: string, current: Pointer | undefined): void {
  const remembered = memory.get('snapshot');
  const kept = current && [current, ...current.previous].some(({ snapshot }) => snapshot === remembered);
  if (!kept || memory.get('engine') !== engine) memory.forgetAll();
  memory.set('engine', engine);
}

/** For `status`. Where even that cannot be written, the failure itself is what matters. */
function recordFailure({ out, now }: BuildOptions, success: LastBuild['success'], error: Error): void {
  const skipped = error instanceof RowsSkipped ? error.skipped : [];
  try {
    writeLastBuild(out, { success, failure: { at: now.toISOString(), message: error.message, skipped } });
  } catch (second) {
    if (!(second instanceof BuildError)) throw second;
  }
}
