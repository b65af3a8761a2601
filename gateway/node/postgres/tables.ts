/** The tables of counts, and the statements on them that count nothing. */
import { randomUUID } from 'node:crypto';
import { escapeLiteral } from 'pg';
import { dayNumber } from '../../../contract/day.ts';
import { newTally } from '../../quota.ts';
import type { UsageKind } from '../../usage.ts';
import { lockTallies, readTallies, writeTallies } from './tallies.ts';

/**
 * What `counts init` runs; safe to repeat. Half of each page stays free, so that a row is rewritten in its own page, without
 * an entry in the index, and the space of the old one is used again at once.
 */
export const TABLES = `BEGIN;
CREATE TABLE IF NOT EXISTS offprint_tally (
  principal text COLLATE "C" PRIMARY KEY, -- 'account:NAME', or 'address:' and a keyed hash
  day integer NOT NULL DEFAULT 0,         -- UTC, since 1970
  used integer NOT NULL DEFAULT 0,
  minute text NOT NULL DEFAULT '',        -- the last minute: time*count, times as differences in milliseconds
  other_days text NOT NULL DEFAULT ''     -- day*used
) WITH (fillfactor = 50);
CREATE TABLE IF NOT EXISTS offprint_day_shown (
  day integer PRIMARY KEY,
  position bigserial
);
CREATE TABLE IF NOT EXISTS offprint_secret (
  id integer PRIMARY KEY CHECK (id = 1),
  secret text NOT NULL
);
INSERT INTO offprint_secret VALUES (1, replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''))
  ON CONFLICT DO NOTHING;
CREATE TABLE IF NOT EXISTS offprint_usage (
  day integer NOT NULL,
  account text NOT NULL,
  key text NOT NULL,
  endpoint text NOT NULL,
  status integer NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (day, account, key, endpoint, status)
);
-- A user other than the one that created the tables needs these rights:
-- GRANT SELECT, INSERT, UPDATE, DELETE ON offprint_tally, offprint_day_shown, offprint_usage TO username;
-- GRANT SELECT ON offprint_secret TO username;
-- GRANT USAGE ON SEQUENCE offprint_day_shown_position_seq TO username;
COMMIT;
`;

/**
 * Does all that counting does, in a transaction that is rolled back: it fails where the encoding, a table, a column or a right
 * is missing.
 */
export function tryTables(): string {
  const id = `${randomUUID()} ада`;
  const usage = insertUsage([{ day: 0, account: id, key: '', endpoint: 'other', status: 0, requests: 1 }]);
  return `${lockTallies([id])} ${readTallies([id])} ${writeTallies(new Map([[id, newTally()]]))}
    SELECT secret FROM offprint_secret; ${showDay(0)}; ${usage};
    DELETE FROM offprint_tally WHERE false; DELETE FROM offprint_usage WHERE false; ROLLBACK`;
}

/** Tallies older than all of the last days that the clock showed are deleted; a wrong clock deletes none of today. */
const DAYS_SHOWN = 3;

/** Rows of one sweep, which locks them. */
const SWEPT_ROWS = 1000;

/** Deletes some expired tallies. @param nowMs milliseconds since 1970, by the database's clock */
export function sweep(nowMs: number): string {
  return `${showDay(dayNumber(nowMs))};
    DELETE FROM offprint_tally WHERE principal IN (
      SELECT principal FROM offprint_tally WHERE day < (
        SELECT min(day) FROM (SELECT day FROM offprint_day_shown ORDER BY position DESC LIMIT ${DAYS_SHOWN}) AS last
        HAVING count(*) = ${DAYS_SHOWN})
      LIMIT ${SWEPT_ROWS} FOR UPDATE SKIP LOCKED)
    RETURNING principal`;
}

/** Records a day that the clock showed, if it is not the last one that was. */
function showDay(day: number): string {
  return `INSERT INTO offprint_day_shown (day)
      SELECT ${day} WHERE ${day} IS DISTINCT FROM (SELECT day FROM offprint_day_shown ORDER BY position DESC LIMIT 1)
      ON CONFLICT (day) DO UPDATE SET position = excluded.position`;
}

/** How many requests of one kind there were on one day. */
export interface UsageRow extends UsageKind {
  readonly day: number;
  readonly requests: number;
}

/** Adds usage, and deletes that of earlier days than `first`. */
export function addUsage(rows: readonly UsageRow[], first: number): string {
  return `BEGIN; SET LOCAL lock_timeout = 200; ${insertUsage(rows)};
    DELETE FROM offprint_usage WHERE day < ${first}; COMMIT`;
}

/** Adds usage, within a transaction. Sorted, so that two processes do not wait for each other. */
function insertUsage(rows: readonly UsageRow[]): string {
  const values = rows.map(({ day, account, key, endpoint, status, requests }) =>
    [day, ...[account, key, endpoint].map(escapeLiteral), status, requests].join(', '),
  );
  return `INSERT INTO offprint_usage AS known (day, account, key, endpoint, status, requests)
      VALUES (${values.sort().join('), (')})
      ON CONFLICT (day, account, key, endpoint, status) DO UPDATE SET requests = known.requests + excluded.requests`;
}

/** Usage since a day, as UsageRow, with `requests` as text: the role may round other numbers. */
export function usageSince(first: number): string {
  return `SELECT day, account, key, endpoint, status, requests FROM offprint_usage
    WHERE day >= ${first} ORDER BY day, account, key, endpoint, status`;
}
