import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { pause } from '../../common/pause.ts';
import { ensurePrivateFile, ensurePrivateFolder } from '../../common/private-files.ts';
import { SourceUnreadable } from '../errors.ts';
import { statIfExists } from '../sources/files.ts';

/** How long a statement waits for another program's lock. */
const LOCK_TIMEOUT_MS = 10_000;
/** How long to let others write, between two steps of a copy. */
const RELEASED_MS = 10;

/** The steps of a copy. Only tests change the defaults. */
export interface Pace {
  /** Bytes to copy at a time: about 25 ms, during which nobody can write. */
  readonly stepBytes: number;
  /** How long to retry while another program keeps writing, in milliseconds. */
  readonly timeoutMs: number;
}

const PACE: Pace = { stepBytes: 20_000_000, timeoutMs: 30_000 };

/**
 * Another program's database in one state, while `work` reads it. Its owner can write meanwhile: with a write-ahead log,
 * readers do not block writers, and the database is read as it is. With a rollback journal, nobody can commit while
 * somebody reads, and views may take any time: so a copy is read.
 *
 * @param folder a private one for the copy, which has everything that the database has; undefined: a temporary one
 * @throws SourceUnreadable, PathUnreadable, and what `work` throws
 */
export async function* readingSource<T>(
  path: string,
  folder: string | undefined,
  work: (db: Database.Database) => AsyncIterable<T>,
  pace = PACE,
): AsyncGenerator<T> {
  if ((await statIfExists(path))?.isFile() !== true)
    throw new SourceUnreadable(path, 'there is no such file');
  const owned = openReadOnly(path);
  let copy: Database.Database | undefined;
  const copies = folder ?? mkdtempSync(join(tmpdir(), 'offprint-sql-'));
  try {
    if (owned.pragma('journal_mode', { simple: true }) !== 'wal') {
      copy = await copyDatabase(owned, path, copies, pace);
      owned.close();
    }
    const db = copy ?? owned;
    db.exec('BEGIN'); // One state for all reads.
    yield* work(db);
  } catch (error) {
    throw asUnreadable(path, error);
  } finally {
    owned.close();
    copy?.close();
    rmSync(copies, { recursive: true, force: true });
  }
}

function openReadOnly(path: string): Database.Database {
  let db: Database.Database | undefined;
  try {
    db = new Database(path, { readonly: true, fileMustExist: true, timeout: LOCK_TIMEOUT_MS });
    db.prepare('SELECT count(*) FROM sqlite_schema').get(); // Opening alone does not read the file.
    return db;
  } catch (error) {
    db?.close();
    throw asUnreadable(path, error);
  }
}

/** SQLite starts a copy again when another program has written. */
async function copyDatabase(
  owned: Database.Database,
  path: string,
  folder: string,
  { stepBytes, timeoutMs }: Pace,
): Promise<Database.Database> {
  ensurePrivateFolder(folder);
  const copy = join(folder, 'copy.db');
  for (const left of [copy, `${copy}-journal`]) rmSync(left, { force: true }); // By an import that was killed.
  ensurePrivateFile(copy);
  const until = performance.now() + timeoutMs;
  const pages = Math.ceil(stepBytes / Number(owned.pragma('page_size', { simple: true })));
  let remaining = Infinity;
  const { totalPages } = await owned.backup(copy, {
    progress({ remainingPages }) {
      if (remainingPages >= remaining && performance.now() > until) throw new DatabaseBusy(path, timeoutMs);
      remaining = remainingPages;
      pause(RELEASED_MS);
      return pages;
    },
  });
  if (totalPages === 0) throw new DatabaseBusy(path, timeoutMs); // It was locked.
  return openReadOnly(copy);
}

class DatabaseBusy extends SourceUnreadable {
  constructor(path: string, timeoutMs: number) {
    super(
      path,
      `it kept changing for ${timeoutMs / 1000} seconds while it was copied. ` +
        'Nothing was imported; the next import retries. If its owner runs "PRAGMA journal_mode = WAL" once, it can be ' +
        'read at any time',
    );
  }
}

/** SQLite's errors about the file or its lock, in our words. */
const REASONS: readonly (readonly [code: RegExp, why: string])[] = [
  [
    /^SQLITE_(?:BUSY|LOCKED)/,
    `it stayed locked by another program for ${LOCK_TIMEOUT_MS / 1000} seconds. Nothing was imported; the next import retries`,
  ],
  [/^SQLITE_NOTADB/, 'it is not a SQLite database, or its header is damaged'],
  [/^SQLITE_CORRUPT/, 'it is damaged. Restore it from a backup'],
  [
    /^SQLITE_READONLY_ROLLBACK/,
    'its program was killed in the middle of a write, and the journal next to it is needed to undo that write. Start that program once, and do not delete the journal',
  ],
  [
    /^SQLITE_READONLY_(?:CANTINIT|RECOVERY|DIRECTORY)/,
    'it uses a write-ahead log, so SQLite must create a file next to it, which this user may not. Give this user write access to the folder',
  ],
  [/^SQLITE_(?:CANTOPEN|IOERR|PERM|FULL)/, ''],
];

function asUnreadable(path: string, error: unknown): unknown {
  const why = findFault(error);
  return why === null ? error : new SourceUnreadable(path, why);
}

/** What an error of SQLite says about the file or its lock; null: it is about something else. */
export function findFault(error: unknown): string | null {
  if (!(error instanceof Database.SqliteError)) return null;
  const [, why] = REASONS.find(([code]) => code.test(error.code)) ?? [];
  return why === undefined ? null : why || error.message;
}
