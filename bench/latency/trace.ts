import { isNumber, isText, recordOf } from '../../contract/json.ts';

/** Gives the reads since the last time, and begins with a cold isolate. */
export const TRACE_PATH = '/trace';

/** How long a read takes where rounds are counted: much longer than the Worker itself. */
export const READ_MS = 40;

/** Reads under way at once, of one request (Cloudflare: "simultaneous open connections"). */
export const CONNECTIONS = 6;

export interface FarRead {
  readonly key: string;
  /** From 1: how many reads one after the other it was in the line of. */
  readonly round: number;
  readonly bytes: number;
}

export const isFarRead = recordOf<FarRead>({ key: isText, round: isNumber, bytes: isNumber });

/** What an answer took. */
export interface Reading {
  readonly reads: number;
  readonly bytes: number;
  readonly rounds: number;
  /** Turns in which six connections do the reads, each as long as one read. */
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
