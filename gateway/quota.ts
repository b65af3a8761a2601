/**
 * The rule by which requests are counted. Two limits hold at once (interface, "Limits"):
 *
 *   daily    so many requests in a UTC day
 *   minute   so many requests in any 60 seconds, however these are cut (a sliding log, not a bucket)
 *
 * A refused request is not counted. Above 10,000 a day, counts can be granted ahead, as a lease. They are counted when
 * they are granted, so the limits hold whenever they are used (decision 104).
 *
 * The rule is pure: a Tally goes in with the time, and is changed. Where tallies live, and how they survive a crash, is a
 * home's business. A home must hand the requests of one principal to one Tally, one after another; then no caller ever
 * gets more than its limits. Decision 9 says what holds while the clock is wrong.
 */
import { isUnlimited, type Limits, minuteLimit, NO_LIMIT } from '../contract/policy.ts';
import { dayOf, startOf } from '../contract/day.ts';
import type { Principal } from './home.ts';

const MINUTE_MS = 60_000;

/** A lease ends after this time, and at midnight. */
export const LEASE_MS = 10_000;

/** A count of a lease may be used at its end, and belongs to the minute after that. */
const LEASE_KEPT_MS = LEASE_MS + MINUTE_MS;

/** Leases are only granted above this daily limit. */
const LEASES_ABOVE = 10_000;

/** Counts of one lease, at most. */
const LEASE_MAX = 32;

/** Of the requests that a limit leaves, a lease takes one in so many: close to a limit there is none. */
const DAY_SHARE = 1000;
const MINUTE_SHARE = 10;

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

/** Nothing is ever added to it. */
export const NO_LOG: Log = { times: [], counts: [] };

/** The requests of one UTC day. */
export interface DayCount {
  /** Days since 1970. */
  readonly day: number;
  used: number;
}

/** Times in ms since 1970, ascending, and the requests at each. */
export interface Log {
  readonly times: number[];
  readonly counts: number[];
}

/** What one principal has used: plain data, as a home stores it. Its own log is that of the last minute. */
export interface Tally extends Log {
  /** Days with requests, the latest first. */
  readonly days: DayCount[];
  /** The counts of leases, by the time at which they were granted. */
  leased?: Log;
}

/** Requests that are counted ahead. */
export interface Lease {
  readonly count: number;
  /** Days since 1970. */
  readonly day: number;
  /** Milliseconds until it ends, from when it was asked for. */
  readonly lastsMs: number;
}

