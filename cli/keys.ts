import { existsSync } from 'node:fs';
import { checkKeyRecords, writeKeyRecords } from '../build/key-records.ts';
import { putKeyRecords } from '../build/publish/bucket-keys.ts';
import { areAccountsSettled, type AccountMerge, settleAccounts } from '../data/accounts/accounts.ts';
import { storedKeys } from '../data/accounts/keys.ts';
import { type BlogDatabase, openForReading, openForWriting } from '../data/database.ts';
import { DatabaseMissing, DatabaseUnreadable } from '../data/errors.ts';
import { schemaVersion } from '../data/migrations.ts';
import { type BucketFlags, withBucket } from './bucket.ts';
import { colours } from './colours.ts';
import { printable } from './printable.ts';
import { databaseNote } from './private-output.ts';

/** Where merged accounts are reported. */
type Report = (message: string) => void;
const onStandardError: Report = (message) => console.error(message);

/** Tells the gateway of all keys, by the files it reads. */
export function syncKeyRecords(dbPath: string, out: string, report = onStandardError): void {
  settleIfWritable(dbPath, report);
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
  {
    mayMake = false,
    report = onStandardError,
  }: { readonly mayMake?: boolean; readonly report?: Report } = {},
): T {
  if (!mayMake && !existsSync(dbPath)) throw new DatabaseMissing(dbPath);
  checkKeys(dbPath, out);
  const db = openForWriting(dbPath);
  try {
    // A change that fails does not undo a merge: it was reported.
    for (const merge of settleAccounts(db)) report(describeMerge(merge));
    const result = change(db);
    const note = databaseNote(dbPath);
    if (note !== null) report(note);
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

/** Where the database may not be written, accounts are merged in what is read from it alone. */
function settleIfWritable(path: string, report: Report): void {
  const reading = openForReading(path);
  const isSettled = schemaVersion(reading) < 2 || areAccountsSettled(reading);
  reading.close();
  if (isSettled) return;
  try {
    const db = openForWriting(path);
    try {
      for (const merge of settleAccounts(db)) report(describeMerge(merge));
    } finally {
      db.close();
    }
  } catch (error) {
    if (!(error instanceof DatabaseUnreadable)) throw error;
  }
}

function describeMerge({ kept, others, role }: AccountMerge): string {
  const names = [kept, ...others].map(({ name }) => `"${printable(name)}"`).join(', ');
  const lowered = [kept, ...others].some((account) => account.role !== role)
    ? ` Its limit is that of a user, since not all of them were administrators. For an administrator's key, ` +
      `use "keys create --admin" with another account name.`
    : '';
  return (
    `${colours.yellow('merged')} accounts ${names}: they look the same, so they are one account now, ` +
    `"${printable(kept.name)}", with one quota for all their keys.${lowered}`
  );
}
