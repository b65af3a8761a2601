import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { isDiskFull } from '../../common/disk-space.ts';
import { OutputUnwritable } from '../../common/errors.ts';
import { flush } from '../../common/flush.ts';
import { guardingOutput } from '../../common/output-files.ts';
import { ensurePrivateFile } from '../../common/private-files.ts';
import { rename } from '../../common/rename.ts';
import { blogSchema, checkOurs, openForeign, openForReading, readingDatabase } from '../../data/database.ts';
import { DatabaseCorrupt, DatabaseError, DatabaseFull } from '../../data/errors.ts';
import { schemaChanges } from '../../data/schema-changes.ts';

/**
 * Copies a consistent state of Offprint's database, while other processes write to it, into one file that only its owner can
 * read. The copy is checked: it is intact, and others have added nothing to Offprint's tables that could undo what commands
 * write. One of an earlier version is migrated in the copy.
 *
 * @param copy the path of the copy; replaced, even if it is a link, and removed on failure
 * @throws DatabaseError, OutputUnwritable
 */
export function copyDatabase(path: string, copy: string): void {
  try {
    guardingOutput(copy, () => {
      removeCopy(copy);
      ensurePrivateFile(copy);
    });
    vacuumInto(path, copy);
    checkCopy(path, copy);
    guardingOutput(copy, () => flush('file', copy));
  } catch (error) {
    removeCopy(copy);
    throw error;
  }
}

/** Renames a copy to its final path. @throws OutputUnwritable */
export function placeCopy(copy: string, path: string): void {
  guardingOutput(path, () => {
    rename(copy, path);
    flush('folder', dirname(path));
  });
}

function removeCopy(copy: string): void {
  for (const path of [copy, `${copy}-journal`]) rmSync(path, { force: true });
}

function vacuumInto(path: string, copy: string): void {
  const db = openForeign(path);
  try {
    checkOurs(db, path);
    readingDatabase(path, () => db.prepare('VACUUM INTO ?').run(copy));
  } catch (error) {
    // SQLite does not say which of the two it is about.
    throw error instanceof DatabaseFull || isDiskFull(copy) ? new OutputUnwritable(copy, 'ENOSPC') : error;
  } finally {
    db.close();
  }
}

/** @param path named in errors */
function checkCopy(path: string, copy: string): void {
  const whole = new Database(copy);
  try {
    whole.pragma('journal_mode = DELETE'); // One file.
    const [fault] = whole.prepare<[], string>('PRAGMA integrity_check(1)').pluck().all();
    if (fault !== 'ok') throw new DatabaseCorrupt(path, fault ?? 'damaged');
  } finally {
    whole.close();
  }
  const db = openForReading(copy);
  try {
    const changes = schemaChanges(db, blogSchema());
    if (changes.length > 0)
      throw new DatabaseError(
        `The schema of ${path} was changed by another program: ${changes.map((name) => `"${name}"`).join(', ')}. ` +
          `Undo these changes, then back up again.`,
      );
  } finally {
    db.close();
  }
}
