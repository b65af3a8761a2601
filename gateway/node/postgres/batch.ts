import { type Client, escapeLiteral } from 'pg';
import type { Limits } from '../../../contract/policy.ts';
import type { Principal } from '../../home.ts';
import type { Ruling } from '../../leasing-quota-counter.ts';
import { countWithLease, type LeaseRequest, NO_LOG, peekRequest, type Tally } from '../../quota.ts';
import { daysOf, formatDays, formatLog, logOf } from '../../tally-text.ts';
import { rowsOf, WAIT_SECONDS } from './session.ts';

/**
 * A process that hangs in a transaction loses its locks before others give up waiting for them. A commit is final, whatever
 * the server's default; and no time limit of the server ends it halfway.
 */
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit = on; SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 700; SET LOCAL lock_timeout = 1000;`;

/** A request of a batch. */
export interface Asked {
  readonly principal: Principal;
  readonly limits: Limits;
  /** Peek: a dry run, without a lock. Check: one with all else that counting needs. */
  readonly what: 'count' | 'peek' | 'check';
  readonly lease: LeaseRequest | undefined;
  readonly resolve: (ruling: Ruling) => void;
  readonly reject: (error: unknown) => void;
}

interface Row {
  /** Milliseconds since 1970, by the database's clock, after the locks. */
  readonly now: number;
  /** Null: no principal is known, and the columns after it are null too. */
  readonly principal: string | null;
  readonly day: number;
  readonly used: number;
  readonly minute: string;
  readonly leased: string;
  readonly other_days: string;
}

/** Requests that are counted in one transaction. */
export class Batch {
  readonly asked: Asked[] = [];
  /** Its requests wait until then, by performance.now(). */
  readonly endsAt = performance.now() + WAIT_SECONDS * 1000;
  /** Whether its commit was sent. From then on its outcome may be unknown, and it is not repeated. */
  isSent = false;
  /** Tallies written. */
  written = 0;

  /**
   * Counts by the rule of quota.ts: locks the tallies, in order, reads them and the clock, and writes them. The verdicts hold
   * when this returns.
   *
   * @returns verdicts in the order of `asked`, and the database's clock minus performance.now(), in milliseconds
   * @throws errors of PostgreSQL
   */
  async count(client: Client, endsAt: number): Promise<{ rulings: readonly Ruling[]; clock: number }> {
    const idsOf = (asked: readonly Asked[]) => [...new Set(asked.map(({ principal }) => principal.id))];
    const locked = idsOf(this.asked.filter(({ what }) => what !== 'peek'));
    const read = `SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now, tally.* FROM (VALUES (1)) AS one
      LEFT JOIN offprint_tally AS tally ON principal = ANY (${textArray(idsOf(this.asked))})`;
    // A statement of its own reads what earlier holders of the locks have written.
    const lock = `${BEGIN} INSERT INTO offprint_tally AS tally (principal)
      SELECT id FROM unnest(${textArray(locked)}) AS id ORDER BY id COLLATE "C"
      ON CONFLICT (principal) DO UPDATE SET used = tally.used WHERE false;`;
    const rows = await rowsOf<Row>(client, locked.length === 0 ? read : lock + read);
    const now = Math.floor(rows[0]?.now ?? 0);
    const clock = now - performance.now();
    const tallies = new Map(
      rows.flatMap((row) => (row.principal === null ? [] : [[row.principal, tallyOf(row)] as const])),
    );
    const changed = new Map<string, Tally>();
    const rulings = this.asked.map(({ principal, limits, what, lease = { want: 0 } }): Ruling => {
      const tally = tallies.get(principal.id) ?? { days: [], times: [], counts: [] };
      if (what !== 'count') return { verdict: peekRequest(tally, principal, limits, now), tally: null };
      const { verdict, lease: granted } = countWithLease(tally, principal, limits, now, lease);
      if (verdict.refusedBy !== null) return { verdict, tally };
      changed.set(principal.id, tally);
      return { verdict, tally: null, lease: granted };
    });
    if (locked.length === 0) return { rulings, clock };
    if (performance.now() > endsAt) throw new Error('too late to commit');
    await this.#commit(client, changed);
    return { rulings, clock };
  }

  async #commit(client: Client, changed: ReadonlyMap<string, Tally>): Promise<void> {
    const values = Array.from(changed, ([id, tally]) => `(${escapeLiteral(id)}, ${valuesOf(tally)})`);
    const update = `UPDATE offprint_tally AS tally SET day = new.day, used = new.used, minute = new.minute,
        leased = new.leased, other_days = new.other_days
      FROM (VALUES ${values.join()}) AS new (id, day, used, minute, leased, other_days) WHERE principal = id;`;
    // Above all: the commit is on this server, and the standby may not have it.
    let warning: string | undefined;
    const hear = (notice: {
      readonly code?: string | undefined;
      readonly message?: string | undefined;
    }): void => {
      if (notice.code !== '00000') warning = notice.message;
    };
    client.on('notice', hear);
    this.isSent = true;
    await rowsOf(client, `${values.length === 0 ? '' : update} COMMIT`);
    client.off('notice', hear);
    if (warning !== undefined) throw new Error(warning);
    this.written = values.length;
  }
}

function tallyOf({ day, used, minute, leased, other_days: others }: Row): Tally {
  const days = [{ day, used }, ...daysOf(others)].filter((one) => one.used > 0);
  return { days, ...logOf(minute), ...(leased ? { leased: logOf(leased) } : {}) };
}

function valuesOf({
  days: [{ day, used } = { day: 0, used: 0 }, ...others],
  leased = NO_LOG,
  ...minute
}: Tally) {
  const texts = [formatLog(minute), formatLog(leased), formatDays(others)];
  return `${day}, ${used}, ${texts.map((text) => `'${text}'`).join()}`;
}

function textArray(texts: readonly string[]): string {
  return `ARRAY[${texts.map((text) => escapeLiteral(text)).join()}]::text[]`;
}
