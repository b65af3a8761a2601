import { existsSync } from 'node:fs';
import { checkKeyRecords, writeKeyRecords } from '../build/key-records.ts';
import { putKeyRecords } from '../build/publish/bucket-keys.ts';
import { storedKeys } from '../data/accounts/keys.ts';
import { type BlogDatabase, openForReading, openForWriting } from '../data/database.ts';
import { DatabaseMissing } from '../data/errors.ts';
import { type BucketFlags, withBucket } from './bucket.ts';

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
 * Refuses a database of keys that would take away all keys of the output, before anything is written.
 *
 * @throws KeysOfOther, DatabaseError
 */
export function checkKeys(dbPath: string, out: string): void {
  if (!existsSync(dbPath)) {
    checkKeyRecords(out, []);
    return;
  }
  const db = openForReading(dbPath);
  try {
    checkKeyRecords(out, storedKeys(db));
  } finally {
    db.close();
  }
}

/**
 * Changes keys in the database, and tells the gateway at once.
 *
 * @param mayMake whether the database is made where there is none
 * @throws DatabaseError, OutputUnwritable, KeysOfOther
 */
export function changingKeys<T>(
  dbPath: string,
  out: string,
  change: (db: BlogDatabase) => T,
  mayMake = false,
): T {
  if (!mayMake && !existsSync(dbPath)) throw new DatabaseMissing(dbPath);
  checkKeys(dbPath, out);
  const db = openForWriting(dbPath);
  try {
    const result = change(db);
    writeKeyRecords(out, () => storedKeys(db));
    return result;
  } finally {
    db.close();
  }
}

/**
 * Tells a bucket of some keys at once, as the output has them.
 *
 * @param prefixes of the keys that were changed
 * @throws WrongUsage, DatabaseError, PublishError
 */
export async function putKeys(
  { db: path, out, ...bucket }: { readonly db: string; readonly out: string } & BucketFlags,
  prefixes: readonly string[],
): Promise<void> {
  const db = openForReading(path);
  const keys = storedKeys(db);
  db.close();
  const hashes = keys.flatMap(({ sha256, record }) => (prefixes.includes(record.prefix) ? sha256 : []));
  await withBucket(bucket, (open) => putKeyRecords(out, open, hashes));
}
