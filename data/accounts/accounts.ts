import type { BlogDatabase } from '../database.ts';
import { foldName } from './account-name.ts';

export type Role = 'user' | 'admin';

/** An account as the database has it. */
export interface AccountRow {
  readonly id: number;
  readonly name: string;
  readonly role: Role;
}

/** Accounts whose names are compared as the same. */
export interface AccountMerge {
  /** The one that was made first; its name is shown. */
  readonly kept: AccountRow;
  readonly others: readonly AccountRow[];
  /** The lower of all roles: no key gets more than it had. */
  readonly role: Role;
}

/** Groups accounts by what their names are compared by, oldest first. */
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

/** The account whose name is compared as the same, among accounts that are settled. */
export function findAccount(db: BlogDatabase, name: string): AccountRow | undefined {
  return db
    .prepare<[string], AccountRow>('SELECT id, name, role FROM accounts WHERE folded = ?')
    .get(foldName(name));
}

/** Makes an account; its name is shown as it was first given. */
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
 * Fills in what names are compared by, and merges accounts that are the same: their keys go to the first of
 * them, which gets the lower role. Anyone may write to the table, so this comes before each change of keys.
 *
 * @returns what was merged
 */
export function settleAccounts(db: BlogDatabase): AccountMerge[] {
  return db
    .transaction((): AccountMerge[] => {
      if (areAccountsSettled(db)) return [];
      const merges = mergedAccounts(readAccounts(db));
      const move = db.prepare('UPDATE api_keys SET account_id = ? WHERE account_id = ?');
      const remove = db.prepare('DELETE FROM accounts WHERE id = ?');
      const settle = db.prepare('UPDATE accounts SET role = ?, folded = ? WHERE id = ?');
      db.exec('UPDATE accounts SET folded = NULL'); // Names may have changed places.
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
