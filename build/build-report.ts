import { absentOr, isNumber, isText, listOf, recordOf } from '../contract/json.ts';
import type { SkippedRow } from '../data/skipped-row.ts';

/** The answer of the command `build`, and its `--json`. */
export interface BuildReport {
  readonly snapshot: string;
  readonly posts: number;
  readonly objects: { readonly total: number; readonly written: number; readonly bytes_written: number };
  /** Rows that are not in the snapshot. */
  readonly skipped: readonly SkippedRow[];
  /** Rows that are, with a text that was too long and was cut. */
  readonly cut: readonly SkippedRow[];
  /** What the owner should know and can change, each a sentence or two; absent where an earlier version wrote it. */
  readonly notes?: readonly string[] | undefined;
  readonly seconds: number;
}

export const isSkippedRows = listOf(recordOf<SkippedRow>({ table: isText, row: isText, reason: isText }));

export const isBuildReport = recordOf<BuildReport>({
  snapshot: isText,
  posts: isNumber,
  objects: recordOf<BuildReport['objects']>({ total: isNumber, written: isNumber, bytes_written: isNumber }),
  skipped: isSkippedRows,
  cut: isSkippedRows,
  notes: absentOr(listOf(isText)),
  seconds: isNumber,
});
