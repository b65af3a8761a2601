/** Keeps the blogs under `import` in `offprint.json` up to date. */
import { existsSync, rmSync } from 'node:fs';
import { type Progress, SILENT } from '../common/progress.ts';
import { type BlogDatabase, readingFrom, writingUntil } from '../data/database.ts';
import { computeFingerprint, importedFiles, isRemote } from '../import/sources/fingerprint.ts';
import { OptionNeeded } from '../import/errors.ts';
import type { FormatName } from '../import/format-names.ts';
import { readBlog, takesOption } from '../import/formats.ts';
import type { FormatOptions, ReadOptions } from '../import/read-options.ts';
import { importBlog, type ImportRules } from '../data/imported/import.ts';
import {
  forgetOtherImports,
  type LastImport,
  lastImport,
  noteImport,
} from '../data/imported/last-imports.ts';
import { knownBlog } from '../data/imported/origin.ts';
import type { ImportReport } from '../data/imported/report.ts';
import { findPostPath, siteAddress } from '../data/imported/site.ts';
import { describeFailure } from './failure.ts';
import {
  findImport,
  type ImportOutcome,
  type ImportRecord,
  IMPORTS,
  readImports,
  recordImports,
  recordRunning,
} from './import-record.ts';
import { recognise, SourceUnclear } from './recognise.ts';
import type { Config, ImportSetting } from './settings.ts';
import { VERSION } from './version.ts';

/** How long an import is current without a known change of its source: an engine renders scheduled posts when they are due. */
const REREAD_MS = 900_000;

interface ConfiguredImports {
  readonly db: string;
  readonly out: string;
  readonly config: Pick<Config, 'import' | 'site'>;
  readonly now: Date;
  readonly progress?: Progress;
  /** Imports again even without changes. */
  readonly all?: boolean;
  /** Continues even if most or all posts are missing. */
  readonly force?: boolean;
}

/**
 * Imports each blog that changed since its last import, and records the results for `status`. A failed import does not
 * change the database or stop the others.
 */
export async function importConfigured({
  db: path,
  out,
  config,
  now,
  progress = SILENT,
  all = false,
  force = false,
}: ConfiguredImports): Promise<readonly ImportOutcome<ImportReport>[]> {
  const outcomes: ImportOutcome<ImportReport>[] = [];
  await openForImport(path, async (db) => {
    for (const setting of config.import) {
      outcomes.push(await importIfDue(db, setting, { db: path, out, config, now, progress, all, force }));
    }
    forgetOtherImports(
      db,
      config.import.map((setting) => importKey(setting, config)),
    );
    return outcomes.some(({ report }) => report);
  });
  recordImports(out, outcomes, now);
  return outcomes;
}

/**
 * Opens a database for imports. A new one is removed again if nothing was imported: it would be published as an empty blog.
 *
 * @param work returns whether anything was imported
 */
export async function openForImport(
  path: string,
  work: (db: BlogDatabase) => Promise<boolean>,
): Promise<void> {
  const isNew = !existsSync(path);
  let isImported = false;
  try {
    isImported = await writingUntil(path, work);
  } finally {
    if (isNew && !isImported) for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
  }
}

async function importIfDue(
  db: BlogDatabase,
  setting: ImportSetting,
  { out, config, now, progress, all, force }: Required<ConfiguredImports>,
): Promise<ImportOutcome<ImportReport>> {
  const { path } = setting;
  const fingerprint = await computeFingerprint(importedFiles(setting));
  const last = lastImport(db, importKey(setting, config));
  // A new output, as after a restore, must learn what the import leaves out.
  const recorded = findImport(readImports(out), setting);
  if (!all && recorded && !isDue(last, fingerprint, now)) return { format: recorded.format, path };
  let format = setting.format ?? '';
  try {
    const { name, complete = false, keep = false, strict = false, format: given, ...options } = setting;
    const known = given ?? (await recognise(path)).format;
    format = known;
    // Another version may read the same rows differently. Servers are not asked for everything again because of that.
    const readsAll = all || (last === null && !isRemote(path));
    recordRunning(out, { format, path }, new Date());
    const report = await runImport({
      db,
      format: known,
      paths: [path],
      fingerprint,
      configured: config.site,
      now,
      progress,
      options: { ...options, ...(readsAll && takesOption(known, 'all') ? { all: true } : {}) },
      rules: { name, complete, keep, strict, force },
    });
    noteImport(db, importKey(setting, config), { fingerprint, importedAt: now.toISOString() });
    return { format, path, report };
  } catch (error) {
    const hasEntry = error instanceof OptionNeeded || error instanceof SourceUnclear;
    return { format, path, failure: describeFailure(hasEntry ? error.inEntry : error) };
  }
}

/** @param last null: it was never imported */
function isDue(last: LastImport | null, fingerprint: string, now: Date): boolean {
  if (last === null || last.fingerprint !== fingerprint) return true;
  const age = now.getTime() - Date.parse(last.importedAt);
  return age < 0 || age >= REREAD_MS;
}

/** One import, from the command line or `offprint.json`. */
interface ImportRequest {
  readonly db: BlogDatabase;
  readonly format: FormatName;
  readonly paths: readonly [string, ...string[]];
  /** The format of the paths, if known. */
  readonly fingerprint?: string;
  readonly options: FormatOptions;
  readonly rules: ImportRules;
  /** The site's address, if given. */
  readonly site?: string | undefined;
  readonly configured: Config['site'];
  readonly now: Date;
  readonly progress: Progress;
}

/** Reads a blog and writes it to the database. @throws errors of `readBlog` and `importBlog`, before any write */
export async function runImport(wanted: ImportRequest): Promise<ImportReport> {
  const { db, format, paths, fingerprint, options, rules, site, configured, now, progress } = wanted;
  const reading: ReadOptions = {
    // Never in `offprint.json`, a log or a report.
    key: process.env['OFFPRINT_GHOST_KEY']?.trim(),
    ...options,
    now,
    progress,
    workFolder: db.memory ? undefined : `${db.name}-import`,
    complete: rules.complete,
    site: siteAddress(db, site ?? configured.url),
    postPath: findPostPath(db, configured.paths?.post),
    known: (name, key) => knownBlog(db, name, key, site ?? configured.url),
  };
  const items = readBlog(format, paths, reading, fingerprint);
  return importBlog({
    db,
    items,
    site: { url: site },
    progress,
    ...rules,
    configured: { url: configured.url, postPath: configured.paths?.post },
  });
}

/** Whether `importConfigured` has something to do: an import, or an entry that was removed from `offprint.json`. */
export async function areImportsDue({
  db: path,
  out,
  config,
  now,
}: Pick<ConfiguredImports, 'db' | 'out' | 'config' | 'now'>): Promise<boolean> {
  const isConfigured = (record: ImportRecord) => config.import.some((one) => findImport([record], one));
  // Failed imports are retried, even if their source is as it was before.
  if (IMPORTS.read(out).some(({ since, report }) => since !== null || (report && !isConfigured(report))))
    return true;
  const last = readingFrom(path, (db) =>
    config.import.map((setting) => lastImport(db, importKey(setting, config))),
  );
  for (const [i, setting] of config.import.entries())
    if (isDue(last[i] ?? null, await computeFingerprint(importedFiles(setting)), now)) return true;
  return false;
}

/** With all that decides what the same files give: the version, and the addresses that links between posts lead to. */
function importKey(setting: ImportSetting, { site }: Pick<Config, 'site'>): string {
  return JSON.stringify([VERSION, setting, site.url, site.paths?.post]);
}
