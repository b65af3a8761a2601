/**
 * Database → snapshot. The steps of a build, from top to bottom:
 *
 *   lock        snapshot/memory.ts       one build at a time; what the last one made of each post
 *   guard       output/output-guard.ts   another blog is refused; so are lost limits, posts and withdrawals
 *   up to date  output/last-build.ts     nothing changed: done
 *   make        snapshot/                the objects of the snapshot, in the steps of make-snapshot.ts
 *   switch      output/pointer-file.ts   the pointer, last and atomically
 *
 * After any failure, and if the process is killed at any time, the previously published snapshot stays complete.
 */
import { ExplainedError } from '../common/errors.ts';
import type { Limits } from '../contract/policy.ts';
import type { BuildReport } from './build-report.ts';
import { documentationFingerprint, engineFingerprint } from './output/engine.ts';
import { RowsSkipped, SnapshotHeld, SourceMoved, ThreadTooSmall, TooManyPostsGone } from './errors.ts';
import { guardLimits, isMostlyGone, publishedLimits } from './output/guards.ts';
import type { HtmlAdditions } from './html/policy.ts';
import { isSample } from './output/identity.ts';
import { BUILDS, inputsFingerprint, type LastBuild, readLastBuild } from './output/last-build.ts';
import type { MadeSnapshot } from './snapshot/make-snapshot.ts';
import { asMemoryError, BuildMemory } from './snapshot/memory.ts';
import { guardSource, guardWithdrawals, readBlogIds, outputPlace } from './output/output-guard.ts';
import { publishPointer, readPointer } from './output/pointer-file.ts';
import type { Progress } from '../common/progress.ts';
import type { SiteOverrides } from './snapshot/site.ts';
import { Source } from './snapshot/source.ts';
import { clearStaging } from './snapshot/staging.ts';

export interface BuildOptions {
  /** The database. */
  readonly db: string;
  /** The output folder. */
  readonly out: string;
  readonly site: SiteOverrides;
  readonly limits: Limits;
  /** The blog's id in the settings; null: not set. */
  readonly blog: string | null;
  /** Whether there is a configuration; without one, limits must not silently fall back to the defaults. */
  readonly configured: boolean;
  /** Additions to the HTML policy. */
  readonly html: HtmlAdditions;
  /** The public address of the service (`site.api_url` of the directory); null: unknown. */
  readonly apiUrl: string | null;
  /** Fail if a row cannot be published. */
  readonly strict: boolean;
  /** Publish even if another blog is served, more than half of the posts would be removed, or limits would be lost. */
  readonly force: boolean;
  /** Trust nothing: render everything, and repair damaged objects. */
  readonly full: boolean;
  /** Whether a large build renders on all cores, in threads; default: yes. The objects are the same. */
  readonly threads?: boolean;
  /** One post is withdrawn: it may be missing. */
  readonly withdrawing?: boolean;
  /** The current time. */
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
    const built = await buildLocked(options, memory, last);
    const report = { ...built.report, seconds: Math.round(performance.now() - started) / 1000 };
    const at = options.now.toISOString();
    BUILDS.recordSuccess(options.out, { ...built, at, report });
    return report;
  } catch (thrown) {
    const error = asMemoryError(options.out, thrown);
    // A held snapshot is not a failure: the owner holds it.
    if (error instanceof ExplainedError && !(error instanceof SnapshotHeld))
      BUILDS.recordFailure(options.out, options.now.toISOString(), error.message);
    throw error;
  } finally {
    memory.close();
  }
}

/**
 * Whether a build has anything to do: the database, settings or program changed, a post became due or expired, or the
 * last build failed. Cheap on a blog of any size.
 *
 * @throws DatabaseError
 */
export function isBuildDue(options: BuildOptions): boolean {
  if (readPointer(options.out)?.held) return false;
  const { report = null, since = null } = BUILDS.of(options.out) ?? {};
  if (since !== null) return true;
  const source = new Source(options.db);
  try {
    return findUpToDate(options, report, beginBuild(options, source).inputs) === null;
  } finally {
    source.close();
  }
}

/** The record of a build, without its times. */
type Built = Omit<LastBuild, 'at' | 'report'> & Pick<MadeReport, 'report'>;

interface MadeReport {
  readonly next_due: number | null;
  readonly report: Omit<BuildReport, 'seconds'>;
}

