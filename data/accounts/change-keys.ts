/** Changes keys in the database and in the gateway's key files together. */
import { existsSync } from 'node:fs';
import { ExplainedError, OutputUnwritable } from '../../common/errors.ts';
import type { KeyRecord } from '../../contract/key-record.ts';
import { type BlogDatabase, readingFrom, requireDatabase, writingTo } from '../database.ts';
import { DatabaseError, DatabaseUnreadable, isUnusableNow } from '../errors.ts';
import {
  checkKeyFiles,
  compareKeyFiles,
  lockingKeys,
  revokeKeyFiles,
  type StagedKeyFiles,
  stageKeyFiles,
} from './key-files.ts';
import { revokeKey, storedKeys } from './keys.ts';

/**
 * Makes the database and the key files agree: the files get what the database has, and the database gets revocations that
 * only reached the files.
 *
 * @throws DatabaseError, OutputUnwritable
 */
export function syncKeys(dbPath: string, out: string): void {
  lockingKeys(out, () => {
    const { revokedHere } = readingFrom(dbPath, (db) => compareKeyFiles(out, storedKeys(db)));
    if (revokedHere.length > 0)
      ifWritable(dbPath, (db) => revokedHere.forEach((prefix) => revokeKey(db, prefix)));
    readingFrom(dbPath, (db) => stageKeyFiles(out, storedKeys(db))).place();
  });
}

/**
 * Refuses a database whose keys would replace all keys of the output, before anything is written.
 *
 * @throws DatabaseError, OutputUnwritable
 */
export function checkKeys(dbPath: string, out: string): void {
  checkKeyFiles(out, () => (existsSync(dbPath) ? readingFrom(dbPath, storedKeys) : []));
}

interface KeyChange {
  /** Whether to create a missing database. */
  readonly mayMake?: boolean;
  /** The keys that the change is meant to revoke: their files are first, and stay revoked if the rest fails. */
  readonly revokes?: (record: KeyRecord) => boolean;
}

/**
 * Changes keys in the database and updates the key files at once: if the files cannot be written, the database does not
 * change either.
 *
 * @throws DatabaseError, also if only the first step was done; OutputUnwritable
 */
export function changingKeys<T>(
  dbPath: string,
  out: string,
  change: (db: BlogDatabase) => T,
  { mayMake = false, revokes }: KeyChange = {},
): T {
  if (!mayMake) requireDatabase(dbPath);
  let revoked: readonly string[] = [];
  try {
    if (revokes !== undefined) revoked = revokeFirst(dbPath, out, revokes);
    checkKeys(dbPath, out);
    return lockingKeys(out, () => writingTo(dbPath, (db) => changeBoth(db, out, change)));
  } catch (error) {
    const isRevocation = revokes !== undefined && error instanceof ExplainedError;
    if (!isRevocation || (revoked.length === 0 && !(error instanceof OutputUnwritable))) throw error;
    const keys =
      revoked.length === 1
        ? `The key ${revoked[0]} no longer works`
        : `${revoked.length} keys no longer work`;
    const state =
      revoked.length === 0
        ? 'Nothing was revoked. Correct this, then run the command again.'
        : `${keys} on this machine (${out}/keys), but the database has no record of it yet: run the command again. The next ` +
          '"publish" updates buckets.';
    throw new DatabaseError(`${error.message} ${state}`, { cause: error });
  }
}

/** @returns the prefixes of keys that worked until now. @throws DatabaseError of another database: nothing is revoked then */
function revokeFirst(dbPath: string, out: string, revokes: (record: KeyRecord) => boolean): string[] {
  const records = new Map<string, KeyRecord>();
  try {
    checkKeyFiles(out, () => {
      const keys = readingFrom(dbPath, storedKeys);
      for (const { record } of keys) records.set(record.prefix, record);
      return keys;
    });
  } catch (error) {
    if (!isUnusableNow(error)) throw error;
  }
  // A file may be older than the database, which another program may have changed.
  return revokeKeyFiles(out, (record) => revokes(records.get(record.prefix) ?? record));
}

function changeBoth<T>(db: BlogDatabase, out: string, change: (db: BlogDatabase) => T): T {
  let files: StagedKeyFiles | undefined;
  try {
    const result = db
      .transaction((): T => {
        const changed = change(db);
        for (const prefix of compareKeyFiles(out, storedKeys(db)).revokedHere) revokeKey(db, prefix);
        files = stageKeyFiles(out, storedKeys(db));
        return changed;
      })
      .immediate();
    files?.place();
    return result;
  } catch (error) {
    files?.discard();
    throw error;
  }
}

function ifWritable(path: string, work: (db: BlogDatabase) => void): void {
  try {
    writingTo(path, work);
  } catch (error) {
    if (!(error instanceof DatabaseUnreadable)) throw error;
  }
}
