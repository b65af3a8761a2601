import { createHash } from 'node:crypto';
import { isFlag, isNumber, isText, listOf, nullOr, recordOf } from '../../contract/json.ts';
import type { Limits } from '../../contract/policy.ts';
import { Results } from '../../data/results.ts';
import { type BuildReport, isBuildReport } from '../build-report.ts';
import type { SourceRevision } from '../snapshot/source.ts';

/**
 * The last build that published, or found nothing to publish: for `status`, for guards, and for a quick check that
 * nothing has changed since.
 */
export interface LastBuild {
  /** RFC 3339, UTC. */
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
}

/** The one result of builds has the empty subject. */
export const BUILDS = new Results<LastBuild>(
  'the build',
  recordOf<LastBuild>({
    at: isText,
    inputs: isText,
    blogs: listOf(isText),
    withdrawn: listOf(isText),
    configured: isFlag,
    next_due: nullOr(isNumber),
    report: isBuildReport,
  }),
);

/** Null: no build has succeeded. */
export function readLastBuild(out: string): LastBuild | null {
  return BUILDS.of(out)?.report ?? null;
}

/** Lets builds publish an article again whose withdrawal was undone. */
export function forgetWithdrawn(out: string, slug: string): void {
  const last = readLastBuild(out);
  if (last?.withdrawn.includes(slug))
    BUILDS.note(out, { ...last, withdrawn: last.withdrawn.filter((one) => one !== slug) });
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
