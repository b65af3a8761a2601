import { countsOfDay } from './counts-of-day.ts';
import type { Charged } from './prices.ts';

/** Counted, not assumed: tests check each of these as an upper bound. */
export const COUNTS = {
  /** Per request that a warm isolate answers, if it comes alone. */
  request: { objectRequests: 1, rowsWritten: 1, rowsRead: 1 },
  /** Per burst of this many requests; and if it has fewer: a call and a row more, for the exact count. */
  burst: { requests: 5, rowsWritten: 2, settled: { objectRequests: 1, rowsWritten: 1 } },
  /** Each isolate that has requests reads the pointer at most once in this many seconds. */
  pointerSeconds: 5,
  /** Reads of a key's record: once per burst of requests, in each isolate. */
  readsOfKey: 1,
  /** Per publish of one new post: objects written (including the pointer), listings, reads. */
  publish: { puts: 40, lists: 1, gets: 1 },
  /** Files of an export that a new post writes. Each 250th also writes the search index (bench/README.md). */
  exportedFiles: 60,
  /** Rows per principal and day: setting the alarm, and what the alarm removes. */
  principalDay: { objectRequests: 1, rowsWritten: 2 },
} as const;

/** Estimates, on the high side: only a bill could confirm them. */
export const GUESSES = {
  /** CPU time of a request in the Worker. On Node the core alone, with HTTP, takes 0.07 ms. */
  cpuMs: 2,
  /** How long a request keeps a Durable Object active, and its memory, as billed. */
  objectMs: 5,
  objectGb: 0.128,
  /** Objects that an isolate reads until everything its callers ask for is in memory. */
  readsUntilWarm: 30,
  /** The lifetime of an isolate. */
  isolateHours: 1,
  /**
   * The storage of a Durable Object, and the number of days for which objects of principals exist at the same time.
   */
  principalGb: 0.000_012,
  principalDays: 2,
  /** The size of the bucket. */
  bucketGb: 1,
  /** The share of requests for plain files that miss the CDN and reach the bucket. */
  missed: 0.1,
} as const;

/** The traffic of a month. */
export interface Traffic {
  readonly requests: number;
  readonly publishes: number;
  /** Isolates that share the requests, at any time. */
  readonly isolates: number;
  /** Cloudflare locations with such isolates. */
  readonly places: number;
  /** False: no caller has limits, so nothing is counted. */
  readonly isCounted: boolean;
  /** The share of requests with a key. */
  readonly keyed: number;
  /** The number of requests that a caller sends at most two seconds apart. */
  readonly burst: number;
  /** Whether that is an average, of random lengths. */
  readonly isRandom?: boolean;
  /** Requests of a principal per day, on days with requests. */
  readonly perPrincipalDay: number;
}

const DAYS = 30;
const SECONDS = DAYS * 86_400;

export type Usage = Readonly<Record<Charged, number>>;

/** The billable usage of a month of traffic. */
export function usageOf(traffic: Traffic): Usage {
  const { requests, publishes } = traffic;
  const principalDays = traffic.isCounted ? requests / traffic.perPrincipalDay : 0;
  const { pointer, keys, cold } = bucketReads(traffic);
  const { calls, rows } = countsOf(traffic);
  const objectRequests = calls + principalDays * COUNTS.principalDay.objectRequests;
  return {
    requests,
    cpuMs: requests * GUESSES.cpuMs,
    objectRequests,
    objectGbSeconds: (objectRequests * GUESSES.objectMs * GUESSES.objectGb) / 1000,
    rowsWritten: rows + principalDays * COUNTS.principalDay.rowsWritten,
    rowsRead: calls * COUNTS.request.rowsRead,
    objectGb: (principalDays / DAYS) * GUESSES.principalDays * GUESSES.principalGb,
    classA: publishes * (COUNTS.publish.puts + COUNTS.publish.lists),
    classB: pointer + keys + cold + publishes * COUNTS.publish.gets,
    bucketGb: GUESSES.bucketGb,
  };
}

/** Calls of Durable Objects, and rows for them: one per request, less for bursts. */
function countsOf(traffic: Traffic): { readonly calls: number; readonly rows: number } {
  const { requests, isCounted, perPrincipalDay } = traffic;
  if (!isCounted) return { calls: 0, rows: 0 };
  const { rows, settled } = countsOfDay(traffic);
  const days = requests / perPrincipalDay;
  return { calls: requests + days * settled, rows: days * rows };
}

/** The usage of a month of requests for plain files in a bucket, behind a CDN that caches them. No Worker runs. */
export function plainFilesUsage({ requests, publishes }: Traffic): Usage {
  return {
    ...{ requests: 0, cpuMs: 0, objectRequests: 0, objectGbSeconds: 0 },
    ...{ rowsWritten: 0, rowsRead: 0, objectGb: 0 },
    classA: publishes * COUNTS.exportedFiles,
    classB: requests * GUESSES.missed,
    bucketGb: GUESSES.bucketGb,
  };
}

/** The number of bucket reads by a Worker. */
export function bucketReads({ requests, publishes, isolates, places, keyed, burst }: Traffic) {
  // Requests reach a location at random, at a given rate per second. A read of the pointer is reused for the next
  // seconds, so the share of requests that read it is 1 / (1 + rate × seconds).
  const rate = requests / SECONDS / places;
  const starts = isolates * ((DAYS * 24) / GUESSES.isolateHours);
  return {
    pointer: requests / (1 + rate * COUNTS.pointerSeconds),
    keys: ((requests * keyed) / burst) * COUNTS.readsOfKey,
    // A new isolate has an empty cache. After a publish, each isolate reads at most the new objects.
    cold: (starts + isolates * publishes) * GUESSES.readsUntilWarm,
  };
}
