import { Random } from '../../../bench/generate/random.ts';
import type { Caller } from './callers.ts';
import { fuzzConnection } from './connection.ts';

export interface FuzzFigures {
  readonly connections: number;
  readonly requests: number;
  readonly replies: number;
  /** Connections that the service closed. */
  readonly resets: number;
  /** Number of replies by status. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly faults: readonly string[];
}

const FAULTS_KEPT = 20;

/**
 * Sends random requests to a service. Each caller uses one connection after another, in parallel. A seed gives the
 * same requests, but not the same timing.
 *
 * @param ms ends earlier, after this time
 */
export async function fuzz({
  port,
  callers,
  requests,
  seed,
  ms,
}: {
  readonly port: number;
  readonly callers: readonly Caller[];
  readonly requests: number;
  readonly seed: number;
  readonly ms: number;
}): Promise<FuzzFigures> {
  const end = performance.now() + ms;
  const isOver = () => sent >= requests || faults.length >= FAULTS_KEPT || performance.now() > end;
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  let sent = 0;
  let connections = 0;
  let replies = 0;
  let resets = 0;
  const play = async (caller: Caller): Promise<void> => {
    for (let turn = 0; !isOver(); turn += 1) {
      const result = await fuzzConnection(port, caller, new Random(seed, caller.number, turn));
      connections += 1;
      sent += result.requests;
      replies += result.replies.length;
      if (result.wasReset) resets += 1;
      for (const { status } of result.replies) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      faults.push(...result.faults.map((fault) => `caller ${caller.number}, connection ${turn}: ${fault}`));
    }
  };
  await Promise.all(callers.map(play));
  return { connections, requests: sent, replies, resets, statuses, faults };
}
