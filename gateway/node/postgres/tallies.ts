/** The statements that count, on `offprint_tally`, and its rows. */
import { escapeLiteral } from 'pg';
import type { Tally } from '../../quota.ts';
import { type StoredTally, formatTally } from '../../tally-text.ts';

/**
 * A process that hangs in a transaction loses its locks before others stop waiting for them. A commit is durable, whatever
 * the server's default; and no timeout of the server interrupts it.
 */
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit = on; SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 700; SET LOCAL lock_timeout = 1000;`;

/** A row that was read. */
export interface TallyRow extends StoredTally {
  /** Milliseconds since 1970, by the database's clock, after the locks. A whole number: the role may round others. */
  readonly now: string;
  /** Null: no principal is known, and the other columns are null too. */
  readonly principal: string | null;
}

/** Begins a transaction, and locks the tallies of principals, in order. */
export function lockTallies(ids: readonly string[]): string {
  return `${BEGIN} INSERT INTO offprint_tally AS tally (principal)
    SELECT id FROM unnest(${textArray(ids)}) AS id ORDER BY id COLLATE "C"
    ON CONFLICT (principal) DO UPDATE SET used = tally.used WHERE false;`;
}

/** Reads the clock, and the tallies of principals, as TallyRow: a statement of its own, so it has what earlier holders of the locks have written. */
export function readTallies(ids: readonly string[]): string {
  return `SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now, tally.* FROM (VALUES (1)) AS one
    LEFT JOIN offprint_tally AS tally ON principal = ANY (${textArray(ids)});`;
}

/** Writes tallies that are locked. */
export function writeTallies(tallies: ReadonlyMap<string, Tally>): string {
  if (tallies.size === 0) return '';
  const values = Array.from(tallies, ([id, tally]) => `(${escapeLiteral(id)}, ${formatValues(tally)})`);
  return `UPDATE offprint_tally AS tally SET day = new.day, used = new.used, minute = new.minute,
      other_days = new.other_days
    FROM (VALUES ${values.join()}) AS new (id, day, used, minute, other_days) WHERE principal = id;`;
}

function formatValues(tally: Tally): string {
  const { day, used, minute, other_days: others } = formatTally(tally);
  return `${day}, ${used}, '${minute}', '${others}'`;
}

function textArray(texts: readonly string[]): string {
  return `ARRAY[${texts.map((text) => escapeLiteral(text)).join()}]::text[]`;
}
