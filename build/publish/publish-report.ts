import { absentOr, isNumber, isText, recordOf } from '../../contract/json.ts';
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
