import { putKeyRecords } from '../build/publish/bucket-keys.ts';
import type { AccountMerge } from '../data/accounts/accounts.ts';
import * as accounts from '../data/accounts/change-keys.ts';
import { storedKeys } from '../data/accounts/keys.ts';
import { type BlogDatabase, readingFrom } from '../data/database.ts';
import { type BucketFlags, withBucket } from './bucket.ts';
import { colours } from './colours.ts';
import { printable } from './printable.ts';
import { databaseNote } from './private-output.ts';

/** Reports merged accounts, and a database that other users can read. */
type Report = (message: string) => void;
const onStandardError: Report = (message) => console.error(message);

/**
 * Changes keys in the database, and tells the gateway at once.
 *
 * @param mayMake whether to create a missing database
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
  const changeAndNote = (db: BlogDatabase) => {
    const result = change(db);
    const note = databaseNote(dbPath);
    if (note !== null) report(note);
    return result;
  };
  return accounts.changingKeys(dbPath, out, changeAndNote, { mayMake, onMerge: reportMerge(report) });
}

/**
 * Publishes some keys from the output to a bucket at once.
 *
 * @param prefixes the changed keys
 * @throws WrongUsage, DatabaseError, PublishError
 */
export async function putKeys(
  { db: path, out, ...bucket }: { readonly db: string; readonly out: string } & BucketFlags,
  prefixes: readonly string[],
): Promise<void> {
  const keys = readingFrom(path, storedKeys);
  const hashes = keys.flatMap(({ sha256, record }) => (prefixes.includes(record.prefix) ? sha256 : []));
  await withBucket(bucket, (open) => putKeyRecords(out, open, hashes));
}

/** Reports merged accounts, and the effect on their limits. */
export function reportMerge(report = onStandardError): accounts.OnMerge {
  return ({ kept, others, role }: AccountMerge) => {
    const names = [kept, ...others].map(({ name }) => `"${printable(name)}"`).join(', ');
    const lowered = [kept, ...others].some((account) => account.role !== role)
      ? ` Its limit is a user's, because not all of them were administrators. For an administrator's key, ` +
        `use "keys create --admin" with another account name.`
      : '';
    report(
      `${colours.yellow('merged')} accounts ${names} into "${printable(kept.name)}", because their names look the same. ` +
        `All their keys share one quota.${lowered}`,
    );
  };
}
