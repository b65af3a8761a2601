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
 * A clock that is right makes both limits exact. For a clock that is not:
 *
 *   - No UTC day that the clock shows gives a caller more than its daily limit, however often and in whatever order
 *     days come, as long as they are DAYS_KEPT different ones. Each day has a count of its own, which waits while the
 *     clock shows another: a clock that flips between two days gains nothing.
 *   - Set forward and back, it costs a caller what it used under the wrong date, on that date, should it come: never
 *     more than one day. Today goes on where it was.
 *   - Set back by a minute or less, time stands still until it has caught up. Set back further, what was logged in
 *     the future counts as logged just now: it is gone after 60 seconds, and until then nothing is given twice.
 *   - Set forward, it is believed: nothing tells it from a machine that slept. So a minute is exact between such steps.
 *
 * A caller cannot move the clock, so none of this helps it.
 */
import { isUnlimited, type Limits, minuteLimit, NO_LIMIT } from '../contract/policy.ts';
import { dayOf, startOf } from './day.ts';
import type { Principal } from './home.ts';

const MINUTE_MS = 60_000;

/** Days whose counts are kept: those nearest to the present. More than one matters only to a clock that was wrong. */
const DAYS_KEPT = 4;

/**
 * Requests are logged by the millisecond where the limit of the minute is small, else in slots, so that the
 * log of one principal has at most some 600 entries, and 60 where it would have to be written very often. A
 * slot counts as its last millisecond: what rounding does, it does against the caller, by a slot at most.
 */
function slotMs(minuteLimit: number): number {
  if (minuteLimit <= 512) return 1;
  return minuteLimit <= 60_000 ? 100 : 1000;
}

/** The requests of one UTC day. */
export interface DayCount {
  /** Days since 1970. */
  readonly day: number;
  used: number;
}

/** What one principal has used: plain data, as a home stores it. */
export interface Tally {
  /** Days with requests, the latest first. */
  readonly days: DayCount[];
  /** The log of the last minute: times in ms since 1970, ascending, and the requests at each. */
  readonly times: number[];
  readonly counts: number[];
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
  return { days: [], times: [], counts: [] };
}

/** Whose request it is, of which the rule needs no more than this. */
type Kind = Pick<Principal, 'kind'>;

/**
 * Counts a request, unless a limit refuses it.
 *
 * @param nowMs milliseconds since 1970
 */
export function countRequest(tally: Tally, principal: Kind, limits: Limits, nowMs: number): Verdict {
  return decide(tally, principal, limits, nowMs, true);
}

/** What countRequest would find, without counting. */
export function peekRequest(tally: Tally, principal: Kind, limits: Limits, nowMs: number): Verdict {
  return decide(tally, principal, limits, nowMs, false);
}

/** What a caller without limits is told; undefined for others. Nothing of it is counted, so no tally is needed. */
export function withoutLimits({ kind }: Kind, limits: Limits, nowMs: number): Verdict | undefined {
  if (!isUnlimited(limits, kind)) return undefined;
  const none = { limit: NO_LIMIT, used: 0, remaining: NO_LIMIT };
  return {
    ...{ refusedBy: null, ...none, ...untilMidnight(nowMs) },
    ...{ minuteLimit: NO_LIMIT, minuteRemaining: NO_LIMIT, minuteResetIn: 0 },
  };
}

function untilMidnight(now: number): Pick<Verdict, 'reset' | 'resetIn'> {
  const midnight = startOf(dayOf(now) + 1);
  return { reset: midnight / 1000, resetIn: Math.ceil((midnight - now) / 1000) };
}

function decide(tally: Tally, { kind }: Kind, limits: Limits, nowMs: number, isCounted: boolean): Verdict {
  const free = withoutLimits({ kind }, limits, nowMs);
  if (free) return free;
  const now = advance(tally, nowMs);
  const day = dayOf(now);
  const limit = limits.day[kind];
  const inMinute = minuteLimit(limits, kind);
  let used = tally.days.find((one) => one.day === day)?.used ?? 0;
  let lately = sum(tally.counts);
  const refusedBy = used >= limit ? 'daily' : lately >= inMinute ? 'minute' : null;
  if (isCounted && refusedBy === null) {
    countDay(tally, day);
    if (inMinute !== NO_LIMIT) log(tally, now, inMinute);
    used += 1;
    lately += 1;
  }
  const oldest = tally.times[0];
  return {
    refusedBy,
    limit,
    used,
    remaining: Math.max(0, limit - used),
    ...untilMidnight(now),
    minuteLimit: inMinute,
    minuteRemaining: Math.max(0, inMinute - lately),
    minuteResetIn:
      oldest === undefined ? 0 : Math.min(60, Math.max(1, Math.ceil((oldest + MINUTE_MS - now) / 1000))),
  };
}

/** Whether the tally says nothing any more, and may be forgotten. */
export function isSpent(tally: Tally, nowMs: number): boolean {
  return (tally.days[0]?.day ?? 0) < dayOf(nowMs) && (tally.times.at(-1) ?? 0) <= nowMs - MINUTE_MS;
}

/** Brings the log of the last minute to the present, and gives the time that counts as the present. */
function advance(tally: Tally, nowMs: number): number {
  const last = tally.times.at(-1) ?? nowMs;
  const now = last - nowMs > MINUTE_MS ? nowMs : Math.max(nowMs, last);
  if (last > now) bringBack(tally, now);
  let gone = 0;
  while (gone < tally.times.length && (tally.times[gone] ?? 0) <= now - MINUTE_MS) gone++;
  if (gone > 0) {
    tally.times.splice(0, gone);
    tally.counts.splice(0, gone);
  }
  return now;
}

/** Makes one entry of all that was logged later than now. */
function bringBack({ times, counts }: Tally, now: number): void {
  const first = times.findIndex((time) => time > now);
  times.splice(first, times.length, now);
  counts.push(sum(counts.splice(first)));
}

function sum(counts: readonly number[]): number {
  let all = 0;
  for (const count of counts) all += count;
  return all;
}

function countDay({ days }: Tally, day: number): void {
  const known = days.find((one) => one.day === day);
  if (known) {
    known.used += 1;
    return;
  }
  days.push({ day, used: 1 });
  days.sort((a, b) => b.day - a.day);
  if (days.length <= DAYS_KEPT) return;
  const [latest, earliest] = [days[0]?.day ?? day, days.at(-1)?.day ?? day];
  if (latest - day > day - earliest) days.shift();
  else days.pop();
}

function log(tally: Tally, now: number, minuteLimit: number): void {
  const slot = slotMs(minuteLimit);
  const time = now - (now % slot) + slot - 1;
  const last = tally.times.length - 1;
  const lastTime = tally.times[last];
  if (lastTime !== undefined && lastTime >= time) tally.counts[last] = (tally.counts[last] ?? 0) + 1;
  else {
    tally.times.push(time);
    tally.counts.push(1);
  }
}
