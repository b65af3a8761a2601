/** The blogs that `offprint.json` names under `import`, kept up to date. */
import { existsSync, rmSync } from 'node:fs';
import { type Progress, SILENT } from '../common/progress.ts';
import { type BlogDatabase, openForWriting } from '../data/database.ts';
import { fingerprintOf, isRemote } from '../data/import/fingerprint.ts';
import type { FormatName } from '../data/import/format-names.ts';
import { type FormatOptions, readBlog, type ReadOptions, takesOption } from '../data/import/formats.ts';
import { importBlog, type ImportRules } from '../data/import/import.ts';
import { forgetOtherImports, type LastImport, lastImport, noteImport } from '../data/import/last-imports.ts';
import { knownBlog } from '../data/import/origin.ts';
import { forgetKept, keptFolder } from '../data/import/running/kept.ts';
import type { ImportReport } from '../data/import/report.ts';
import { siteAddress } from '../data/import/site.ts';
import { describeFailure } from './failure.ts';
import { credentials } from './import-credentials.ts';
import { type ImportOutcome, recordImports, recordRunning } from './import-record.ts';
import type { Config, ImportSetting } from './settings.ts';
import { VERSION } from './version.ts';

/** Files are read again after so long, changed or not: dates come, and lists in texts change. */
const FILES_HOLD_MS = 3_600_000;
/** A blog on another machine is asked after so long. */
const REMOTE_HOLDS_MS = 900_000;

export interface ConfiguredImports {
  readonly db: string;
  readonly out: string;
  readonly config: Pick<Config, 'import' | 'site'>;
  readonly now: Date;
  readonly progress?: Progress;
  /** Reads all of it again, whether it has changed or not. */
  readonly all?: boolean;
  /** Continues where most or all posts are gone. */
  readonly force?: boolean;
}

/**
 * Imports each blog that has changed since the last time, and records how it went for `status`. One that fails leaves
 * the database as it is, and does not keep the others from it.
 */
export async function importConfigured({
  db: path,
  out,
  config,
  now,
  progress = SILENT,
  all = false,
  force = false,
}: ConfiguredImports): Promise<readonly ImportOutcome[]> {
  const isNew = !existsSync(path);
  const db = openForWriting(path);
  const outcomes: ImportOutcome[] = [];
  try {
    for (const setting of config.import) {
      outcomes.push(await importIfDue(db, setting, { db: path, out, config, now, progress, all, force }));
    }
    forgetOtherImports(db, config.import.map(textOf));
  } finally {
    db.close();
    // An empty database would be taken for a blog.
    if (isNew && !outcomes.some(({ report }) => report)) {
      for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
    }
  }
  recordImports(out, outcomes, now);
  return outcomes;
}

async function importIfDue(
  db: BlogDatabase,
  setting: ImportSetting,
  { db: dbPath, out, config, now, progress, all, force }: Required<ConfiguredImports>,
): Promise<ImportOutcome> {
  const { format, path } = setting;
  const fingerprint = await fingerprintOf([path]);
  if (!all && !isDue(setting, lastImport(db, textOf(setting)), fingerprint, now)) return { format, path };
  recordRunning(out, { format, path }, new Date());
  try {
    const { name, complete = false, keep = false, strict = false, ...options } = setting;
    const report = await runImport({
      ...{ db, dbPath, format, paths: [path], fingerprint, configured: config.site, now, progress },
      options: { ...options, ...(all && takesOption(format, 'all') ? { all } : {}) },
      rules: { name, complete, keep, strict, force },
    });
    noteImport(db, textOf(setting), { fingerprint, importedAt: now.toISOString() });
    return { format, path, report };
  } catch (error) {
    return { format, path, failure: describeFailure(error) };
  }
}

/** Whether an import is to be done again. */
export function isDue(
  { path }: Pick<ImportSetting, 'path'>,
  last: LastImport | null,
  fingerprint: string,
  now: Date,
): boolean {
  if (last === null || last.fingerprint !== fingerprint) return true;
  const age = now.getTime() - Date.parse(last.importedAt);
  return age < 0 || age >= holdsMs(path);
}

/** One import, as the command line or `offprint.json` asks for it. */
export interface WantedImport {
  readonly db: BlogDatabase;
  /** Where the database is. */
  readonly dbPath: string;
  readonly format: FormatName;
  readonly paths: readonly [string, ...string[]];
  /** Of the paths, where it is known. */
  readonly fingerprint?: string;
  readonly options: FormatOptions;
  readonly rules: ImportRules;
  /** The address that is given with it. */
  readonly site?: string | undefined;
  readonly configured: Config['site'];
  readonly now: Date;
  readonly progress: Progress;
}

/** Reads a blog and writes it. @throws what `readBlog` and `importBlog` throw; then nothing is written */
export async function runImport(wanted: WantedImport): Promise<ImportReport> {
  const { db, dbPath, format, paths, fingerprint, options, rules, site, configured, now, progress } = wanted;
  const kept = keptFolder(dbPath, format, paths[0]);
  const reading: ReadOptions = {
    ...credentials(),
    ...options,
    ...{ kept, now, progress },
    complete: rules.complete,
    site: siteAddress(db, site ?? configured.url),
    known: (name, key) => knownBlog(db, name, key),
  };
  const items = readBlog(format, paths, reading, fingerprint);
  const report = await importBlog({
    ...{ db, items, site: { url: site }, progress, ...rules },
    configured: { url: configured.url, postPath: configured.paths?.post },
  });
  forgetKept(kept);
  return report;
}

/**
 * Changes when something is to be imported again: the configuration, files, or after some time.
 *
 * @param config as it is now
 */
export async function importsMark({ import: settings }: Pick<Config, 'import'>, now: Date): Promise<string> {
  const marks = settings.map(async (setting) => {
    const { path } = setting;
    return [setting, await fingerprintOf([path]), Math.floor(now.getTime() / holdsMs(path))];
  });
  return JSON.stringify(await Promise.all(marks));
}

/** How long an import holds, if nothing here tells that its source has changed. */
function holdsMs(path: string): number {
  return isRemote(path) ? REMOTE_HOLDS_MS : FILES_HOLD_MS;
}

/** Another version may read more of the same files. */
function textOf(setting: ImportSetting): string {
  return JSON.stringify([VERSION, setting]);
}
