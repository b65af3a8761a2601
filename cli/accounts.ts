/**
 * Accounts and their keys, for the commands and the admin address: changes reach the database and the gateway's files
 * together, then the bucket.
 */
import { ExplainedError } from '../common/errors.ts';
import { guardPlan } from '../build/output/plans.ts';
import { putKeyRecords } from '../build/publish/bucket-keys.ts';
import { PUBLISHES } from '../build/publish/last-publish.ts';
import { dayNumber, formatDay } from '../contract/day.ts';
import type { Limits } from '../contract/policy.ts';
import { foldName } from '../data/accounts/account-name.ts';
import { readAccounts, removeAccount, requireAccount, setAccount } from '../data/accounts/accounts.ts';
import { compareKeyFiles, unfinishedSince } from '../data/accounts/key-files.ts';
import { changingKeys } from '../data/accounts/change-keys.ts';
import {
  type CreatedKey,
  createKey,
  instant,
  type ListedKey,
  listKeys,
  type NewKey,
  revokeKey,
  type Rotation,
  rotateKey,
  storedKeys,
} from '../data/accounts/keys.ts';
import { type BlogDatabase, readingFrom } from '../data/database.ts';
import { type BucketFlags, SERVING, withBucket } from './bucket.ts';
import { answerKind } from './usage/summary.ts';
import { readUsage, usagePath } from './usage/usage-log.ts';

/** Where accounts are. */
export interface AccountsPlace {
  /** The database of accounts and keys. */
  readonly db: string;
  readonly out: string;
  /** Where several processes count; undefined: in the output. */
  readonly counts?: string | undefined;
  /** Gets changed keys too; undefined: none. */
  readonly bucket?: BucketFlags | undefined;
  /** Those that the next build publishes. */
  readonly limits: Limits;
}

/** What was changed, and the keys that the bucket must get. */
export interface Changed<T> {
  readonly result: T;
  readonly prefixes: readonly string[];
}

interface ListedAccount {
  readonly name: string;
  readonly plan: string;
  /** Keys that work. */
  readonly keys: number;
}

interface ShownAccount {
  readonly name: string;
  readonly plan: string;
  readonly keys: readonly Omit<ListedKey, 'account' | 'plan'>[];
  /** Counted requests: those that no limit refused. */
  readonly used: { readonly today: number; readonly month: number };
  /** This month's days with requests, UTC. */
  readonly days: readonly { readonly day: string; readonly used: number; readonly limited: number }[];
}

/** All keys, oldest first, with revocations that the database does not have yet. */
export function allKeys(db: BlogDatabase, out: string): ListedKey[] {
  const { revokedHere } = compareKeyFiles(out, storedKeys(db));
  const since = instant(new Date(unfinishedSince(out) ?? Date.now()));
  return listKeys(db).map((key) => (revokedHere.includes(key.prefix) ? { ...key, revoked_at: since } : key));
}

/** Accounts in use, oldest first. */
export function listAccounts({ db, out }: AccountsPlace, now: Date): ListedAccount[] {
  return readingFrom(db, (open) => {
    const working = allKeys(open, out).filter((key) => keyState(key, now) === 'active');
    const count = Map.groupBy(working, ({ account }) => account);
    return readAccounts(open)
      .filter(({ removed_at }) => removed_at === null)
      .map(({ name, plan }) => ({ name, plan, keys: count.get(name)?.length ?? 0 }));
  });
}

/** @throws NotKnown, CountsUnavailable */
export async function showAccount(
  { db, out, counts: address }: AccountsPlace,
  given: string,
  now: Date,
): Promise<ShownAccount> {
  const { name, plan, keys } = readingFrom(db, (open) => {
    const account = requireAccount(open, given);
    return { ...account, keys: allKeys(open, out).filter((key) => key.account === account.name) };
  });
  const today = dayNumber(now.getTime());
  const first = today - now.getUTCDate() + 1;
  const usage =
    address === undefined
      ? readUsage(usagePath(out), first)
      : await (await import('./counts.ts')).readSharedUsage(address, first);
  const own = usage.filter(({ account }) => account === name);
  const days = [...Map.groupBy(own, ({ day }) => day)].map(([day, group]) => {
    const sum = { used: 0, limited: 0 };
    for (const { status, requests } of group)
      sum[answerKind(status) === 'limited' ? 'limited' : 'used'] += requests;
    return { day: formatDay(day), ...sum };
  });
  return {
    name,
    plan,
    keys: keys.map(({ account: _, plan: __, ...key }) => key),
    used: {
      today: days.find(({ day }) => day === formatDay(today))?.used ?? 0,
      month: days.reduce((sum, { used }) => sum + used, 0),
    },
    days,
  };
}

