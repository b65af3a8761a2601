/**
 * The rule by which requests are counted. Two limits hold at once (interface, "Limits"):
 *
 *   daily    so many requests in a UTC day
 *   minute   so many requests in any 60 seconds, however these are cut (a sliding log, not a bucket)
 *
 * A refused request is not counted. The rule is pure: a Tally goes in with the time, and is changed;
 * where tallies live, and how they survive a crash, is a home's business. A home must hand the requests
 * of one principal to one Tally, one after another; then no caller ever gets more than its limits.
 *
 * The clock may be set back: time then stands still here until it has caught up. Set forward, it starts
 * a new day early, once: when that day truly comes, what was used of it stays used.
 */
import type { Limits } from '../contract/policy.ts';
import type { Principal } from './home.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * Requests are logged by the millisecond where the limit of the minute is small, else in slots, so that the
 * log of one principal has at most some 600 entries, and 60 where it would have to be written very often. A
 * slot counts as its last millisecond: what rounding does, it does against the caller, by a slot at most.
 */
function slotMs(minuteLimit: number): number {
  if (minuteLimit <= 512) return 1;
  return minuteLimit <= 60_000 ? 100 : 1000;
}

/** What one principal has used. */
export interface Tally {
  /** Days since 1970, UTC. */
  day: number;
  used: number;
  /** The log of the last minute: times in ms since 1970, ascending, and the requests at each. */
  readonly times: number[];
  readonly counts: number[];
  /** The sum of `counts`. */
  lately: number;
}

export interface Verdict {
  /** The limit that refuses the request; null: it is allowed. */
  readonly refusedBy: 'daily' | 'minute' | null;
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** The next UTC midnight in Unix seconds. */
  readonly reset: number;
  /** Whole seconds until then. */
  readonly resetIn: number;
  readonly minuteLimit: number;
  readonly minuteRemaining: number;
  /** Whole seconds until the oldest request of the last minute is forgotten. */
  readonly minuteResetIn: number;
}

export function newTally(): Tally {
  return storedTally({ day: 0, used: 0, times: [], counts: [] });
}

/** A tally of what was kept of one. */
export function storedTally(kept: Omit<Tally, 'lately'>): Tally {
  return { ...kept, lately: kept.counts.reduce((sum, count) => sum + count, 0) };
}

/**
 * Counts a request, unless a limit refuses it.
 *
 * @param nowMs milliseconds since 1970
 */
export function countRequest(tally: Tally, principal: Principal, limits: Limits, nowMs: number): Verdict {
  const now = advance(tally, nowMs);
  const refusedBy = refusal(tally, limits.day[principal.kind], limits.minute);
  if (refusedBy === null) {
    tally.used += 1;
    log(tally, now, limits.minute);
  }
  return verdict(tally, principal, limits, now, refusedBy);
}

/** What countRequest would find, without counting. */
export function peekRequest(tally: Tally, principal: Principal, limits: Limits, nowMs: number): Verdict {
  const now = advance(tally, nowMs);
  return verdict(tally, principal, limits, now, refusal(tally, limits.day[principal.kind], limits.minute));
}

/** Whether the tally says nothing any more, and may be forgotten. */
export function isSpent(tally: Tally, nowMs: number): boolean {
  return tally.day < Math.floor(nowMs / DAY_MS) && (tally.times.at(-1) ?? 0) <= nowMs - MINUTE_MS;
}

/** Brings the tally to the present, and gives the time that counts as the present. */
function advance(tally: Tally, nowMs: number): number {
  const now = Math.max(nowMs, tally.times.at(-1) ?? 0, tally.day * DAY_MS);
  const day = Math.floor(now / DAY_MS);
  if (day > tally.day) {
    tally.day = day;
    tally.used = 0;
  }
  let gone = 0;
  while (gone < tally.times.length && (tally.times[gone] ?? 0) <= now - MINUTE_MS) {
    tally.lately -= tally.counts[gone] ?? 0;
    gone++;
  }
  if (gone > 0) {
    tally.times.splice(0, gone);
    tally.counts.splice(0, gone);
  }
  return now;
}

function refusal(tally: Tally, dayLimit: number, minuteLimit: number): Verdict['refusedBy'] {
  if (tally.used >= dayLimit) return 'daily';
  return tally.lately >= minuteLimit ? 'minute' : null;
}

function log(tally: Tally, now: number, minuteLimit: number): void {
  const slot = slotMs(minuteLimit);
  const time = now - (now % slot) + slot - 1;
  tally.lately += 1;
  const last = tally.times.length - 1;
  const lastTime = tally.times[last];
  if (lastTime !== undefined && lastTime >= time) tally.counts[last] = (tally.counts[last] ?? 0) + 1;
  else {
    tally.times.push(time);
    tally.counts.push(1);
  }
}

function verdict(
  tally: Tally,
  { kind }: Principal,
  limits: Limits,
  now: number,
  refusedBy: Verdict['refusedBy'],
): Verdict {
  const limit = limits.day[kind];
  const midnight = (tally.day + 1) * DAY_MS;
  const oldest = tally.times[0];
  return {
    refusedBy,
    limit,
    used: tally.used,
    remaining: Math.max(0, limit - tally.used),
    reset: midnight / 1000,
    resetIn: Math.ceil((midnight - now) / 1000),
    minuteLimit: limits.minute,
    minuteRemaining: Math.max(0, limits.minute - tally.lately),
    minuteResetIn: oldest === undefined ? 0 : clamp(Math.ceil((oldest + MINUTE_MS - now) / 1000), 1, 60),
  };
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
