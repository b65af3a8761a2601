import { rmSync, statSync } from 'node:fs';
import { pause } from '../../common/pause.ts';
import { codeOf } from '../../common/thrown.ts';
import { openForeign, readingDatabase, type BlogDatabase } from '../database.ts';
import { type Block, BlockCopy } from './block-copy.ts';
import { DatabaseBusy } from './errors.ts';

/** Timing of a copy; only tests change the defaults. */
export interface Pace {
  /** How long to block the owner's writes at a time, in milliseconds; one more block may exceed it. */
  readonly lockMs: number;
  /** How long to retry while the owner keeps writing, in milliseconds. */
  readonly timeoutMs: number;
  /** Called between two locks, when the owner may write. By default it pauses, for owners without a timeout. */
  readonly released: () => void;
}

const PACE: Pace = { lockMs: 50, timeoutMs: 30_000, released: () => pause(10) };

/** Limit for differing blocks, which are kept in memory until the owner may write. */
const MAX_BLOCKS = 64;

/**
 * Opens another program's database so that reads never block its owner's writes for long. With a write-ahead log,
 * readers do not block writers, and it is opened directly. With a rollback journal, nobody can commit during a read,
 * and views may take any time: so a copy is opened. Its file is already deleted, or is deleted on close, since it may
 * contain private data: drafts, members, passwords.
 *
 * @param copy path for the copy while it is made, in a private folder
 * @throws DatabaseMissing, DatabaseUnreadable, DatabaseCorrupt, DatabaseLocked, DatabaseBusy, OutputUnwritable
 */
export function openWithoutBlocking(path: string, copy: string, pace: Partial<Pace> = {}): BlogDatabase {
  for (;;) {
    rmSync(copy, { force: true }); // Left by a build that was killed.
    const inode = statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
    const owned = openForeign(path);
    if (isLogged(owned)) return owned;
    let copied: BlogDatabase | undefined;
    try {
      const files = new BlockCopy(path, copy);
      try {
        // The file may have been replaced since it was opened.
        if (files.inode !== inode) continue;
        if (copyDatabase(owned, path, files, { ...PACE, ...pace })) copied = openForeign(copy);
      } finally {
        files.close();
      }
    } finally {
      owned.close();
      // On Linux and macOS an open connection can still read it.
      if (!removeUnlessOpen(copy) && copied) removeOnClose(copied, copy);
    }
    if (copied) return copied;
  }
}

/** Removes a file. @returns false if SQLite has it open, on Windows */
export function removeUnlessOpen(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch (error) {
    if (/^(?:EBUSY|EPERM)$/.test(codeOf(error) ?? '')) return false;
    throw error;
  }
}

function removeOnClose(db: BlogDatabase, path: string): void {
  const close = db.close.bind(db);
  db.close = () => {
    close();
    removeUnlessOpen(path); // Otherwise by the next build.
    return db;
  };
}

/**
 * First copies without a lock, which may mix states, and warms the page cache. Then compares block by block while
 * nobody can write, and restarts if somebody wrote between two blocks. So in the end all blocks are equal to the same
 * state.
 *
 * @returns false if the database has a write-ahead log now
 */
function copyDatabase(owned: BlogDatabase, path: string, files: BlockCopy, pace: Pace): boolean {
  files.copyAll();
  const until = performance.now() + pace.timeoutMs;
  let version: number | undefined;
  for (let at = 0, size = Infinity; at < size;) {
    pace.released();
    const different: Block[] = [];
    const hasLog = reading(owned, path, (current) => {
      if (isLogged(owned)) return true;
      if (version !== undefined && version !== current) {
        if (performance.now() > until) throw new DatabaseBusy(path, pace.timeoutMs / 1000);
        at = 0;
      }
      version = current;
      ({ size } = files);
      const end = performance.now() + pace.lockMs;
      while (at < size) {
        const block = files.compare(at);
        at = block.length === 0 ? size : at + block.length;
        if (block.different !== null) different.push(block.different);
        if (different.length === MAX_BLOCKS || performance.now() > end) break;
      }
      return false;
    });
    if (hasLog) return false;
    for (const block of different) files.write(block);
    if (at >= size) files.truncate(size);
  }
  return true;
}

/** Runs `work` while nobody can write, with a value that changes after every write. */
function reading<T>(owned: BlogDatabase, path: string, work: (version: number) => T): T {
  return readingDatabase(path, () => {
    owned.exec('BEGIN');
    try {
      owned.prepare('SELECT count(*) FROM sqlite_schema').get(); // The first read takes the lock.
      return work(Number(owned.pragma('data_version', { simple: true })));
    } finally {
      if (owned.inTransaction) owned.exec('ROLLBACK');
    }
  });
}

function isLogged(db: BlogDatabase): boolean {
  return db.pragma('journal_mode', { simple: true }) === 'wal';
}
