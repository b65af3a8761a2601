import type { Client } from 'pg';
import type { Limits } from '../../../contract/policy.ts';
import type { Ruling } from '../../central-quota-counter.ts';
import type { Principal } from '../../home.ts';
import { countRequest, newTally, peekRequest, type Tally } from '../../quota.ts';
import { tallyOf } from '../../tally-text.ts';
import { rowsOf } from './rows.ts';
import { WAIT_SECONDS } from './session.ts';
import { lockTallies, readTallies, type TallyRow, writeTallies } from './tallies.ts';

/** A request of a batch. */
export interface Asked {
  readonly principal: Principal;
  readonly limits: Limits;
  /** Peek: a dry run, without a lock. Check: one with all else that counting needs. */
  readonly what: 'count' | 'peek' | 'check';
  readonly resolve: (ruling: Ruling) => void;
  readonly reject: (error: unknown) => void;
}

/** Requests that are counted in one transaction. */
export class Batch {
  readonly asked: Asked[] = [];
  /** Its requests wait until then, by performance.now(). */
  readonly endsAt = performance.now() + WAIT_SECONDS * 1000;
  /** Whether its commit was sent. From then on its outcome may be unknown, and it is not repeated. */
  isSent = false;

  /**
   * Counts by the rule of quota.ts: locks the tallies, in order, reads them and the clock, and writes them. The verdicts hold
   * when this returns.
   *
   * @returns verdicts in the order of `asked`, and the database's clock minus performance.now(), in milliseconds
   * @throws errors of PostgreSQL
   */
  async count(client: Client, endsAt: number): Promise<{ rulings: readonly Ruling[]; clock: number }> {
    const locked = idsOf(this.asked.filter(({ what }) => what !== 'peek'));
    const read = readTallies(idsOf(this.asked));
    const rows = await rowsOf<TallyRow>(client, locked.length === 0 ? read : lockTallies(locked) + read);
    const now = Number(rows[0]?.now);
    const clock = now - performance.now();
    const tallies = new Map(
      rows.flatMap((row) => (row.principal === null ? [] : [[row.principal, tallyOf(row)] as const])),
    );
    const changed = new Map<string, Tally>();
    const rulings = this.asked.map(({ principal, limits, what }): Ruling => {
      const tally = tallies.get(principal.id) ?? newTally();
      if (what !== 'count') return { verdict: peekRequest(tally, principal, limits, now), tally: null };
      const verdict = countRequest(tally, principal, limits, now);
      if (verdict.refusedBy !== null) return { verdict, tally };
      changed.set(principal.id, tally);
      return { verdict, tally: null };
    });
    if (locked.length === 0) return { rulings, clock };
    if (performance.now() > endsAt) throw new Error('too late to commit');
    await this.#commit(client, changed);
    return { rulings, clock };
  }

  async #commit(client: Client, changed: ReadonlyMap<string, Tally>): Promise<void> {
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
    try {
      await rowsOf(client, `${writeTallies(changed)} COMMIT`);
      if (warning !== undefined) throw new Error(warning);
    } finally {
      client.off('notice', hear);
    }
  }
}

function idsOf(asked: readonly Asked[]): string[] {
  return [...new Set(asked.map(({ principal }) => principal.id))];
}
