import { OutputUnwritable } from '../../common/errors.ts';
import { StateFile } from '../../common/state-file.ts';
import { isText, mapOf, nullOr, recordOf } from '../../contract/json.ts';
import type { Bucket } from './bucket.ts';
import { isPublishReport, type PublishReport } from './publish-report.ts';

/** The result of the last publish to one bucket. */
export interface LastPublish {
  readonly endpoint: string;
  /** The last success. */
  readonly success: { readonly at: string; readonly report: PublishReport } | null;
  /** The failure since then, if the last one failed. */
  readonly failure: {
    readonly at: string;
    /** Time of the first failure. */
    readonly since: string;
    readonly message: string;
  } | null;
}

const isLastPublish = recordOf<LastPublish>({
  endpoint: isText,
  success: nullOr(recordOf<NonNullable<LastPublish['success']>>({ at: isText, report: isPublishReport })),
  failure: nullOr(
    recordOf<NonNullable<LastPublish['failure']>>({ at: isText, since: isText, message: isText }),
  ),
});

const FILE = new StateFile('last-publish.json', mapOf(isLastPublish), {});

/** The results by `s3://BUCKET/PREFIX`, for `status`, from `out/state/last-publish.json`. */
export function readLastPublishes(out: string): Readonly<Record<string, LastPublish>> {
  return FILE.read(out);
}

/**
 * Records a result. Buckets without any success are dropped at the next publish to another bucket: their names were
 * probably mistyped. If the file cannot be written, that is ignored.
 */
export function recordPublish(
  out: string,
  bucket: Bucket,
  outcome: { readonly report: PublishReport } | { readonly error: Error },
): void {
  const all = Object.fromEntries(
    Object.entries(readLastPublishes(out)).filter(([name, { success }]) => success || name === bucket.name),
  );
  const at = bucket.client.now.toISOString();
  const since = all[bucket.name]?.failure?.since ?? at;
  const last: LastPublish = {
    endpoint: bucket.client.target.endpoint,
    success: 'report' in outcome ? { at, report: outcome.report } : (all[bucket.name]?.success ?? null),
    failure: 'error' in outcome ? { at, since, message: outcome.error.message } : null,
  };
  try {
    FILE.write(out, { ...all, [bucket.name]: last });
  } catch (error) {
    if (!(error instanceof OutputUnwritable)) throw error;
  }
}
