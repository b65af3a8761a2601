import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { UsageKind } from '../../gateway/usage.ts';

/** How many requests of one kind there were on one day. */
export interface UsageCount extends UsageKind {
  /** UTC days since 1970. */
  readonly day: number;
  readonly requests: number;
}

/**
 * Reads what a gateway on this machine wrote down (gateway/node/usage-log.ts), also while it writes.
 *
 * @param first the first day, UTC, since 1970
 * @returns nothing where no gateway has counted yet
 * @throws Error of SQLite, where the file is none of a usage log
 */
export function readUsage(path: string, first: number): UsageCount[] {
  if (!existsSync(path)) return [];
  const db = new Database(path, { readonly: true, timeout: 5000 });
  try {
    return db
      .prepare<[number], UsageCount>(
        `SELECT day, account, key, endpoint, status, requests FROM usage WHERE day >= ?
         ORDER BY day, account, key, endpoint, status`,
      )
      .all(first);
  } finally {
    db.close();
  }
}