/** Creates an account, or changes its plan. @throws PlanNotPublished, DatabaseError, OutputUnwritable */
export function changeAccount(place: AccountsPlace, given: string, plan: string | undefined) {
  guardPlan(place, plan);
  return changingKeys(
    place.db,
    place.out,
    (db) => {
      const result = setAccount(db, given, plan);
      return { result, prefixes: activeKeys(db, result.account.name) };
    },
    { mayMake: true },
  );
}

/** Revokes all keys of an account, and takes it out of use. @throws NotKnown */
export function dropAccount(place: AccountsPlace, given: string) {
  return changingKeys(
    place.db,
    place.out,
    (db) => {
      const result = removeAccount(db, given);
      return { result, prefixes: result.revoked };
    },
    { revokes: ({ account }) => foldName(account) === foldName(given) },
  );
}

/** @throws PlanNotPublished, ChangeRefused */
export function addKey(place: AccountsPlace, key: NewKey): Changed<CreatedKey> {
  guardPlan(place, key.plan);
  return changingKeys(
    place.db,
    place.out,
    (db) => {
      const result = createKey(db, key);
      return { result, prefixes: [result.prefix] };
    },
    { mayMake: true },
  );
}

/** @throws NotKnown, ChangeRefused */
export function replaceKey(
  place: AccountsPlace,
  prefix: string,
  now: Date,
  rotation: Rotation,
): Changed<CreatedKey> {
  return changingKeys(place.db, place.out, (db) => {
    const result = rotateKey(db, prefix, now, rotation);
    return { result, prefixes: [result.prefix, prefix] };
  });
}

/** @throws NotKnown */
export function dropKey(place: AccountsPlace, prefix: string): Changed<void> {
  return changingKeys(place.db, place.out, (db) => ({ result: revokeKey(db, prefix), prefixes: [prefix] }), {
    revokes: (record) => record.prefix === prefix,
  });
}

/** Puts changed keys into the bucket, if there is one. @throws ExplainedError: the change was made nevertheless */
export async function uploadKeys(
  { db, out, bucket }: AccountsPlace,
  prefixes: readonly string[],
): Promise<void> {
  if (bucket === undefined || prefixes.length === 0) return;
  const keys = readingFrom(db, storedKeys);
  const hashes = keys.flatMap(({ sha256, record }) => (prefixes.includes(record.prefix) ? sha256 : []));
  const put = withBucket(bucket, out, (storage) => putKeyRecords(storage, hashes), SERVING);
  await put.catch((error: unknown) => {
    if (!(error instanceof ExplainedError)) throw error;
    const where = `The change was made on this machine, but not in ${bucket.to}`;
    const message = `${error.message} ${where}: the next "publish" uploads it.`;
    PUBLISHES.recordFailure(out, new Date().toISOString(), message, bucket.to.replace(/\/$/, '')); // For `status`.
    throw new ExplainedError(message, { cause: error });
  });
}

/** `active`, `expired 2027-01-01`, `revoked 2026-11-21` */
export function keyState(
  { revoked_at, expires_at }: Pick<ListedKey, 'revoked_at' | 'expires_at'>,
  now: Date,
): string {
  if (revoked_at !== null) return `revoked ${revoked_at.slice(0, 10)}`;
  if (expires_at !== null && Date.parse(expires_at) <= now.getTime())
    return `expired ${expires_at.slice(0, 10)}`;
  return 'active';
}

function activeKeys(db: BlogDatabase, name: string): string[] {
  return listKeys(db).flatMap(({ account, prefix, revoked_at }) =>
    account === name && revoked_at === null ? prefix : [],
  );
}
