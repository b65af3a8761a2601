/**
 * Synchronises pruning and publishing, although a bucket has no locks and a process that seems dead may still run.
 *
 * - Before a prune removes anything, it increments the number in the pointer's mark by a conditional write. A publish that
 *   read the pointer before fails, and checks again.
 * - While the mark shows a prune in progress, no upload starts.
 * - Deletions are signed with the time of the mark. The service refuses them 15 minutes later, so a paused prune or a
 *   delayed request does no harm after the mark has expired.
 *
 * So an object that is found in the bucket or uploaded to it stays there as long as the pointer does not change.
 */
import { randomUUID } from 'node:crypto';
import { isRecord, isText, recordOf } from '../../contract/json.ts';

/** Prunes of a bucket, as recorded in its pointer. */
export interface PruneMark {
  /** Prunes so far. Each one changes the pointer, so publishers that read it before must read it again. */
  readonly number: number;
  /** The prune in progress; null: none. */
  readonly running: RunningPrune | null;
}

interface RunningPrune {
  /** Start time, by the service's clock (RFC 3339). */
  readonly since: string;
  /** Random, to distinguish two prunes that start in the same second. */
  readonly by: string;
}

const isRunningPrune = recordOf<RunningPrune>({ since: isText, by: isText });

/** The mark of a bucket that was never pruned. */
export const NEVER_PRUNED: PruneMark = { number: 0, running: null };

/** After this time a prune counts as dead: longer than the service accepts its signed requests. */
const MARK_EXPIRES_MS = 20 * 60_000;

/** The mark after a prune. */
export function endedMark({ number }: PruneMark): PruneMark {
  return { number, running: null };
}

/** The mark at the start of a prune. */
export function begunMark({ number }: PruneMark, now: Date): PruneMark & { readonly running: RunningPrune } {
  return { number: number + 1, running: { since: now.toISOString(), by: randomUUID() } };
}

/** Start time of the prune in progress; undefined: none, or it died. @param now by the service's clock */
export function runningSince({ running }: PruneMark, now: Date): string | undefined {
  if (!running || now.getTime() - Date.parse(running.since) >= MARK_EXPIRES_MS) return undefined;
  return running.since;
}

/** The mark in the text of a pointer. */
export function parsePruneMark(text: string): PruneMark {
  const pointer: unknown = JSON.parse(text);
  const prune = isRecord(pointer) ? pointer['prune'] : undefined;
  if (!isRecord(prune) || typeof prune['number'] !== 'number') return NEVER_PRUNED;
  const { number, running } = prune;
  return { number, running: isRunningPrune(running) ? running : null };
}
