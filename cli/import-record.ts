/** How the imports that `offprint.json` names went last, in `out/state/imports.json`, for `status`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { ensureStateFolder, replacePrivateFile } from '../common/output-files.ts';
import { absentOr, isText, recordOf } from '../contract/json.ts';
import { type ImportReport, isImportReport } from '../data/import/report.ts';

/** What became of one import; with neither report nor failure, nothing had changed. */
export interface ImportOutcome {
  readonly format: string;
  readonly path: string;
  readonly report?: ImportReport;
  readonly failure?: string;
}

export const isImportOutcome = recordOf<ImportOutcome>({
  format: isText,
  path: isText,
  report: absentOr(isImportReport),
  failure: absentOr(isText),
});

const RECORD = v.object({
  format: v.string(),
  path: v.string(),
  /** When it succeeded last, also where nothing had changed; null: never. */
  imported_at: v.nullable(v.string()),
  /** Since when it fails; null: it does not. */
  failure: v.nullable(v.object({ since: v.string(), message: v.string() })),
});
export type ImportRecord = v.InferOutput<typeof RECORD>;

export function recordImports(out: string, outcomes: readonly ImportOutcome[], now: Date): void {
  const before = readImports(out);
  const at = now.toISOString();
  const records = outcomes.map(({ format, path, failure }): ImportRecord => {
    const known = before.find((record) => record.format === format && record.path === path);
    if (failure === undefined) return { format, path, imported_at: at, failure: null };
    const since = known?.failure?.since ?? at;
    return { format, path, imported_at: known?.imported_at ?? null, failure: { since, message: failure } };
  });
  if (records.length === 0 && before.length === 0) return;
  ensureStateFolder(out);
  replacePrivateFile(pathIn(out), `${JSON.stringify(records, null, 2)}\n`);
}

/** What is recorded; nothing where the record is missing or broken. */
export function readImports(out: string): readonly ImportRecord[] {
  try {
    return v.parse(v.array(RECORD), JSON.parse(readFileSync(pathIn(out), 'utf8')));
  } catch {
    return [];
  }
}

function pathIn(out: string): string {
  return join(out, 'state', 'imports.json');
}
