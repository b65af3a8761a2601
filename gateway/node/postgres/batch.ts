import type { Client } from 'pg';
import type { Limits } from '../../../contract/policy.ts';
import type { CountResult } from '../../central-quota-counter.ts';
import type { Principal } from '../../home.ts';
import { countRequest, newTally, peekRequest, type Tally } from '../../quota.ts';
import { parseTally } from '../../tally-text.ts';
import { queryRows } from './rows.ts';
import { WAIT_SECONDS } from './session.ts';
import { lockTallies, readTallies, type TallyRow, writeTallies } from './tallies.ts';

/** A request of a batch. */
export interface PendingRequest {
  readonly principal: Principal;
  readonly limits: Limits;
  /** Peek: a dry run, without a lock. Check: one with all else that counting needs. */
  readonly what: 'count' | 'peek' | 'check';
  readonly resolve: (result: CountResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Requests that are counted in one transaction. */
export class Batch {
  readonly requests: PendingRequest[] = [];
  /** Its requests wait until then, by performance.now(). */
  readonly endsAt = performance.now() + WAIT_SECONDS * 1000;
  /** Whether its commit was sent. From then on its outcome may be unknown, and it is not repeated. */
  isSent = false;

  /**
   * Counts by the rule of quota.ts: locks the tallies, in order, reads them and the clock, and writes them. The verdicts hold
   * when this returns.
   *
   * @returns verdicts in the order of `requests`, and the database's clock minus performance.now(), in milliseconds
   * @throws errors of PostgreSQL
   */
  async count(client: Client, endsAt: number): Promise<{ results: readonly CountResult[]; clock: number }> {
    const locked = listPrincipals(this.requests.filter(({ what }) => what !== 'peek'));
    const read = readTallies(listPrincipals(this.requests));
    const rows = await queryRows<TallyRow>(client, locked.length === 0 ? read : lockTallies(locked) + read);
    const now = Number(rows[0]?.now);
    const clock = now - performance.now();
    const tallies = new Map(
      rows.flatMap((row) => (row.principal === null ? [] : [[row.principal, parseTally(row)] as const])),
    );
    const changed = new Map<string, Tally>();
    const results = this.requests.map(({ principal, limits, what }): CountResult => {
      const tally = tallies.get(principal.id) ?? newTally();
      if (what !== 'count') return { verdict: peekRequest(tally, principal, limits, now), tally: null };
      const verdict = countRequest(tally, principal, limits, now);
      if (verdict.refusedBy !== null) return { verdict, tally };
      changed.set(principal.id, tally);
      return { verdict, tally: null };
    });
    if (locked.length === 0) return { results, clock };
    if (performance.now() > endsAt) throw new Error('too late to commit');
    await this.#commit(client, changed);
    return { results, clock };
  }

  async #commit(client: Client, changed: ReadonlyMap<string, Tally>): Promise<void> {
    // Above all: the commit is on this server, and the standby may not have it.
    let warning: string | undefined;
    const onNotice = (notice: {
      readonly code?: string | undefined;
      readonly message?: string | undefined;
    }): void => {
      if (notice.code !== '00000') warning = notice.message;
    };
    client.on('notice', onNotice);
    this.isSent = true;
    try {
      await queryRows(client, `${writeTallies(changed)} COMMIT`);
      if (warning !== undefined) throw new Error(warning);
    } finally {
      client.off('notice', onNotice);
    }
  }
}

function listPrincipals(requests: readonly PendingRequest[]): string[] {
  return [...new Set(requests.map(({ principal }) => principal.id))];
}
