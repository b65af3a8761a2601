import { isNumber, isText, listOf, recordOf } from '../contract/json.ts';
import type { SkippedRow } from '../data/skipped-row.ts';
import type { Removed } from './html/removals.ts';

/** The result of the command `build`, and its `--json`. */
export interface BuildReport {
  readonly snapshot: string;
  readonly posts: number;
  readonly objects: { readonly total: number; readonly written: number; readonly bytes_written: number };
  /** Rows that are not in the snapshot. */
  readonly skipped: readonly SkippedRow[];
  /** Rows that are in the snapshot with a cut text, because it was too long. */
  readonly cut: readonly SkippedRow[];
  /** What the sanitiser removed from articles, by kind. */
  readonly removed: readonly Removed[];
  /** Advice for the owner, each a sentence or two. */
  readonly notes: readonly string[];
  readonly seconds: number;
}

const isSkippedRows = listOf(recordOf<SkippedRow>({ table: isText, row: isText, reason: isText }));

export const isBuildReport = recordOf<BuildReport>({
  snapshot: isText,
  posts: isNumber,
  objects: recordOf<BuildReport['objects']>({ total: isNumber, written: isNumber, bytes_written: isNumber }),
  skipped: isSkippedRows,
  cut: isSkippedRows,
  removed: listOf(
    recordOf<Removed>({ kind: isText, count: isNumber, posts: isNumber, hosts: listOf(isText) }),
  ),
  notes: listOf(isText),
  seconds: isNumber,
});
