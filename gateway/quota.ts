/**
 * How requests are counted. Two limits apply together (interface, "Limits"):
 *
 *   daily    requests in a UTC day
 *   minute   requests in any window of 60 seconds (a sliding log, not a bucket)
 *
 * A refused request is not counted.
 *
 * The rule has no I/O and no clock: it changes a Tally for a given time. Homes store tallies and make them survive a crash.
 * A home must apply the requests of one principal to one Tally sequentially; then no caller exceeds its limits. Decision 9
 * covers wrong clocks.
 */
import { dayLimit, isUnlimited, type Limits, minuteLimit, NO_LIMIT } from '../contract/policy.ts';
import { dayNumber, dayStart } from '../contract/day.ts';
import type { Principal } from './home.ts';

const MINUTE_MS = 60_000;

/** Days whose counts are kept, nearest to the present. More than one matters only after a wrong clock. */
const DAYS_KEPT = 4;

/**
 * Small minute limits are logged by the millisecond, larger ones in slots: a log has at most some 600 entries, and 60 if
 * it is written very often. A slot counts as its last millisecond, so rounding never favours the caller.
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

/** Times in ms since 1970, ascending, and the requests at each. */
export interface RequestLog {
  readonly times: number[];
  readonly counts: number[];
}

/** The usage of one principal: plain data, as a home stores it. Its own log covers the last minute. */
export interface Tally extends RequestLog {
  /** Days with requests, the latest first. */
  readonly days: DayCount[];
}

export interface Verdict {
  /** The limit that refuses the request; null: allowed. */
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
  /** Whole seconds until the oldest request leaves the last minute. */
  readonly minuteResetIn: number;
}

export function newTally(): Tally {
  return { days: [], times: [], counts: [] };
}

/** All that the rule needs to know of a principal. */
type OfPlan = Pick<Principal, 'plan'>;

/**
 * Counts a request, unless a limit refuses it.
 *
 * @param nowMs milliseconds since 1970
 * @param isCounted false: a dry run
 */
export function countRequest(
  tally: Tally,
  { plan }: OfPlan,
  limits: Limits,
  nowMs: number,
  isCounted = true,
): Verdict {
  const free = unlimitedVerdict({ plan }, limits, nowMs);
  if (free) return free;
  const now = advance(tally, nowMs);
  const day = dayNumber(now);
  const limit = dayLimit(limits, plan);
  const inMinute = minuteLimit(limits, plan);
  let used = tally.days.find((one) => one.day === day)?.used ?? 0;
  let inWindow = sum(tally.counts);
  const refusedBy = used >= limit ? 'daily' : inWindow >= inMinute ? 'minute' : null;
  if (isCounted && refusedBy === null) {
    countDay(tally, day, 1);
    if (inMinute !== NO_LIMIT) logRequests(tally, now, inMinute, 1);
    used += 1;
    inWindow += 1;
  }
  return {
    refusedBy,
    limit,
    used,
    remaining: Math.max(0, limit - used),
    ...untilMidnight(now),
    minuteLimit: inMinute,
    minuteRemaining: Math.max(0, inMinute - inWindow),
    minuteResetIn: secondsToExpiry(tally, now),
  };
}

/** A dry run of countRequest. */
export function peekRequest(tally: Tally, principal: OfPlan, limits: Limits, nowMs: number): Verdict {
  return countRequest(tally, principal, limits, nowMs, false);
}

/** The verdict for a caller without limits, who is not counted; undefined for others. */
export function unlimitedVerdict({ plan }: OfPlan, limits: Limits, nowMs: number): Verdict | undefined {
  if (!isUnlimited(limits, plan)) return undefined;
  return {
    refusedBy: null,
    limit: NO_LIMIT,
    used: 0,
    remaining: NO_LIMIT,
    ...untilMidnight(nowMs),
    minuteLimit: NO_LIMIT,
    minuteRemaining: NO_LIMIT,
    minuteResetIn: 0,
  };
}

function untilMidnight(now: number): Pick<Verdict, 'reset' | 'resetIn'> {
  const midnight = dayStart(dayNumber(now) + 1);
  return { reset: midnight / 1000, resetIn: Math.ceil((midnight - now) / 1000) };
}

/** Whole seconds until the oldest entry of a log expires; 0: it is empty. */
function secondsToExpiry({ times: [oldest] }: RequestLog, now: number): number {
  if (oldest === undefined) return 0;
  return Math.min(MINUTE_MS / 1000, Math.max(1, Math.ceil((oldest + MINUTE_MS - now) / 1000)));
}

/**
 * Counts requests whose times are unknown.
 *
 * @param day on which they were made
 * @param latestMs milliseconds since 1970: none was made later
 */
export function countUnseen(tally: Tally, count: number, day: number, latestMs: number): void {
  if (count === 0) return;
  countDay(tally, day, count);
  logRequests(tally, Math.max(tally.times.at(-1) ?? 0, latestMs), 0, count);
}

/** Whether a tally has expired and can be deleted. */
export function isExpired({ days, times }: Tally, nowMs: number): boolean {
  return (days[0]?.day ?? 0) < dayNumber(nowMs) && (times.at(-1) ?? 0) <= nowMs - MINUTE_MS;
}

/** Removes expired log entries. Returns the time to count by: it never runs backwards by less than a minute. */
function advance(log: RequestLog, nowMs: number): number {
  const last = log.times.at(-1) ?? nowMs;
  const now = last - nowMs > MINUTE_MS ? nowMs : Math.max(nowMs, last);
  dropExpired(log, now);
  return now;
}

/** Removes entries older than a minute, and joins those later than now into one. */
function dropExpired({ times, counts }: RequestLog, now: number): void {
  if ((times.at(-1) ?? now) > now) {
    const first = times.findIndex((time) => time > now);
    times.splice(first, times.length, now);
    counts.push(sum(counts.splice(first)));
  }
  let gone = 0;
  while (gone < times.length && (times[gone] ?? 0) <= now - MINUTE_MS) gone++;
  if (gone > 0) {
    times.splice(0, gone);
    counts.splice(0, gone);
  }
}

function sum(counts: readonly number[]): number {
  let all = 0;
  for (const count of counts) all += count;
  return all;
}

function countDay({ days }: Tally, day: number, count: number): void {
  const known = days.find((one) => one.day === day);
  if (known) {
    known.used += count;
    return;
  }
  days.push({ day, used: count });
  days.sort((a, b) => b.day - a.day);
  if (days.length <= DAYS_KEPT) return;
  const [latest, earliest] = [days[0]?.day ?? day, days.at(-1)?.day ?? day];
  if (latest - day > day - earliest) days.shift();
  else days.pop();
}

function logRequests({ times, counts }: RequestLog, now: number, minuteLimit: number, count: number): void {
  const slot = slotMs(minuteLimit);
  const time = now - (now % slot) + slot - 1;
  const last = times.length - 1;
  if ((times[last] ?? 0) >= time) counts[last] = (counts[last] ?? 0) + count;
  else {
    times.push(time);
    counts.push(count);
  }
}