/** What an isolate asks for with a request. */
export interface LeaseRequest {
  readonly want: number;
  /** Unused counts of its lease before, which has ended. */
  readonly rest?: Pick<Lease, 'count' | 'day'> | undefined;
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
  /** Whole seconds until the oldest request of the last minute is forgotten; 70 at most, for a lease. */
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
 * @param isCounted false: only what counting would find
 */
export function countRequest(
  tally: Tally,
  { kind }: Kind,
  limits: Limits,
  nowMs: number,
  isCounted = true,
): Verdict {
  const free = withoutLimits({ kind }, limits, nowMs);
  if (free) return free;
  const now = advance(tally, nowMs);
  const day = dayOf(now);
  const limit = limits.day[kind];
  const inMinute = minuteLimit(limits, kind);
  let used = tally.days.find((one) => one.day === day)?.used ?? 0;
  const { leased = NO_LOG } = tally;
  let lately = sum(tally.counts) + sum(leased.counts);
  const refusedBy = used >= limit ? 'daily' : lately >= inMinute ? 'minute' : null;
  if (isCounted && refusedBy === null) {
    countDay(tally, day, 1);
    if (inMinute !== NO_LIMIT) log(tally, now, inMinute, 1);
    used += 1;
    lately += 1;
  }
  const soonest = Math.min(untilForgotten(tally, MINUTE_MS, now), untilForgotten(leased, LEASE_KEPT_MS, now));
  return {
    refusedBy,
    limit,
    used,
    remaining: Math.max(0, limit - used),
    ...untilMidnight(now),
    minuteLimit: inMinute,
    minuteRemaining: Math.max(0, inMinute - lately),
    minuteResetIn: soonest === Infinity ? 0 : soonest,
  };
}

/** What countRequest would find, without counting. */
export function peekRequest(tally: Tally, principal: Kind, limits: Limits, nowMs: number): Verdict {
  return countRequest(tally, principal, limits, nowMs, false);
}

/** Whether callers of that kind may have leases. */
export function mayLease(limits: Limits, { kind }: Kind): boolean {
  return limits.day[kind] > LEASES_ABOVE && !isUnlimited(limits, kind);
}

/**
 * Counts a request, and with it as many more as a lease may have: fewer than wanted, or none, close to a limit.
 *
 * @param nowMs milliseconds since 1970
 */
export function countWithLease(
  tally: Tally,
  principal: Kind,
  limits: Limits,
  nowMs: number,
  { want, rest }: LeaseRequest,
): { readonly verdict: Verdict; readonly lease: Lease | undefined } {
  // Only the day gets it back: the minute does not know which of its counts they are.
  const restDay = rest && tally.days.find(({ day }) => day === rest.day);
  if (restDay) restDay.used = Math.max(0, restDay.used - rest.count);
  const verdict = countRequest(tally, principal, limits, nowMs);
  const room = Math.min(verdict.remaining / DAY_SHARE, verdict.minuteRemaining / MINUTE_SHARE);
  const count = Math.floor(Math.min(want, room, LEASE_MAX));
  if (verdict.refusedBy !== null || count < 1 || !mayLease(limits, principal))
    return { verdict, lease: undefined };
  const now = advance(tally, nowMs);
  const day = dayOf(now);
  countDay(tally, day, count);
  if (verdict.minuteLimit !== NO_LIMIT)
    log((tally.leased ??= { times: [], counts: [] }), now, verdict.minuteLimit, count);
  return { verdict, lease: { count, day, lastsMs: Math.min(LEASE_MS, startOf(day + 1) - now) } };
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

/** Whole seconds until the oldest entry of a log is forgotten. */
function untilForgotten({ times: [oldest] }: Log, keptMs: number, now: number): number {
  if (oldest === undefined) return Infinity;
  return Math.min(keptMs / 1000, Math.max(1, Math.ceil((oldest + keptMs - now) / 1000)));
}

/** Whether the tally says nothing any more, and may be forgotten. */
export function isSpent({ days, times, leased = NO_LOG }: Tally, nowMs: number): boolean {
  const isOver = (time = 0, keptMs: number) => time <= nowMs - keptMs;
  const isQuiet = isOver(times.at(-1), MINUTE_MS) && isOver(leased.times.at(-1), LEASE_KEPT_MS);
  return (days[0]?.day ?? 0) < dayOf(nowMs) && isQuiet;
}

/** Brings the logs of the last minute to the present, and gives the time that counts as the present. */
function advance(tally: Tally, nowMs: number): number {
  const { leased = NO_LOG } = tally;
  const last = Math.max(tally.times.at(-1) ?? nowMs, leased.times.at(-1) ?? nowMs);
  const now = last - nowMs > MINUTE_MS ? nowMs : Math.max(nowMs, last);
  bringTo(now, tally, MINUTE_MS);
  bringTo(now, leased, LEASE_KEPT_MS);
  return now;
}

/** Forgets what is logged for longer than so many milliseconds, and makes one entry of all that is later than now. */
function bringTo(now: number, { times, counts }: Log, keptMs: number): void {
  if ((times.at(-1) ?? now) > now) {
    const first = times.findIndex((time) => time > now);
    times.splice(first, times.length, now);
    counts.push(sum(counts.splice(first)));
  }
  let gone = 0;
  while (gone < times.length && (times[gone] ?? 0) <= now - keptMs) gone++;
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

function log({ times, counts }: Log, now: number, minuteLimit: number, count: number): void {
  const slot = slotMs(minuteLimit);
  const time = now - (now % slot) + slot - 1;
  const last = times.length - 1;
  if ((times[last] ?? 0) >= time) counts[last] = (counts[last] ?? 0) + count;
  else {
    times.push(time);
    counts.push(count);
  }
}