async function buildLocked(
  options: BuildOptions,
  memory: BuildMemory,
  last: LastBuild | null,
): Promise<Built> {
  const current = readPointer(options.out);
  if (current?.held) throw new SnapshotHeld(current.snapshot);
  let mayUseThreads = options.threads ?? true;
  for (let attempt = 1; ; attempt++) {
    const source = new Source(options.db);
    try {
      const { inputs, blogs, ...setting } = beginBuild(options, source);
      guardSource(options, current, blogs, source);
      const withdrawn = guardWithdrawals(options);
      const { configured, force, limits } = options;
      const expected =
        (current && !isSample(current.blog) ? current.posts : 0) - (options.withdrawing ? 1 : 0);
      const known = findUpToDate(options, last, inputs);
      if (known) return { ...known, inputs, blogs, withdrawn, configured };
      if (current && !configured && !force) {
        guardLimits(outputPlace(options), publishedLimits(options.out, current.snapshot), limits);
      }
      clearStaging(options.out);
      memory.attempt();
      // Loaded on demand: most starts have nothing to build.
      const { makeSnapshot } = await import('./snapshot/make-snapshot.ts');
      const made = await makeSnapshot(
        {
          ...options,
          ...setting,
          source,
          memory,
          current,
          mayUseThreads,
        },
        (draft) => guard(options, expected, draft),
      );
      publishPointer(options, current, { ...made, blog: blogs[0] ?? null });
      memory.commit(made.remembered);
      const { snapshot, posts, total, written, skipped, cut, removed, nextDue } = made;
      const objects = { total, written: written.objects, bytes_written: written.bytes };
      const notes = notesOn(expected - posts);
      const report = { snapshot, posts, objects, skipped, cut, removed, notes };
      return { inputs, blogs, withdrawn, configured, next_due: nextDue, report };
    } catch (error) {
      // Another program wrote between the start of our transaction and that of a thread, or an article needs too much
      // memory for a thread: retry, in the end without threads, so that a database with constant writes is exported
      // too.
      if (!(error instanceof SourceMoved || error instanceof ThreadTooSmall)) throw error;
      mayUseThreads = error instanceof SourceMoved && attempt + 1 < ATTEMPTS_WITH_THREADS;
      memory.undo();
    } finally {
      source.close();
    }
  }
}

const ATTEMPTS_WITH_THREADS = 3;

/** Starts the source's transaction, and collects everything that the snapshot depends on, except time. */
function beginBuild(options: BuildOptions, source: Source) {
  const { limits, html, apiUrl } = options;
  const revision = source.begin();
  const site = source.readSite(options.site);
  const engine = engineFingerprint(site, html);
  const blogs = readBlogIds(options, source);
  const documentation = documentationFingerprint(engine);
  const inputs = inputsFingerprint(documentation, limits, apiUrl, revision, blogs);
  return { revision, site, html, apiUrl, engine, documentation, blogs, inputs };
}

/** The last build's result, if a build now would give the same; otherwise null. */
function findUpToDate(options: BuildOptions, last: LastBuild | null, inputs: string): MadeReport | null {
  if (options.full || !last || last.inputs !== inputs) return null;
  if (readPointer(options.out)?.snapshot !== last.report.snapshot) return null;
  if (options.now.getTime() < Date.parse(last.at)) return null;
  if (last.next_due !== null && last.next_due * 1000 <= options.now.getTime()) return null;
  const { seconds: _, ...report } = last.report;
  if (options.strict && report.skipped.length > 0) throw new RowsSkipped(report.skipped);
  const objects = { total: report.objects.total, written: 0, bytes_written: 0 };
  return { next_due: last.next_due, report: { ...report, objects, notes: [] } };
}

/** @param expected number of posts, if none is lost. @throws RowsSkipped, TooManyPostsGone */
function guard(
  options: BuildOptions,
  expected: number,
  { posts, skipped }: Pick<MadeSnapshot, 'posts' | 'skipped'>,
): void {
  if (options.strict && skipped.length > 0) throw new RowsSkipped(skipped);
  if (!options.force && isMostlyGone(expected, posts))
    throw new TooManyPostsGone(outputPlace(options), expected, posts, skipped);
}

/** A loss of posts that `guard` accepts may be intended, but the owner must see it. */
function notesOn(fewer: number): string[] {
  if (fewer <= 0) return [];
  return [
    `${fewer === 1 ? '1 post' : `${fewer} posts`} fewer than before. If this is a mistake, go back with ` +
      `"snapshots rollback ID"; "snapshots list" shows the IDs.`,
  ];
}
