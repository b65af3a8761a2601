/**
 * The last result of each job: one table in `out/state/results.db`, for `status`, `doctor`, metrics and later commands. It is a
 * record, not a memory: losing it loses no article and publishes none. So a result that cannot be written fails nothing,
 * and a damaged database is replaced.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { ensureStateFolder } from '../common/output-files.ts';
import { ensurePrivateFile } from '../common/private-files.ts';
import { codeOf, inlineMessage } from '../common/thrown.ts';
import type { Check } from '../contract/json.ts';

/** In the words of `status`. */
export const JOBS = [
  'the build',
  'publishing',
  'importing',
  'withdrawing',
  'exporting',
  'webhooks',
  'counting',
  'following the snapshot',
] as const;

/** A job of the table. `service` has what running services know, `pruning` and `probing` only when they succeeded. */
type JobName = (typeof JOBS)[number] | 'service' | 'pruning' | 'probing';

/** The last result of a job. */
export interface Result<Report = unknown> {
  readonly job: string;
  /** A bucket, a blog, an article; empty: the job has only one. */
  readonly subject: string;
  /** The first failure since the last success. RFC 3339, UTC; null: it succeeded. */
  readonly since: string | null;
  /** The last failure since the last success. */
  readonly message: string | null;
  /** What is known since the last success; null: nothing, as if it never succeeded. */
  readonly report: Report | null;
}

const VERSION = 1;
const SCHEMA = `
  DROP TABLE IF EXISTS results;
  CREATE TABLE results (
    job     TEXT NOT NULL,
    subject TEXT NOT NULL,
    since   TEXT,
    message TEXT,
    report  TEXT, -- JSON
    PRIMARY KEY (job, subject)
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${VERSION}`;

/** A writer locks the table for milliseconds. */
const TIMEOUT_MS = 2000;

/** The results of one job. */
export class Results<Report extends object> {
  readonly job: JobName;
  readonly #isReport: Check<Report>;

  constructor(job: JobName, isReport: Check<Report>) {
    this.job = job;
    this.#isReport = isReport;
  }

  /** Those of this job. A report of another version counts as none. */
  among(results: readonly Result[]): Result<Report>[] {
    return results
      .filter(({ job }) => job === this.job)
      .map((result) => ({ ...result, report: this.#isReport(result.report) ? result.report : null }));
  }

  read(out: string): Result<Report>[] {
    return this.among(readResults(out));
  }

  /** Undefined: the job was never done. */
  of(out: string, subject = ''): Result<Report> | undefined {
    return this.read(out).find((result) => result.subject === subject);
  }

  recordSuccess(out: string, report: Report, subject = ''): void {
    this.#put(out, subject, 'since = NULL, message = NULL, report = excluded.report', null, null, report);
  }

  /** @param at RFC 3339, UTC */
  recordFailure(out: string, at: string, message: string, subject = ''): void {
    const changes = 'since = coalesce(since, excluded.since), message = excluded.message';
    this.#put(out, subject, changes, at, message, null);
  }

  /** Changes only the report. */
  note(out: string, report: Report, subject = ''): void {
    this.#put(out, subject, 'report = excluded.report', null, null, report);
  }

  forget(out: string, ...subjects: readonly string[]): void {
    if (subjects.length === 0 || !existsSync(pathIn(out))) return;
    writeResults(out, (db) => {
      const remove = db.prepare('DELETE FROM results WHERE job = ? AND subject = ?');
      for (const subject of subjects) remove.run(this.job, subject);
    });
  }

  #put(
    out: string,
    subject: string,
    changes: string,
    since: string | null,
    message: string | null,
    report: Report | null,
  ): void {
    writeResults(out, (db) =>
      db
        .prepare(`INSERT INTO results VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET ${changes}`)
        .run(this.job, subject, since, message, report && JSON.stringify(report)),
    );
  }
}

/** All results of an output. It does not change the database. */
export function readResults(out: string): Result[] {
  const path = pathIn(out);
  if (!existsSync(path)) return [];
  try {
    return opened(path, (db) => {
      if (!isCurrent(db)) return [];
      const all = 'SELECT job, subject, since, message, report FROM results ORDER BY job, subject';
      return db
        .prepare<[], Result<string>>(all)
        .all()
        .map((row) => ({ ...row, report: row.report === null ? null : parsed(row.report) }));
    });
  } catch (error) {
    reportOnce(`Results cannot be read from ${path}: ${inlineMessage(error)}.`);
    return [];
  }
}

function parsed(text: string): unknown {
  return JSON.parse(text);
}

/** Makes a change in one transaction. What prevents it is reported, and fails nothing. */
function writeResults(out: string, change: (db: Database.Database) => void): void {
  const path = pathIn(out);
  const write = (): void => {
    ensureStateFolder(out);
    ensurePrivateFile(path);
    opened(path, (db) => {
      // Readers make no files then, and on a full disk the journal that is there is written over. So that it is large
      // enough, the table is not made in the same transaction.
      db.pragma('journal_mode = PERSIST');
      if (!isCurrent(db)) db.transaction(() => isCurrent(db) || db.exec(SCHEMA)).immediate();
      db.transaction(() => change(db)).immediate();
    });
  };
  try {
    try {
      write();
    } catch (error) {
      if (!/^SQLITE_(?:CORRUPT|NOTADB)/.test(codeOf(error) ?? '')) throw error;
      rmSync(`${path}-journal`, { force: true });
      renameSync(path, `${path}.damaged`);
      reportOnce(
        `${path} was damaged, and was renamed to ${path}.damaged. "status" starts over, and "withdraw" knows no buckets or exported ` +
          `folders until the next "publish" and "export".`,
      );
      write();
    }
  } catch (error) {
    const reason = inlineMessage(error);
    reportOnce(
      `Results cannot be written to ${path} (${reason}), so "status" and "withdraw" do not know them.`,
    );
  }
}

function opened<T>(path: string, work: (db: Database.Database) => T): T {
  const db = new Database(path, { fileMustExist: true, timeout: TIMEOUT_MS });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

function isCurrent(db: Database.Database): boolean {
  return db.pragma('user_version', { simple: true }) === VERSION;
}

const reported = new Set<string>();
const printNote = (message: string): void => console.error(`note: ${message}`);
let onError = printNote;

/** Sets the listener for results that cannot be written or read; undefined: standard error, the default. */
export function onResultError(listener: (message: string) => void = printNote): void {
  onError = listener;
}

function reportOnce(message: string): void {
  if (reported.has(message)) return;
  reported.add(message);
  onError(message);
}

function pathIn(out: string): string {
  return join(out, 'state', 'results.db');
}
