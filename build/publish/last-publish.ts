import { absentOr, isNumber, isText, recordOf } from '../../contract/json.ts';
import { Results } from '../../data/results.ts';
import type { Bucket } from './bucket.ts';
import type { KeysReport } from './bucket-keys.ts';

/** The result of the command `publish`, and its `--json`. */
export interface PublishReport {
  readonly snapshot: string;
  readonly posts: number;
  /** How many posts fewer than the bucket served, without one that is withdrawn. */
  readonly fewer?: number | undefined;
  /** Objects of the snapshot: uploaded, their bytes, and those that the bucket already had. */
  readonly uploaded: number;
  readonly bytes: number;
  readonly skipped: number;
  readonly keys: KeysReport;
  /** Requests that were retried. */
  readonly retries: number;
  readonly seconds: number;
}

export const isPublishReport = recordOf<PublishReport>({
  snapshot: isText,
  posts: isNumber,
  fewer: absentOr(isNumber),
  uploaded: isNumber,
  bytes: isNumber,
  skipped: isNumber,
  keys: recordOf<KeysReport>({ put: isNumber, removed: isNumber }),
  retries: isNumber,
  seconds: isNumber,
});

/** The last publish to a bucket that succeeded. */
interface LastPublish {
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly endpoint: string;
  readonly report: PublishReport;
}

/** By `s3://BUCKET/PREFIX`. `withdraw` removes articles from all buckets that are here. */
export const PUBLISHES = new Results<LastPublish>(
  'publishing',
  recordOf<LastPublish>({ at: isText, endpoint: isText, report: isPublishReport }),
);

/** Records a result, and forgets buckets without any success: their names were probably mistyped. */
export function recordPublish(out: string, { name, client }: Bucket, outcome: PublishReport | Error): void {
  const at = client.now.toISOString();
  const others = PUBLISHES.read(out).filter(({ subject, report }) => report === null && subject !== name);
  PUBLISHES.forget(out, ...others.map(({ subject }) => subject));
  if (outcome instanceof Error) PUBLISHES.recordFailure(out, at, outcome.message, name);
  else PUBLISHES.recordSuccess(out, { at, endpoint: client.target.endpoint, report: outcome }, name);
}
