import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { guardingOutput } from '../../common/output-files.ts';
import { PRIVATE_FILE } from '../../common/private-files.ts';
import { openForeign, readingDatabase, type BlogDatabase } from '../database.ts';
import { DatabaseBusy } from './errors.ts';

/** How a database is copied; the defaults are right but for tests. */
export interface Pace {
  /** How long the owner may be kept from writing at a time, in milliseconds; reading one block more may take longer. */
  readonly holdMs: number;
  /** How much is read at a time, in bytes, before it is written to the copy. */
  readonly bufferBytes: number;
  /** How long a copy is tried for, in milliseconds, while the owner goes on writing. */
  readonly patienceMs: number;
  /** Called whenever the owner may write, between two reads. */
  readonly released: () => void;
}

const PACE: Pace = {
  holdMs: 50,
  bufferBytes: 256 * 1024 ** 2,
  patienceMs: 30_000,
  released: () => undefined,
};

const BLOCK_BYTES = 1024 ** 2;

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
  rmSync(copy, { force: true }); // Of a build that was killed.
  const owned = openForeign(path);
  if (owned.pragma('journal_mode', { simple: true }) === 'wal') return owned;
  try {
    copyDatabase(owned, path, copy, { ...PACE, ...pace });
    return openForeign(copy);
  } finally {
    owned.close();
    rmSync(copy, { force: true }); // An open connection can go on reading it.
  }
}

function copyDatabase(owned: BlogDatabase, path: string, copy: string, pace: Pace): void {
  const until = performance.now() + pace.patienceMs;
  const from = openSync(path, 'r');
  const to = guardingOutput(copy, () => openSync(copy, 'wx', PRIVATE_FILE));
  try {
    const size = Math.min(fstatSync(from).size, pace.bufferBytes);
    // Filled, since the first use of memory takes as long as the reading.
    const buffer = Buffer.allocUnsafe(Math.max(size, BLOCK_BYTES)).fill(0);
    while (!copyWhole({ owned, path, from, to, copy, buffer }, pace)) {
      if (performance.now() > until) throw new DatabaseBusy(path, pace.patienceMs / 1000);
    }
  } finally {
    closeSync(to);
    // Takes this process's locks on the file away: none is held here, and no other connection is open.
    closeSync(from);
  }
}

interface Copying {
  readonly owned: BlogDatabase;
  readonly path: string;
  /** The files of the database and of its copy. */
  readonly from: number;
  readonly to: number;
  readonly copy: string;
  readonly buffer: Buffer;
}

/** @returns whether the database stayed as it was from the first read to the last */
function copyWhole({ owned, path, from, to, copy, buffer }: Copying, pace: Pace): boolean {
  let version: number | undefined;
  let filled = 0;
  const spill = (at: number): void => {
    guardingOutput(copy, () => writeAll(to, buffer.subarray(0, filled), at - filled));
    filled = 0;
  };
  for (let at = 0, size = Infinity; at < size; pace.released()) {
    const isSame = reading(owned, path, (current) => {
      version ??= current;
      // Another file may have been put in its place since it was opened.
      if (current !== version || statSync(path).ino !== fstatSync(from).ino) return false;
      size = fstatSync(from).size;
      const until = performance.now() + pace.holdMs;
      while (at < size && filled < buffer.length && performance.now() < until) {
        const bytes = readSync(from, buffer, filled, Math.min(BLOCK_BYTES, buffer.length - filled), at);
        if (bytes === 0) size = at;
        at += bytes;
        filled += bytes;
      }
      return true;
    });
    if (!isSame) return false;
    if (filled === buffer.length || at >= size) spill(at);
    if (at >= size) guardingOutput(copy, () => ftruncateSync(to, size));
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

function writeAll(file: number, bytes: Buffer, at: number): void {
  for (let written = 0; written < bytes.length;) {
    written += writeSync(file, bytes, written, bytes.length - written, at + written);
  }
}
