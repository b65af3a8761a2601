import { formatDay } from '../../contract/day.ts';
import type { UsageCount } from './usage-log.ts';

/** Answers by their meaning to an operator. */
export const ANSWERS = ['answered', 'unchanged', 'refused', 'limited', 'failed'] as const;
export type RequestOutcome = (typeof ANSWERS)[number];

/** A group of requests: their number, and that of each kind of answer. */
type Answers = Readonly<Record<RequestOutcome | 'requests', number>>;

/** One account on one day. */
interface AccountDay extends Answers {
  /** `2026-11-21`, UTC. */
  readonly day: string;
  /** Null: all callers without a key, as one. */
  readonly account: string | null;
}

/** The requests of one name in a ranking. */
interface Share {
  readonly name: string;
  readonly requests: number;
}

/** Requests in a number of days. */
export interface UsageSummary {
  readonly from: string;
  readonly to: string;
  readonly requests: number;
  /** Each day, also one without a request. */
  readonly days: readonly ({ readonly day: string } & Answers)[];
  /** By day, newest first, then by requests, most first. */
  readonly accounts: readonly AccountDay[];
  readonly endpoints: readonly Share[];
  readonly statuses: readonly Share[];
  /** Callers without a key share one entry, with null. */
  readonly keys: readonly {
    readonly key: string | null;
    readonly account: string | null;
    readonly requests: number;
  }[];
}

/**
 * Sums up counts.
 *
 * @param today the last day of the summary, UTC days since 1970
 * @param length in days
 */
export function summarise(counts: readonly UsageCount[], today: number, length: number): UsageSummary {
  const first = today - length + 1;
  const within = counts.filter(({ day }) => day >= first && day <= today);
  const days = Array.from({ length }, (_, i) => {
    return { day: formatDay(first + i), ...sumAnswers(within.filter(({ day }) => day === first + i)) };
  });
  const byAccountDay = Map.groupBy(within, ({ day, account }) => `${day} ${account}`);
  const accounts = [...byAccountDay.values()].map((group): AccountDay => {
    const [{ day, account } = NONE] = group;
    return { day: formatDay(day), account: account || null, ...sumAnswers(group) };
  });
  const keys = [...Map.groupBy(within, ({ key, account }) => `${key} ${account}`).values()].map((group) => {
    const [{ key, account } = NONE] = group;
    return { key: key || null, account: account || null, requests: sumRequests(group) };
  });
  return {
    from: formatDay(first),
    to: formatDay(today),
    requests: sumRequests(within),
    days,
    accounts: accounts.sort(
      (a, b) => compare(b.day, a.day) || b.requests - a.requests || compare(a.account ?? '', b.account ?? ''),
    ),
    endpoints: shares(within, ({ endpoint }) => endpoint),
    statuses: shares(within, ({ status }) => String(status)),
    keys: keys.sort((a, b) => b.requests - a.requests || compare(a.key ?? '', b.key ?? '')),
  };
}

/** 304 is an answer too: the caller had it already. */
export function answerKind(status: number): RequestOutcome {
  if (status === 304) return 'unchanged';
  if (status === 429) return 'limited';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'answered';
}

const NONE = { day: 0, account: '', key: '' };

function sumAnswers(counts: readonly UsageCount[]): Answers {
  const sum = { requests: 0, answered: 0, unchanged: 0, refused: 0, limited: 0, failed: 0 };
  for (const { status, requests } of counts) {
    sum.requests += requests;
    sum[answerKind(status)] += requests;
  }
  return sum;
}

function shares(counts: readonly UsageCount[], getName: (count: UsageCount) => string): Share[] {
  return [...Map.groupBy(counts, getName)]
    .map(([name, group]) => ({ name, requests: sumRequests(group) }))
    .sort((a, b) => b.requests - a.requests || compare(a.name, b.name));
}

function sumRequests(counts: readonly UsageCount[]): number {
  return counts.reduce((sum, { requests }) => sum + requests, 0);
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
