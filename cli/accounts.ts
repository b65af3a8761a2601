/**
 * Accounts and their keys, for the commands and the admin address: changes reach the database and the gateway's files
 * together, then the bucket.
 */
import { ExplainedError } from '../common/errors.ts';
import { guardPlan } from '../build/output/plans.ts';
import { dateOf, dayOf } from '../contract/day.ts';
import type { Limits } from '../contract/policy.ts';
import { foldName } from '../data/accounts/account-name.ts';
import { readAccounts, removeAccount, requireAccount, setAccount } from '../data/accounts/accounts.ts';
import { compareKeyFiles, unfinishedSince } from '../data/accounts/key-files.ts';
import { changingKeys, type KeyChange } from '../data/accounts/change-keys.ts';
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
import type { BucketFlags } from './bucket.ts';
import { putKeys } from './keys.ts';
import { answerKind } from './usage/summary.ts';
import { readUsage, usagePath } from './usage/usage-log.ts';

/** Where accounts are. */
export interface AccountsPlace {
  /** The database of accounts and keys. */
  readonly db: string;
  readonly out: string;
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

export interface ListedAccount {
  readonly name: string;
  readonly plan: string;
  /** Keys that work. */
  readonly keys: number;
}

export interface ShownAccount {
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

/** @throws UnknownAccount */
export function showAccount({ db, out }: AccountsPlace, given: string, now: Date): ShownAccount {
  const { name, plan, keys } = readingFrom(db, (open) => {
    const account = requireAccount(open, given);
    return { ...account, keys: allKeys(open, out).filter((key) => key.account === account.name) };
  });
  const today = dayOf(now.getTime());
  const first = today - now.getUTCDate() + 1;
  const counts = readUsage(usagePath(out), first).filter(({ account }) => account === name);
  const days = [...Map.groupBy(counts, ({ day }) => day)].map(([day, group]) => {
    const sum = { used: 0, limited: 0 };
    for (const { status, requests } of group)
      sum[answerKind(status) === 'limited' ? 'limited' : 'used'] += requests;
    return { day: dateOf(day), ...sum };
  });
  return {
    ...{ name, plan },
    keys: keys.map(({ account: _, plan: __, ...key }) => key),
    used: {
      today: days.find(({ day }) => day === dateOf(today))?.used ?? 0,
      month: days.reduce((sum, { used }) => sum + used, 0),
    },
    days,
  };
}

/** Creates an account, or changes its plan. @throws PlanNotPublished, DatabaseError, OutputUnwritable */
export function changeAccount(place: AccountsPlace, given: string, plan: string | undefined) {
  guardPlan(place, plan);
  return change(
    place,
    (db) => {
      const result = setAccount(db, given, plan);
      return { result, prefixes: keysOf(db, result.account.name) };
    },
    { mayMake: true },
  );
}

/** Revokes all keys of an account, and takes it out of use. @throws UnknownAccount */
export function dropAccount(place: AccountsPlace, given: string) {
  return change(
    place,
    (db) => {
      const result = removeAccount(db, given);
      return { result, prefixes: result.revoked };
    },
    { revokes: ({ account }) => foldName(account) === foldName(given) },
  );
}

/** @throws PlanNotPublished, AccountHasOtherPlan */
export function addKey(place: AccountsPlace, key: NewKey): Changed<CreatedKey> {
  guardPlan(place, key.plan);
  return change(
    place,
    (db) => {
      const result = createKey(db, key);
      return { result, prefixes: [result.prefix] };
    },
    { mayMake: true },
  );
}

/** @throws UnknownKey, KeyRevoked, KeyExpired, KeyReplaced */
export function replaceKey(
  place: AccountsPlace,
  prefix: string,
  now: Date,
  rotation: Rotation,
): Changed<CreatedKey> {
  return change(place, (db) => {
    const result = rotateKey(db, prefix, now, rotation);
    return { result, prefixes: [result.prefix, prefix] };
  });
}

/** @throws UnknownKey */
export function dropKey(place: AccountsPlace, prefix: string): Changed<void> {
  return change(place, (db) => ({ result: revokeKey(db, prefix), prefixes: [prefix] }), {
    revokes: (record) => record.prefix === prefix,
  });
}

/** A change was made, and the bucket could not be told. */
export class KeysNotUploaded extends ExplainedError {
  constructor(to: string, cause: ExplainedError) {
    super(
      `${cause.message} The change is made on this machine, and not yet in ${to}: the next "publish" brings it there.`,
      { cause },
    );
  }
}

/** Puts changed keys into the bucket, if there is one. @throws KeysNotUploaded */
export async function uploadKeys(
  { db, out, bucket }: AccountsPlace,
  prefixes: readonly string[],
): Promise<void> {
  if (bucket === undefined || prefixes.length === 0) return;
  await putKeys({ ...bucket, db, out }, prefixes).catch((error: unknown) => {
    throw error instanceof ExplainedError ? new KeysNotUploaded(bucket.to, error) : error;
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

function change<T>(
  { db, out }: AccountsPlace,
  work: (db: BlogDatabase) => Changed<T>,
  how?: KeyChange,
): Changed<T> {
  return changingKeys(db, out, work, how);
}

function keysOf(db: BlogDatabase, name: string): string[] {
  return listKeys(db).flatMap(({ account, prefix, revoked_at }) =>
    account === name && revoked_at === null ? prefix : [],
  );
}
