/** Changes keys in the database and in the gateway's key files together. */
import { existsSync } from 'node:fs';
import { type BlogDatabase, readingFrom, requireDatabase, writingTo } from '../database.ts';
import { DatabaseUnreadable } from '../errors.ts';
import { schemaVersion } from '../migrations.ts';
import { areAccountsSettled, type AccountMerge, settleAccounts } from './accounts.ts';
import { checkKeyFiles, writeKeyFiles } from './key-files.ts';
import { storedKeys } from './keys.ts';

/** Called for each merge of accounts. */
export type OnMerge = (merge: AccountMerge) => void;

/** Updates the key files from the database. @throws DatabaseError, KeysOfOther, OutputUnwritable */
export function syncKeys(dbPath: string, out: string, onMerge: OnMerge): void {
  settleIfWritable(dbPath, onMerge);
  readingFrom(dbPath, (db) => writeKeyFiles(out, () => storedKeys(db)));
}

/**
 * Refuses a database whose keys would replace all keys of the output, before anything is written.
 *
 * @throws KeysOfOther, DatabaseError
 */
export function checkKeys(dbPath: string, out: string): void {
  checkKeyFiles(out, () => (existsSync(dbPath) ? readingFrom(dbPath, storedKeys) : []));
}

/**
 * Changes keys in the database and updates the key files at once.
 *
 * @param mayMake whether to create a missing database
 * @throws DatabaseError, OutputUnwritable, KeysOfOther
 */
export function changingKeys<T>(
  dbPath: string,
  out: string,
  change: (db: BlogDatabase) => T,
  { mayMake = false, onMerge }: { readonly mayMake?: boolean; readonly onMerge: OnMerge },
): T {
  if (!mayMake) requireDatabase(dbPath);
  checkKeys(dbPath, out);
  return writingTo(dbPath, (db) => {
    // A change that fails does not undo a merge: it was reported.
    settleAccounts(db).forEach(onMerge);
    const result = change(db);
    writeKeyFiles(out, () => storedKeys(db));
    return result;
  });
}

/** Merges accounts; if the database is read-only, they are merged only in the rows that are read. */
export function settleIfWritable(path: string, onMerge: OnMerge): void {
  if (readingFrom(path, (db) => schemaVersion(db) < 2 || areAccountsSettled(db))) return;
  try {
    writingTo(path, (db) => settleAccounts(db).forEach(onMerge));
  } catch (error) {
    if (!(error instanceof DatabaseUnreadable)) throw error;
  }
}
