/** Results of the last imports of `offprint.json`, in `out/state/imports.json`, for `status`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { ensureStateFolder, replacePrivateFile } from '../common/output-files.ts';
import { shownAddress } from '../common/shown-address.ts';
import { absentOr, isText, recordOf } from '../contract/json.ts';
import { type ImportSummary, isImportSummary, leftOut } from '../data/imported/report.ts';
import { printable } from './printable.ts';
import { isProcessAlive } from './process-alive.ts';

/** The result of one import; with neither report nor failure, nothing had changed. */
export interface ImportOutcome<Report extends ImportSummary = ImportSummary> {
  /** Empty: it could not be recognised. */
  readonly format: string;
  readonly path: string;
  readonly report?: Report;
  readonly failure?: string;
}

export const isImportOutcome = recordOf<ImportOutcome>({
  format: isText,
  path: isText,
  report: absentOr(isImportSummary),
  failure: absentOr(isText),
});

const LEFT_OUT_SHOWN = 10;

const RECORD = v.object({
  format: v.string(),
  path: v.string(),
  /** The last success, including imports without changes; null: never. */
  imported_at: v.nullable(v.string()),
  /** The first failure since the last success; null: it succeeded. */
  failure: v.nullable(v.object({ since: v.string(), message: v.string() })),
  /** Posts that the last import that read its source left out: the first of them. */
  left_out: v.optional(v.array(v.object({ source: v.string(), reason: v.string() })), []),
  /** Start of the running import; null: not running. */
  running: v.optional(
    v.nullable(v.object({ since: v.string(), pid: v.pipe(v.number(), v.integer(), v.minValue(1)) })),
    null,
  ),
});
export type ImportRecord = v.InferOutput<typeof RECORD>;

/** Records the start of an import in this process. */
export function recordRunning(
  out: string,
  { format, path }: Pick<ImportOutcome, 'format' | 'path'>,
  now: Date,
): void {
  const before = readImports(out);
  const recorded = findImport(before, { format, path });
  const known = recorded ?? { format, path, imported_at: null, failure: null, left_out: [] };
  const record = { ...known, running: { since: now.toISOString(), pid: process.pid } };
  writeImports(out, [...before.filter((other) => other !== recorded), record]);
}

/** Records the end of all imports. */
export function recordImports(out: string, outcomes: readonly ImportOutcome[], now: Date): void {
  const before = readImports(out);
  const at = now.toISOString();
  const records = outcomes.map(({ format, path, report, failure }): ImportRecord => {
    const known = findImport(before, { format, path });
    const left_out = report
      ? leftOut(report.skipped)
          .slice(0, LEFT_OUT_SHOWN)
          .map(({ source, reason }) => ({ source, reason }))
      : (known?.left_out ?? []);
    const record = { format, path, left_out, running: null };
    if (failure === undefined) return { ...record, imported_at: at, failure: null };
    const since = known?.failure?.since ?? at;
    return { ...record, imported_at: known?.imported_at ?? null, failure: { since, message: failure } };
  });
  if (records.length === 0 && before.length === 0) return;
  writeImports(out, records);
}

/** A blog of `offprint.json`, whose format may not be named. */
interface ImportedSource {
  readonly format?: string | undefined;
  readonly path: string;
}

/** The record of one import. */
export function findImport(
  records: readonly ImportRecord[],
  { format, path }: ImportedSource,
): ImportRecord | undefined {
  return records.find((record) => record.format === (format ?? record.format) && record.path === path);
}

export function writeImports(out: string, records: readonly ImportRecord[]): void {
  ensureStateFolder(out);
  replacePrivateFile(pathIn(out), `${JSON.stringify(records, null, 2)}\n`);
}

/** The recorded results; empty if the record is missing or broken. */
export function readImports(out: string): readonly ImportRecord[] {
  try {
    const records = v.parse(v.array(RECORD), JSON.parse(readFileSync(pathIn(out), 'utf8')));
    // A killed import could not record its end.
    return records.map((record) =>
      record.running !== null && isProcessAlive(record.running.pid) ? record : { ...record, running: null },
    );
  } catch {
    return [];
  }
}

/** `markdown /srv/blog`, printable. */
export function importName({ format, path }: ImportedSource): string {
  const shown = printable(shownAddress(path));
  return format ? `${format} ${shown}` : shown;
}

/** A post's origin as people know it: its file, without our mark before it. Printable. */
export function originName(source: string): string {
  return printable(source.replace(/^markdown:/, ''));
}

function pathIn(out: string): string {
  return join(out, 'state', 'imports.json');
}
