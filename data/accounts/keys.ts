import { createHash, randomInt } from 'node:crypto';
import { formatKey, keyPrefix, RANDOM_CHARACTERS } from '../../contract/api-key.ts';
import { isScope, type Scope } from '../../contract/api.ts';
import type { KeyRecord } from '../../contract/key-record.ts';
import type { BlogDatabase } from '../database.ts';
import { AccountHasOtherRole, AccountIsAdministrators, KeyRevoked, UnknownKey } from '../errors.ts';
import { findAccount, insertAccount, mergedAccounts, readAccounts, type Role } from './accounts.ts';

/** A new key. It is shown once and never stored. */
export interface CreatedKey {
  readonly key: string;
  readonly prefix: string;
  readonly account: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
}

/** A key as the list shows it. */
export interface ListedKey {
  readonly prefix: string;
  readonly account: string;
  readonly role: Role;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** RFC 3339, UTC. */
  readonly created_at: string;
  readonly revoked_at: string | null;
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
  /** Whether the account belongs to an administrator. */
  readonly admin: boolean;
}

/**
 * Creates a key, and its account if no account has the same folded name. Accounts must be settled (settleAccounts).
 *
 * @throws AccountHasOtherRole, AccountIsAdministrators if the account exists and is not what `admin` says
 */
export function createKey(db: BlogDatabase, { account, name, scopes, admin }: NewKey): CreatedKey {
  return db
    .transaction((): CreatedKey => {
      const found = findAccount(db, account);
      if (admin && found?.role === 'user') throw new AccountHasOtherRole(found.name);
      if (!admin && found?.role === 'admin') throw new AccountIsAdministrators(found.name);
      const { id, name: shown } = found ?? insertAccount(db, account, admin ? 'admin' : 'user');
      return insertKey(db, { accountId: id, account: shown, name, scopes });
    })
    .immediate();
}

/** Revokes a key for good. Does nothing if it is revoked already. @throws UnknownKey */
export function revokeKey(db: BlogDatabase, prefix: string): void {
  const { changes } = db
    .prepare(
      "UPDATE api_keys SET revoked_at = coalesce(revoked_at, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')) WHERE prefix = ?",
    )
    .run(prefix);
  if (changes === 0) throw new UnknownKey(prefix);
}

/** Revokes a key and creates another with the same account, name and scopes. @throws UnknownKey, KeyRevoked */
export function rotateKey(db: BlogDatabase, prefix: string): CreatedKey {
  return db
    .transaction((): CreatedKey => {
      const old = db
        .prepare<
          [string],
          { accountId: number; account: string; name: string; scopes: string; isRevoked: 0 | 1 }
        >(
          `SELECT account_id AS accountId, accounts.name AS account, api_keys.name, scopes,
                  revoked_at IS NOT NULL AS isRevoked
           FROM api_keys JOIN accounts ON accounts.id = account_id
           WHERE prefix = ?`,
        )
        .get(prefix);
      if (!old) throw new UnknownKey(prefix);
      if (old.isRevoked) throw new KeyRevoked(prefix);
      revokeKey(db, prefix);
      return insertKey(db, { ...old, scopes: parseScopes(old.scopes) });
    })
    .immediate();
}

/** All keys, including revoked ones, oldest first. */
export function listKeys(db: BlogDatabase): ListedKey[] {
  return readKeys(db).map(({ sha256: _, scopes, ...key }) => ({ ...key, scopes: parseScopes(scopes) }));
}

/** All keys, as the gateway gets them. */
export function storedKeys(db: BlogDatabase): StoredKey[] {
  return readKeys(db).map(({ sha256, account, role, name, prefix, scopes, revoked_at }) => ({
    sha256,
    record: { account, role, name, prefix, scopes: parseScopes(scopes), revoked: revoked_at !== null },
  }));
}

type KeyRow = Omit<ListedKey, 'scopes'> & { readonly sha256: string; readonly scopes: string };
type StoredRow = Omit<KeyRow, 'account' | 'role'> & { readonly accountId: number };

/** Accounts are merged here too, in case the database itself is read-only. */
function readKeys(db: BlogDatabase): KeyRow[] {
  return db.transaction((): KeyRow[] => {
    const accountOf = new Map<number, { readonly account: string; readonly role: Role }>();
    for (const { kept, others, role } of mergedAccounts(readAccounts(db)).values()) {
      for (const { id } of [kept, ...others]) accountOf.set(id, { account: kept.name, role });
    }
    return db
      .prepare<[], StoredRow>(
        `SELECT account_id AS accountId, sha256, prefix, name, scopes, created_at, revoked_at
         FROM api_keys ORDER BY id`,
      )
      .all()
      .flatMap(({ accountId, ...key }) => {
        const account = accountOf.get(accountId);
        return account === undefined ? [] : [{ ...key, ...account }];
      });
  })();
}

function insertKey(
  db: BlogDatabase,
  {
    accountId,
    account,
    name,
    scopes,
  }: Pick<NewKey, 'account' | 'name' | 'scopes'> & { readonly accountId: number },
): CreatedKey {
  const key = formatKey(Array.from({ length: RANDOM_CHARACTERS }, () => randomInt(62)));
  const prefix = keyPrefix(key);
  const sha256 = createHash('sha256').update(key).digest('hex');
  db.prepare('INSERT INTO api_keys (account_id, name, prefix, sha256, scopes) VALUES (?, ?, ?, ?, ?)').run(
    accountId,
    name,
    prefix,
    sha256,
    JSON.stringify(scopes),
  );
  return { key, prefix, account, name, scopes };
}

function parseScopes(json: string): Scope[] {
  const scopes: unknown = JSON.parse(json);
  return Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string').filter(isScope) : [];
}
