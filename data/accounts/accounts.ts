import type { BlogDatabase } from '../database.ts';
import { DatabaseError, NotKnown } from '../errors.ts';
import { foldName } from './account-name.ts';

/** The plan of an account for which none is given. */
const DEFAULT_PLAN = 'user';

/** An account as the database has it. */
export interface AccountRow {
  readonly id: number;
  readonly name: string;
  /** The form in which names are compared (foldName). */
  readonly folded: string;
  readonly plan: string;
  /** RFC 3339, UTC; null: it is in use. */
  readonly removed_at: string | null;
}

/** All accounts, also removed ones, oldest first. @throws DatabaseError */
export function readAccounts(db: BlogDatabase): AccountRow[] {
  const accounts = db
    .prepare<[], AccountRow>('SELECT id, name, folded, plan, removed_at FROM accounts ORDER BY id')
    .all();
  const wrong = accounts.find(({ name, folded }) => folded !== foldName(name));
  // By their folded names, two accounts are told apart.
  if (wrong)
    throw new DatabaseError(
      `Another program wrote the account "${wrong.name}" into ${db.name} (row ${wrong.id} of accounts) without its folded name. ` +
        `Set its column "folded" to "${foldName(wrong.name)}"; if another account has that, delete one of them.`,
    );
  return accounts;
}

/** The account with this folded name, also a removed one. @throws DatabaseError */
export function findAccount(db: BlogDatabase, name: string): AccountRow | undefined {
  const wanted = foldName(name);
  return readAccounts(db).find(({ folded }) => folded === wanted);
}

/** The same of one in use. @throws NotKnown, DatabaseError */
export function requireAccount(db: BlogDatabase, name: string): AccountRow {
  const found = findAccount(db, name);
  if (found === undefined || found.removed_at !== null)
    throw new NotKnown(`There is no account "${name}". "accounts list" shows all accounts.`);
  return found;
}

/** An account that was set, and its plan before; null: it was created, or was removed before. */
interface SetAccount {
  readonly account: AccountRow;
  readonly before: string | null;
}

/**
 * Creates an account, or changes its plan. The name is shown as first given. One that was removed is in use again, with
 * its counts, since they belong to the name.
 *
 * @param plan undefined: as it is, or `user`
 * @throws DatabaseError
 */
export function setAccount(db: BlogDatabase, given: string, plan: string | undefined): SetAccount {
  return db
    .transaction((): SetAccount => {
      const found = findAccount(db, given);
      const before = found === undefined || found.removed_at !== null ? null : found.plan;
      const wanted = plan ?? before ?? DEFAULT_PLAN;
      const name = found?.name ?? given.trim().normalize('NFC');
      if (found) {
        db.prepare('UPDATE accounts SET plan = ?, removed_at = NULL WHERE id = ?').run(wanted, found.id);
        return { account: { ...found, plan: wanted, removed_at: null }, before };
      }
      const folded = foldName(name);
      const insert = db.prepare('INSERT INTO accounts (name, plan, folded) VALUES (?, ?, ?)');
      const id = Number(insert.run(name, wanted, folded).lastInsertRowid);
      return { account: { id, name, folded, plan: wanted, removed_at: null }, before };
    })
    .immediate();
}

/**
 * Revokes all keys of an account and takes it out of use. Its row stays, so re-creating the account keeps its counts.
 *
 * @returns the account's name, and the prefixes of keys that it revoked
 * @throws NotKnown, DatabaseError
 */
export function removeAccount(db: BlogDatabase, given: string): { name: string; revoked: string[] } {
  return db
    .transaction(() => {
      const { id, name } = requireAccount(db, given);
      const revoked = db
        .prepare<[number], string>(
          `UPDATE api_keys SET revoked_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
           WHERE account_id = ? AND revoked_at IS NULL RETURNING prefix`,
        )
        .pluck()
        .all(id);
      db.prepare(`UPDATE accounts SET removed_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE id = ?`).run(
        id,
      );
      return { name, revoked };
    })
    .immediate();
}
