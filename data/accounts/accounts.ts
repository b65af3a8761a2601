import type { BlogDatabase } from '../database.ts';
import { foldName } from './account-name.ts';

export type Role = 'user' | 'admin';

/** An account as the database has it. */
export interface AccountRow {
  readonly id: number;
  readonly name: string;
  readonly role: Role;
}

/** Accounts with the same name once folded. */
export interface AccountMerge {
  /** The oldest one; its name is shown. */
  readonly kept: AccountRow;
  readonly others: readonly AccountRow[];
  /** The lower of all roles, so that no key gains rights. */
  readonly role: Role;
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
        ? { kept: row, others: [], role: row.role }
        : {
            kept: before.kept,
            others: [...before.others, row],
            role: row.role === 'user' ? 'user' : before.role,
          },
    );
  }
  return merges;
}

/** All accounts, oldest first. */
export function readAccounts(db: BlogDatabase): AccountRow[] {
  return db.prepare<[], AccountRow>('SELECT id, name, role FROM accounts ORDER BY id').all();
}

/** The account with this folded name. Accounts must be settled. */
export function findAccount(db: BlogDatabase, name: string): AccountRow | undefined {
  return db
    .prepare<[string], AccountRow>('SELECT id, name, role FROM accounts WHERE folded = ?')
    .get(foldName(name));
}

/** Creates an account; the name is shown as first given. */
export function insertAccount(db: BlogDatabase, given: string, role: Role): AccountRow {
  const name = given.trim().normalize('NFC');
  const insert = db.prepare('INSERT INTO accounts (name, role, folded) VALUES (?, ?, ?)');
  return { id: Number(insert.run(name, role, foldName(name)).lastInsertRowid), name, role };
}

/** Whether another program inserted or renamed accounts, or the database was just migrated. */
export function areAccountsSettled(db: BlogDatabase): boolean {
  return db
    .prepare<[], { name: string; folded: string | null }>('SELECT name, folded FROM accounts')
    .all()
    .every(({ name, folded }) => folded === foldName(name));
}

/**
 * Fills in the folded names and merges accounts with the same one: their keys go to the oldest, which gets the lower
 * role. Other programs may write to the table, so this runs before each change of keys.
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
      const settle = db.prepare('UPDATE accounts SET role = ?, folded = ? WHERE id = ?');
      db.exec('UPDATE accounts SET folded = NULL'); // Names may have been swapped.
      for (const [folded, { kept, others, role }] of merges) {
        for (const { id } of others) {
          move.run(kept.id, id);
          remove.run(id);
        }
        settle.run(role, folded, kept.id);
      }
      return [...merges.values()].filter(({ others }) => others.length > 0);
    })
    .immediate();
}
