import type { BlogDatabase } from '../database.ts';
import { UnknownAccount } from '../errors.ts';
import { schemaVersion } from '../migrations.ts';
import { foldName } from './account-name.ts';

/** The plan of an account for which none is given. */
const DEFAULT_PLAN = 'user';

/** An account as the database has it. */
export interface AccountRow {
  readonly id: number;
  readonly name: string;
  readonly plan: string;
  /** RFC 3339, UTC; null: it is in use. */
  readonly removed_at: string | null;
}

/** Accounts with the same name once folded. */
export interface AccountMerge {
  /** The oldest one; its name is shown. */
  readonly kept: AccountRow;
  readonly others: readonly AccountRow[];
  /** `user` if they had different plans. */
  readonly plan: string;
}

/** Groups accounts by folded name, oldest first. */
export function mergedAccounts(rows: readonly AccountRow[]): ReadonlyMap<string, AccountMerge> {
  const merges = new Map<string, AccountMerge>();
  for (const row of rows.toSorted((a, b) => a.id - b.id)) {
    const folded = foldName(row.name);
    const before = merges.get(folded);
    merges.set(
      folded,
      before === undefined
        ? { kept: row, others: [], plan: row.plan }
        : {
            kept: before.kept,
            others: [...before.others, row],
            plan: row.plan === before.plan ? row.plan : DEFAULT_PLAN,
          },
    );
  }
  return merges;
}

/** Whether a database has plans; an earlier one that may only be read has roles, which are plans. */
export function hasPlans(db: BlogDatabase): boolean {
  return schemaVersion(db) >= 6;
}

/** All accounts, also removed ones, oldest first. */
export function readAccounts(db: BlogDatabase): AccountRow[] {
  const columns = hasPlans(db) ? 'plan, removed_at' : 'role AS plan, NULL AS removed_at';
  return db.prepare<[], AccountRow>(`SELECT id, name, ${columns} FROM accounts ORDER BY id`).all();
}

/** The account with this folded name, also a removed one. Accounts must be settled. */
export function findAccount(db: BlogDatabase, name: string): AccountRow | undefined {
  return db
    .prepare<[string], AccountRow>('SELECT id, name, plan, removed_at FROM accounts WHERE folded = ?')
    .get(foldName(name));
}

/** The same of one in use. @throws UnknownAccount */
export function requireAccount(db: BlogDatabase, name: string): AccountRow {
  const found = findAccount(db, name);
  if (found === undefined || found.removed_at !== null) throw new UnknownAccount(name);
  return found;
}

/** An account that was set, and its plan before; null: it was created, or was removed before. */
export interface SetAccount {
  readonly account: AccountRow;
  readonly before: string | null;
}

/**
 * Creates an account, or changes its plan. The name is shown as first given. One that was removed is in use again, with
 * its counts, since they belong to the name.
 *
 * @param plan undefined: as it is, or `user`
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
      const insert = db.prepare('INSERT INTO accounts (name, plan, folded) VALUES (?, ?, ?)');
      const id = Number(insert.run(name, wanted, foldName(name)).lastInsertRowid);
      return { account: { id, name, plan: wanted, removed_at: null }, before };
    })
    .immediate();
}

/**
 * Revokes all keys of an account and takes it out of use. Its row stays: made again under its name, it goes on with its
 * counts.
 *
 * @returns the account's name, and the prefixes of keys that it revoked
 * @throws UnknownAccount
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

/** Whether another program inserted or renamed accounts, or the database was just migrated. */
export function areAccountsSettled(db: BlogDatabase): boolean {
  return db
    .prepare<[], { name: string; folded: string | null }>('SELECT name, folded FROM accounts')
    .all()
    .every(({ name, folded }) => folded === foldName(name));
}

/**
 * Fills in the folded names and merges accounts with the same one: their keys go to the oldest, which gets the plan
 * `user` if theirs differ. Other programs may write to the table, so this runs before each change of keys.
 *
 * @returns the merges
 */
export function settleAccounts(db: BlogDatabase): AccountMerge[] {
  return db
    .transaction((): AccountMerge[] => {
      if (areAccountsSettled(db)) return [];
      const merges = mergedAccounts(readAccounts(db));
      const move = db.prepare('UPDATE api_keys SET account_id = ? WHERE account_id = ?');
      const remove = db.prepare('DELETE FROM accounts WHERE id = ?');
      const settle = db.prepare('UPDATE accounts SET plan = ?, folded = ? WHERE id = ?');
      db.exec('UPDATE accounts SET folded = NULL'); // Names may have been swapped.
      for (const [folded, { kept, others, plan }] of merges) {
        for (const { id } of others) {
          move.run(kept.id, id);
          remove.run(id);
        }
        settle.run(plan, folded, kept.id);
      }
      return [...merges.values()].filter(({ others }) => others.length > 0);
    })
    .immediate();
}
