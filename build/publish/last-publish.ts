import { isText, recordOf } from '../../contract/json.ts';
import { Results } from '../../data/results.ts';
import type { Bucket } from './bucket.ts';
import { isPublishReport, type PublishReport } from './publish-report.ts';

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
  if (outcome instanceof Error) PUBLISHES.failed(out, at, outcome.message, name);
  else PUBLISHES.succeeded(out, { at, endpoint: client.target.endpoint, report: outcome }, name);
}
