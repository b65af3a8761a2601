import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Client } from 'pg';
import type { Tally } from '../../quota.ts';
import { rowsOf } from './rows.ts';
import { insertUsage, showDay, TABLE_NAMES } from './tables.ts';
import { lockTallies, readTallies, tallyOf, type TallyRow, writeTallies } from './tallies.ts';

/** The database or its tables are there, but cannot hold counts. */
export class UnfitForCounts extends Error {
  /** What to do. */
  readonly remedy: string;

  constructor(fault: string, remedy: string) {
    super(fault);
    this.remedy = remedy;
  }
}

const MAX_INTEGER = 2 ** 31 - 1;

/** As large as any. */
const TALLY: Tally = {
  days: [0, 1, 2, 3].map((age) => ({ day: MAX_INTEGER - age, used: MAX_INTEGER })),
  times: Array.from({ length: 600 }, (_, i) => 1e12 + 100 * i),
  counts: Array.from({ length: 600 }, () => MAX_INTEGER),
};

/**
 * Does all that counting does in a transaction that is rolled back. So it finds whatever is wrong with the tables: rights,
 * columns, keys, rules, triggers, row security, or tables of others that `search_path` finds first.
 *
 * @throws UnfitForCounts, and errors of PostgreSQL; then the connection cannot be used any more
 */
export async function checkTables(client: Client): Promise<void> {
  const oids = TABLE_NAMES.map((name) => `to_regclass('${name}')`).join();
  const [unlogged] = await rowsOf<{ name: string }>(
    client,
    `SELECT relname AS name FROM pg_class WHERE oid IN (${oids}) AND relpersistence <> 'p'`,
  );
  if (unlogged)
    throw new UnfitForCounts(
      `${unlogged.name} is UNLOGGED, so a crash empties it`,
      `run ALTER TABLE ${unlogged.name} SET LOGGED.`,
    );
  const id = randomUUID();
  const tallies = new Map([`${id} ада`, `${id} АДА`].map((name) => [name, TALLY]));
  const ids = [...tallies.keys()];
  await rowsOf(client, lockTallies(ids));
  const written = await rowsOf(client, writeTallies(tallies));
  const read = await rowsOf<TallyRow>(client, readTallies(ids));
  const isKept = (row: TallyRow) => row.principal !== null && isDeepStrictEqual(tallyOf(row), TALLY);
  if (written.length !== ids.length || !read.every(isKept))
    throw new UnfitForCounts(
      'offprint_tally does not hold what is written to it',
      'look for rules, triggers, row security and changed columns: "counts init --sql" prints the table.',
    );
  const usage = insertUsage([{ day: 0, account: id, key: '', endpoint: 'other', status: 0, requests: 1 }]);
  await rowsOf(
    client,
    `SELECT secret FROM offprint_secret; ${showDay(0)}; ${usage};
     DELETE FROM offprint_tally WHERE false; DELETE FROM offprint_usage WHERE false; ROLLBACK`,
  );
}
