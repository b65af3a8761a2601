import { isNumber, isText, recordOf } from '../../contract/json.ts';

/** Returns the reads since the last call, and starts a cold isolate. */
export const TRACE_PATH = '/trace';

/** The duration of a read when rounds are counted: much longer than the Worker's own work. */
export const READ_MS = 40;

/** Parallel reads of one request (Cloudflare: "simultaneous open connections"). */
export const CONNECTIONS = 6;

export interface FarRead {
  readonly key: string;
  /** From 1: its round, the number of sequential reads up to this one. */
  readonly round: number;
  readonly bytes: number;
}

export const isFarRead = recordOf<FarRead>({ key: isText, round: isNumber, bytes: isNumber });

/** What an answer took. */
export interface Reading {
  readonly reads: number;
  readonly bytes: number;
  readonly rounds: number;
  /** The number of rounds if six connections share the reads and each read takes the same time. */
  readonly turns: number;
}

export function readingOf(reads: readonly FarRead[]): Reading {
  const rounds = Math.max(0, ...reads.map(({ round }) => round));
  const inRound = Array.from(
    { length: rounds },
    (_, i) => reads.filter(({ round }) => round === i + 1).length,
  );
  return {
    reads: reads.length,
    bytes: reads.reduce((sum, { bytes }) => sum + bytes, 0),
    rounds,
    turns: inRound.reduce((sum, count) => sum + Math.ceil(count / CONNECTIONS), 0),
  };
}
