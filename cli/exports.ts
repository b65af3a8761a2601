import { resolve } from 'node:path';
import { isExport } from '../build/export/folder.ts';
import { messageOf } from '../common/thrown.ts';
import { isNumber, isText, nullOr, recordOf } from '../contract/json.ts';
import { type Result, Results } from '../data/results.ts';

/** An export to a folder. */
interface LastExport {
  /** RFC 3339, UTC; null: it has not ended yet. */
  readonly at: string | null;
  readonly snapshot: string | null;
  readonly per_page: number;
}

/** By absolute path of the folder. `withdraw` exports again to all that are here. */
export const EXPORTS = new Results<LastExport>(
  'exporting',
  recordOf<LastExport>({ at: nullOr(isText), snapshot: nullOr(isText), per_page: isNumber }),
);

/** Whether its folder still contains an export. */
export function isKnownExport({ subject }: Result): boolean {
  return isExport(subject);
}

/** Runs an export, and records the folder for `withdraw` before it writes there. */
export async function recordingExport<T extends { readonly snapshot: string }>(
  out: string,
  folder: string,
  perPage: number,
  work: () => Promise<T>,
): Promise<T> {
  const path = resolve(folder);
  const now = (): string => new Date().toISOString();
  const { at = null, snapshot = null } = EXPORTS.of(out, path)?.report ?? {};
  EXPORTS.note(out, { at, snapshot, per_page: perPage }, path);
  try {
    const report = await work();
    EXPORTS.recordSuccess(out, { at: now(), snapshot: report.snapshot, per_page: perPage }, path);
    return report;
  } catch (error) {
    EXPORTS.recordFailure(out, now(), messageOf(error), path);
    throw error;
  }
}
