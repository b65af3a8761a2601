import { createHash, randomInt } from 'node:crypto';
import { formatKey, keyPrefix, RANDOM_CHARACTERS } from '../../contract/api-key.ts';
import { isScope, type Scope } from '../../contract/api.ts';
import type { KeyRecord } from '../../contract/key-record.ts';
import type { BlogDatabase } from '../database.ts';
import { ChangeRefused, NotKnown } from '../errors.ts';
import { findAccount, setAccount } from './accounts.ts';

/** A new key. It is shown once and never stored. */
export interface CreatedKey {
  readonly key: string;
  readonly prefix: string;
  readonly account: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** RFC 3339, UTC; null: it does not expire. */
  readonly expires_at: string | null;
}

/** A key as the list shows it. */
export interface ListedKey {
  readonly prefix: string;
  readonly account: string;
  readonly plan: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** RFC 3339, UTC. */
  readonly created_at: string;
  readonly revoked_at: string | null;
  readonly expires_at: string | null;
  /** The prefix of the key that replaced it. */
  readonly replaced_by: string | null;
}

/** A key's record and its SHA-256, by which it is found. */
export interface StoredKey {
  readonly sha256: string;
  readonly record: KeyRecord;
}

export interface NewKey {
  readonly account: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The plan of the account; undefined: as it is, or `user`. */
  readonly plan?: string | undefined;
  /** In whole seconds; undefined: never. */
  readonly expires?: Date | undefined;
}

/**
 * Creates a key, and its account if no account in use has the same folded name.
 *
 * @throws ChangeRefused, DatabaseError
 */
export function createKey(db: BlogDatabase, { account, name, scopes, plan, expires }: NewKey): CreatedKey {
  return db
    .transaction((): CreatedKey => {
      const found = findAccount(db, account);
      const isUsed = found !== undefined && found.removed_at === null;
      if (isUsed && plan !== undefined && plan !== found.plan)
        throw new ChangeRefused(
          `The account "${found.name}" has the plan ${found.plan}, not ${plan}, and all its keys share it. Nothing was changed. ` +
            `Change it for all of them with "accounts set", or omit the plan.`,
        );
      const { id, name: shown } = isUsed ? found : setAccount(db, account, plan).account;
      return insertKey(db, {
        accountId: id,
        account: shown,
        name,
        scopes,
        expires_at: expires === undefined ? null : instant(expires),
      });
    })
    .immediate();
}

/** Revokes a key permanently. Does nothing if it is revoked already. @throws NotKnown */
export function revokeKey(db: BlogDatabase, prefix: string): void {
  const { changes } = db
    .prepare(
      "UPDATE api_keys SET revoked_at = coalesce(revoked_at, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')) WHERE prefix = ?",
    )
    .run(prefix);
  if (changes === 0) throw unknownKey(prefix);
}

function unknownKey(prefix: string): NotKnown {
  return new NotKnown(`There is no key ${prefix}. "keys list" shows the prefixes of all keys.`);
}

/** How a key is replaced. */
export interface Rotation {
  /** How long the old one keeps working, if it does not expire earlier; undefined: it is revoked immediately. */
  readonly grace?: Date | undefined;
  /** The end of the new one; undefined: that of the old one. */
  readonly expires?: Date | undefined;
}

/**
 * Creates a key with the same account, name and permissions as another, which it replaces.
 *
 * @throws NotKnown, ChangeRefused
 */
export function rotateKey(
  db: BlogDatabase,
  prefix: string,
  now: Date,
  { grace, expires }: Rotation,
): CreatedKey {
  return db
    .transaction((): CreatedKey => {
      const old = readKeys(db).find((key) => key.prefix === prefix);
      if (!old) throw unknownKey(prefix);
      const { expires_at: end, replaced_by: by } = old;
      const another = 'Create another with "keys create".';
      if (old.revoked_at !== null)
        throw new ChangeRefused(`The key ${prefix} is already revoked. ${another}`);
      if (end !== null && Date.parse(end) <= now.getTime())
        throw new ChangeRefused(`The key ${prefix} expired at ${end}. ${another}`);
      if (by !== null)
        throw new ChangeRefused(
          `The key ${prefix} was already replaced by ${by}. Rotate that one, or revoke this one with "keys revoke".`,
        );
      if (grace === undefined) revokeKey(db, prefix);
      else if (end === null || Date.parse(end) > grace.getTime())
        db.prepare('UPDATE api_keys SET expires_at = ? WHERE prefix = ?').run(instant(grace), prefix);
      const made = insertKey(db, {
        ...old,
        expires_at: expires === undefined ? end : instant(expires),
      });
      db.prepare('UPDATE api_keys SET replaced_by = ? WHERE prefix = ?').run(made.prefix, prefix);
      return made;
    })
    .immediate();
}

/** All keys, including revoked ones, oldest first. */
export function listKeys(db: BlogDatabase): ListedKey[] {
  return readKeys(db).map(({ sha256: _, accountId: __, ...key }) => key);
}

/** When a working key expires next: milliseconds since 1970; null: none does. */
export function nextExpiry(db: BlogDatabase, now: Date): number | null {
  const next = db
    .prepare<[number], number | null>(
      `SELECT min(unixepoch(expires_at)) FROM api_keys WHERE revoked_at IS NULL AND unixepoch(expires_at) > ?`,
    )
    .pluck()
    .get(now.getTime() / 1000);
  return next === undefined || next === null ? null : next * 1000;
}

/** All keys, as the gateway gets them. */
export function storedKeys(db: BlogDatabase): StoredKey[] {
  return readKeys(db).map(
    ({ sha256, account, plan, name, prefix, scopes, revoked_at, expires_at, replaced_by }) => ({
      sha256,
      record: {
        account,
        plan,
        name,
        prefix,
        scopes,
        revoked: revoked_at !== null,
        ...(expires_at === null ? {} : { expires: Date.parse(expires_at) }),
        ...(replaced_by === null ? {} : { replaced: true }),
      },
    }),
  );
}

/** All keys, oldest first. */
function readKeys(db: BlogDatabase): (ListedKey & { readonly sha256: string; readonly accountId: number })[] {
  return db
    .prepare<[], Omit<ListedKey, 'scopes'> & { sha256: string; accountId: number; scopes: string }>(
      `SELECT sha256, account_id AS accountId, prefix, accounts.name AS account, plan, api_keys.name, scopes, created_at,
              revoked_at, expires_at, replaced_by
       FROM api_keys JOIN accounts ON accounts.id = account_id
       ORDER BY api_keys.id`,
    )
    .all()
    .map((key) => ({ ...key, scopes: parseScopes(key.scopes) }));
}

function insertKey(
  db: BlogDatabase,
  { accountId, ...record }: Omit<CreatedKey, 'key' | 'prefix'> & { readonly accountId: number },
): CreatedKey {
  const { account, name, scopes, expires_at } = record;
  const key = formatKey(Array.from({ length: RANDOM_CHARACTERS }, () => randomInt(62)));
  const prefix = keyPrefix(key);
  const sha256 = createHash('sha256').update(key).digest('hex');
  db.prepare(
    'INSERT INTO api_keys (account_id, name, prefix, sha256, scopes, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(accountId, name, prefix, sha256, JSON.stringify(scopes), expires_at);
  return { key, prefix, account, name, scopes, expires_at };
}

/** `2027-01-01T00:00:00Z` */
export function instant(time: Date): string {
  return time.toISOString().replace(/\.\d+/, '');
}

function parseScopes(json: string): Scope[] {
  const scopes: unknown = JSON.parse(json);
  return Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string').filter(isScope) : [];
}
