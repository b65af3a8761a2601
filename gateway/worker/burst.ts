/**
 * Rows for bursts of requests (decision 23). At Cloudflare a row costs more than all else of a request. So with the second
 * request of a burst, the row counts up to three more, ahead. These are then counted in memory, each once, without a row. When
 * the burst is over, an isolate asks for a row with the exact count.
 *
 * A Durable Object that loses its memory earlier continues from what is stored: never too little, and at most `AHEAD_MAX` too
 * much. The first request after a pause counts nothing ahead, so a caller that asks slowly is always counted exactly.
 *
 * The rule has no I/O and no clock. Times are in milliseconds since 1970.
 */
import { dayNumber } from '../../contract/day.ts';
import { countUnseen, type Tally, type Verdict } from '../quota.ts';

/** Requests counted ahead, at most. */
export const AHEAD_MAX = 3;

/** Requests of a burst are at most this far apart. */
export const PAUSE_MS = 2000;

/** An isolate asks to settle this long after its last answer: an object stays in memory for 10 seconds. */
export const SETTLE_MS = 3000;

/** At most this fraction (1/n) of the remaining requests is counted ahead: close to a limit there is none. */
const SHARE = 4;

/** The expected length of a caller's first burst. */
const USUAL = 5;

type Counted = Pick<Verdict, 'remaining' | 'minuteRemaining' | 'reset'>;

/** A burst in progress: plain data, stored with the tally. */
export interface Burst {
  /** The time of its last request; 0: none so far. */
  last: number;
  requests: number;
  /** The length of the burst before. */
  before: number;
  /** The day on which the tally counted it, which after a step of the clock may not be that of `last`. */
  day: number;
  /** Requests counted ahead that were not made so far, of that day. They are not in the tally itself. */
  ahead: number;
}

export function newBurst(before = USUAL): Burst {
  return { last: 0, requests: 0, before, day: 0, ahead: 0 };
}

/**
 * Takes a counted request into the burst.
 *
 * @param verdict of this request
 * @returns whether the stored tally counts the request already. If not, store the tally and the burst.
 */
export function extendBurst(burst: Burst, verdict: Counted, nowMs: number): boolean {
  const day = dayNumber(verdict.reset * 1000) - 1;
  if (isOver(burst, nowMs) || day !== burst.day)
    Object.assign(burst, newBurst(burst.requests || burst.before));
  burst.last = nowMs;
  burst.day = day;
  burst.requests += 1;
  if (burst.ahead > 0) {
    burst.ahead -= 1;
    return true;
  }
  const room = Math.floor(Math.min(verdict.remaining, verdict.minuteRemaining) / SHARE);
  burst.ahead = Math.min(expectedAfter(burst), room, AHEAD_MAX);
  return false;
}

/** Whether the exact count must be stored now: the burst is over, and counted too much ahead. */
export function mustSettle(burst: Burst, nowMs: number): boolean {
  return burst.ahead > 0 && isOver(burst, nowMs);
}

/** Continues from what is stored: all requests counted ahead may have been made, so they count. */
export function restoreBurst(
  tally: Tally,
  { last, requests, before, day, ahead }: Burst,
  nowMs: number,
): Burst {
  countUnseen(tally, ahead, day, Math.min(nowMs, last + ahead * PAUSE_MS));
  return newBurst(requests + ahead || before);
}

/** The requests expected after the present one. Callers repeat themselves, so the last burst tells. */
function expectedAfter({ requests, before }: Burst): number {
  if (requests < 2) return 0;
  return requests <= before ? before - requests : AHEAD_MAX;
}

function isOver({ last }: Burst, nowMs: number): boolean {
  const passed = nowMs - last;
  return passed < 0 || passed > PAUSE_MS || dayNumber(nowMs) !== dayNumber(last);
}
