import { existsSync } from 'node:fs';
import { writeKeyRecords } from '../build/key-records.ts';
import { storedKeys } from '../data/accounts/keys.ts';
import { type BlogDatabase, openForReading, openForWriting } from '../data/database.ts';
import { DatabaseMissing } from '../data/errors.ts';

/** Tells the gateway of all keys, by the files it reads. */
export function syncKeyRecords(dbPath: string, out: string): void {
  const db = openForReading(dbPath);
  try {
    writeKeyRecords(out, () => storedKeys(db));
  } finally {
    db.close();
  }
}

/**
 * Changes keys in the database, and tells the gateway at once.
 *
 * @throws DatabaseError, OutputUnwritable
 */
export function changingKeys<T>(dbPath: string, out: string, change: (db: BlogDatabase) => T): T {
  if (!existsSync(dbPath)) throw new DatabaseMissing(dbPath);
  const db = openForWriting(dbPath);
  try {
    const result = change(db);
    writeKeyRecords(out, () => storedKeys(db));
    return result;
  } finally {
    db.close();
  }
}
