import { putKeyRecords } from '../build/publish/bucket-keys.ts';
import type { AccountMerge } from '../data/accounts/accounts.ts';
import type { OnMerge } from '../data/accounts/change-keys.ts';
import { storedKeys } from '../data/accounts/keys.ts';
import { readingFrom } from '../data/database.ts';
import { type BucketFlags, SERVING, withBucket } from './bucket.ts';
import { colours } from './colours.ts';
import { printable } from './printable.ts';

/**
 * Publishes some keys from the output to a bucket at once.
 *
 * @param prefixes the changed keys
 * @throws WrongUsage, DatabaseError, BucketError
 */
export async function putKeys(
  { db: path, out, ...bucket }: { readonly db: string; readonly out: string } & BucketFlags,
  prefixes: readonly string[],
): Promise<void> {
  const keys = readingFrom(path, storedKeys);
  const hashes = keys.flatMap(({ sha256, record }) => (prefixes.includes(record.prefix) ? sha256 : []));
  await withBucket(bucket, (open) => putKeyRecords(out, open, hashes), SERVING);
}

/** Reports merged accounts, and the effect on their limits. */
export function reportMerge(report: (message: string) => void = console.error): OnMerge {
  return ({ kept, others, plan }: AccountMerge) => {
    const names = [kept, ...others].map(({ name }) => `"${printable(name)}"`).join(', ');
    const lowered = [kept, ...others].some((account) => account.plan !== plan)
      ? ` Its plan is ${plan}, because theirs differed. Choose another with "accounts set".`
      : '';
    report(
      `${colours.yellow('merged')} accounts ${names} into "${printable(kept.name)}", because their names look the same. ` +
        `All their keys share one quota.${lowered}`,
    );
  };
}
