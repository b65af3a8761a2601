import { rmSync, statSync } from 'node:fs';
import { openForeign, readingDatabase, type BlogDatabase } from '../database.ts';
import { type Block, BlockCopy } from './block-copy.ts';
import { DatabaseBusy } from './errors.ts';

/** How a database is copied; the defaults are right but for tests. */
export interface Pace {
  /** How long the owner may be kept from writing at a time, in milliseconds; reading one block more may take longer. */
  readonly holdMs: number;
  /** How long a copy is tried for, in milliseconds, while the owner goes on writing. */
  readonly patienceMs: number;
  /** Called between two such times: the owner may write. By default it waits, for owners that do not wait themselves. */
  readonly released: () => void;
}

const PACE: Pace = { holdMs: 50, patienceMs: 30_000, released: () => pause(10) };

/** Of blocks that differ, which are kept in memory until the owner may write. */
const MOST_BLOCKS = 64;

/**
 * Opens somebody else's database so that reading it never keeps its owner from writing for long. With a write-ahead
 * log readers and writers do not meet, and it is opened as it is. With a rollback journal nobody can commit while
 * somebody reads, and views may take any time: then it is its copy that is opened, whose file has no name any more
 * and goes when it is closed. It may hold what is nobody's business: drafts, members, passwords.
 *
 * @param copy path for the copy while it is made, in a private folder
 * @throws DatabaseMissing, DatabaseUnreadable, DatabaseCorrupt, DatabaseLocked, DatabaseBusy, OutputUnwritable
 */
export function openWithoutHolding(path: string, copy: string, pace: Partial<Pace> = {}): BlogDatabase {
  for (;;) {
    rmSync(copy, { force: true }); // Of a build that was killed.
    const inode = statSync(path, { throwIfNoEntry: false })?.ino;
    const owned = openForeign(path);
    if (isLogged(owned)) return owned;
    try {
      const files = new BlockCopy(path, copy);
      try {
        // Another file may have been put in its place since it was opened.
        if (files.inode !== inode) continue;
        if (copyDatabase(owned, path, files, { ...PACE, ...pace })) return openForeign(copy);
      } finally {
        files.close();
      }
    } finally {
      owned.close();
      rmSync(copy, { force: true }); // An open connection can go on reading it.
    }
  }
}

/**
 * First copies without a lock, which may mix states, and brings the file into memory. Then compares block by block while
 * nobody can write, and begins again where somebody has written between two blocks. So at the end each block was found,
 * or made, equal in the same state.
 *
 * @returns false where the database has a write-ahead log now
 */
function copyDatabase(owned: BlogDatabase, path: string, files: BlockCopy, pace: Pace): boolean {
  files.copyAll();
  const until = performance.now() + pace.patienceMs;
  let version: number | undefined;
  for (let at = 0, size = Infinity; at < size;) {
    pace.released();
    const different: Block[] = [];
    const hasLog = reading(owned, path, (current) => {
      if (isLogged(owned)) return true;
      if (version !== undefined && version !== current) {
        if (performance.now() > until) throw new DatabaseBusy(path, pace.patienceMs / 1000);
        at = 0;
      }
      version = current;
      ({ size } = files);
      const end = performance.now() + pace.holdMs;
      while (at < size) {
        const block = files.compare(at);
        at = block.length === 0 ? size : at + block.length;
        if (block.different !== null) different.push(block.different);
        if (different.length === MOST_BLOCKS || performance.now() > end) break;
      }
      return false;
    });
    if (hasLog) return false;
    for (const block of different) files.write(block);
    if (at >= size) files.truncate(size);
  }
  return true;
}

/** Runs `work` while nobody can write, with what changes whenever somebody has written. */
function reading<T>(owned: BlogDatabase, path: string, work: (version: number) => T): T {
  return readingDatabase(path, () => {
    owned.exec('BEGIN');
    try {
      owned.prepare('SELECT count(*) FROM sqlite_schema').get(); // The lock comes with the first read.
      return work(Number(owned.pragma('data_version', { simple: true })));
    } finally {
      if (owned.inTransaction) owned.exec('ROLLBACK');
    }
  });
}

function isLogged(db: BlogDatabase): boolean {
  return db.pragma('journal_mode', { simple: true }) === 'wal';
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
