import { createHash } from 'node:crypto';
import { isFlag, isNumber, isText, listOf, nullOr, recordOf } from '../../contract/json.ts';
import type { Limits } from '../../contract/policy.ts';
import type { SkippedRow } from '../../data/skipped-row.ts';
import { type BuildReport, isBuildReport, isSkippedRows } from '../build-report.ts';
import { StateFile } from '../../common/state-file.ts';
import type { SourceRevision } from '../snapshot/source.ts';

/**
 * The results of the last builds, in `out/state/last-build.json`: for `status`, and for a quick check that nothing has
 * changed since.
 */
export interface LastBuild {
  /** The last build that published, or found nothing to publish. */
  readonly success: {
    readonly at: string;
    /** A hash of its inputs (inputsFingerprint). */
    readonly inputs: string;
    /** The ids of the blog, the one in the pointer first. */
    readonly blogs: readonly string[];
    /** The slugs of withdrawn articles. */
    readonly withdrawn: readonly string[];
    /** Whether a configuration was found. */
    readonly configured: boolean;
    /** Unix seconds at which the next post becomes due or expires; null: none. */
    readonly next_due: number | null;
    readonly report: BuildReport;
  } | null;
  /** The failure since then, if the last build failed. */
  readonly failure: {
    readonly at: string;
    /** Time of the first failure. */
    readonly since: string;
    readonly message: string;
    readonly skipped: readonly SkippedRow[];
  } | null;
}

const isLastBuild = recordOf<LastBuild>({
  success: nullOr(
    recordOf<NonNullable<LastBuild['success']>>({
      at: isText,
      inputs: isText,
      blogs: listOf(isText),
      withdrawn: listOf(isText),
      configured: isFlag,
      next_due: nullOr(isNumber),
      report: isBuildReport,
    }),
  ),
  failure: nullOr(
    recordOf<NonNullable<LastBuild['failure']>>({
      at: isText,
      since: isText,
      message: isText,
      skipped: isSkippedRows,
    }),
  ),
});

const FILE = new StateFile('last-build.json', isLastBuild, { success: null, failure: null });

/** The record in an output folder; empty if it is missing or invalid. */
export function readLastBuild(out: string): LastBuild {
  return FILE.read(out);
}

export function writeLastBuild(out: string, last: LastBuild): void {
  FILE.write(out, last);
}

/** Lets builds publish an article again whose withdrawal was undone. @throws OutputUnwritable */
export function forgetWithdrawn(out: string, slug: string): void {
  const { success, failure } = readLastBuild(out);
  if (!success?.withdrawn.includes(slug)) return;
  const withdrawn = success.withdrawn.filter((one) => one !== slug);
  writeLastBuild(out, { success: { ...success, withdrawn }, failure });
}

/** A hash of everything that a snapshot depends on, except time. */
export function inputsFingerprint(
  program: string,
  limits: Limits,
  apiUrl: string | null,
  revision: SourceRevision,
  blogs: readonly string[],
): string {
  return createHash('sha256')
    .update(JSON.stringify([program, limits, apiUrl, revision, blogs]))
    .digest('base64url');
}
