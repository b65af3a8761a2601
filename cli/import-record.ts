/** Results of the last imports of `offprint.json`. */
import { shownAddress } from '../common/shown-address.ts';
import { absentOr, isNumber, isText, listOf, nullOr, recordOf } from '../contract/json.ts';
import { type ImportSummary, isImportSummary, leftOut } from '../data/imported/report.ts';
import { Results } from '../data/results.ts';
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

/** The record of an import. */
export interface ImportRecord {
  readonly format: string;
  /** Without secrets. */
  readonly path: string;
  /** The last success, including imports without changes; null: never. */
  readonly imported_at: string | null;
  /** Posts that the last import that read its source left out: the first of them. */
  readonly left_out: readonly { readonly source: string; readonly reason: string }[];
  /** The running import; null: not running. */
  readonly running: { readonly since: string; readonly pid: number } | null;
}

/** By importName. */
export const IMPORTS = new Results<ImportRecord>(
  'importing',
  recordOf<ImportRecord>({
    format: isText,
    path: isText,
    imported_at: nullOr(isText),
    left_out: listOf(recordOf<ImportRecord['left_out'][number]>({ source: isText, reason: isText })),
    running: nullOr(recordOf<NonNullable<ImportRecord['running']>>({ since: isText, pid: isNumber })),
  }),
);

/** Records the start of an import in this process. */
export function recordRunning(out: string, source: Pick<ImportOutcome, 'format' | 'path'>, now: Date): void {
  const running = { since: now.toISOString(), pid: process.pid };
  IMPORTS.note(out, { ...known(out, source), running }, importName(source));
}

/** Records the end of all imports, and forgets others. */
export function recordImports(out: string, outcomes: readonly ImportOutcome[], now: Date): void {
  const before = IMPORTS.read(out);
  const at = now.toISOString();
  for (const outcome of outcomes) recordOutcome(out, outcome, at);
  const names = outcomes.map(importName);
  // A blog whose format another replaces is known until that one succeeds.
  const failed = outcomes
    .filter(({ failure }) => failure !== undefined)
    .map(({ path }) => shownAddress(path));
  const gone = before.filter(
    ({ subject, report }) => !names.includes(subject) && !failed.includes(report?.path ?? ''),
  );
  IMPORTS.forget(out, ...gone.map(({ subject }) => subject));
}

/** Clears the failure of an import of `offprint.json` whose blog was then imported with the command and a path. */
export function recordByHand(out: string, outcome: ImportOutcome, now: Date): void {
  const failed = IMPORTS.of(out, importName(outcome))?.since ?? null;
  if (failed !== null) recordOutcome(out, outcome, now.toISOString());
}

/** @param at RFC 3339, UTC */
function recordOutcome(out: string, outcome: ImportOutcome, at: string): void {
  const { report, failure } = outcome;
  const name = importName(outcome);
  const record = { ...known(out, outcome), running: null };
  const left_out = report
    ? leftOut(report.skipped)
        .slice(0, LEFT_OUT_SHOWN)
        .map(({ source, reason }) => ({ source, reason }))
    : record.left_out;
  if (failure === undefined) IMPORTS.recordSuccess(out, { ...record, left_out, imported_at: at }, name);
  else {
    IMPORTS.note(out, record, name);
    IMPORTS.recordFailure(out, at, failure, name);
  }
}

/** The record of an import before it begins or ends. */
function known(out: string, { format, path }: Pick<ImportOutcome, 'format' | 'path'>): ImportRecord {
  const nothing = { format, path: shownAddress(path), imported_at: null, left_out: [], running: null };
  return findImport(readImports(out), { format, path }) ?? nothing;
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
  return records.find(
    (record) => record.format === (format ?? record.format) && record.path === shownAddress(path),
  );
}

export function readImports(out: string): readonly ImportRecord[] {
  return IMPORTS.read(out).flatMap(({ report }) => report ?? []);
}

/** A killed import could not record its end. */
export function withoutEnded(record: ImportRecord): ImportRecord {
  return { ...record, running: record.running && isProcessAlive(record.running.pid) ? record.running : null };
}

/** `markdown /srv/blog`, printable. */
export function importName({ format, path }: ImportedSource): string {
  const shown = printable(shownAddress(path));
  return format ? `${format} ${shown}` : shown;
}

/** A post's origin as people know it: its file, without our prefix. Printable. */
export function originName(source: string): string {
  return printable(source.replace(/^markdown:/, ''));
}
