import type { Charged } from './prices.ts';

/** What is counted, not assumed: tests hold each of these as a bound. */
export const COUNTS = {
  /** Of a request that is answered from a warm isolate. */
  request: { objectRequests: 1, rowsWritten: 1, rowsRead: 1 },
  /** So many requests of a caller with a lease cost a call and a row: above 10,000 a day, at one isolate. */
  leasedBurst: { requests: 5 },
  /** One read at most in so many seconds, of each isolate that has requests. */
  pointerSeconds: 5,
  /** A key's record is read once in a burst of requests, of each isolate. */
  readsOfKey: 1,
  /** Of one new post: files put (the pointer among them), listings, reads. */
  publish: { puts: 40, lists: 1, gets: 1 },
  /** Files of an export that change with a new post, at 10,000 posts (bench/exporting). */
  exportedFiles: 2281,
  /** Of each principal on each day: its table (2 rows), the alarm that is set, and what it removes. */
  principalDay: { objectRequests: 1, rowsWritten: 4 },
} as const;

/** What cannot be counted without a bill, and is guessed high. */
export const GUESSES = {
  /** Processor time of a request in the Worker. The core alone takes 0.07 ms on Node, with HTTP. */
  cpuMs: 2,
  /** How long a Durable Object is awake for a request, and its memory, as it is billed. */
  objectMs: 5,
  objectGb: 0.128,
  /** Objects that an isolate reads until all that its callers ask for is in its memory. */
  readsUntilWarm: 30,
  /** So long an isolate lives. */
  isolateHours: 1,
  /** The storage of a Durable Object, and how many days' principals have one at a time. */
  principalGb: 0.000_012,
  principalDays: 2,
  /** All that is in the bucket. */
  bucketGb: 1,
  /** Of requests for plain files in a bucket behind the CDN, the share that the CDN does not have. */
  missed: 0.1,
} as const;

/** A month. */
export interface Traffic {
  readonly requests: number;
  readonly publishes: number;
  /** Isolates that requests are spread over, at any time. */
  readonly isolates: number;
  /** Places of Cloudflare where these are. */
  readonly places: number;
  /** False: no caller has a limit, so none is counted. */
  readonly isCounted: boolean;
  /** The share of requests that come with a key. */
  readonly keyed: number;
  /** Requests that a caller sends within seconds of each other. */
  readonly burst: number;
  /** Isolates that the requests of a burst reach, at random, where callers have leases; undefined: none has. */
  readonly leasedAt?: number;
  /** Requests of one principal on a day on which it sends any. */
  readonly perPrincipalDay: number;
}

const DAYS = 30;
const SECONDS = DAYS * 86_400;

export type Usage = Readonly<Record<Charged, number>>;

/** What a month of traffic uses of each thing that is charged. */
export function usageOf(traffic: Traffic): Usage {
  const { requests, publishes } = traffic;
  const principalDays = traffic.isCounted ? requests / traffic.perPrincipalDay : 0;
  const { pointer, keys, cold } = bucketReads(traffic);
  const counts = countsOf(traffic);
  const objectRequests =
    counts * COUNTS.request.objectRequests + principalDays * COUNTS.principalDay.objectRequests;
  return {
    requests,
    cpuMs: requests * GUESSES.cpuMs,
    objectRequests,
    objectGbSeconds: (objectRequests * GUESSES.objectMs * GUESSES.objectGb) / 1000,
    rowsWritten: counts * COUNTS.request.rowsWritten + principalDays * COUNTS.principalDay.rowsWritten,
    rowsRead: counts * COUNTS.request.rowsRead,
    objectGb: (principalDays / DAYS) * GUESSES.principalDays * GUESSES.principalGb,
    classA: publishes * (COUNTS.publish.puts + COUNTS.publish.lists),
    classB: pointer + keys + cold + publishes * COUNTS.publish.gets,
    bucketGb: GUESSES.bucketGb,
  };
}

/**
 * Counts by Durable Objects: of each request, or of each isolate that a burst reaches. A lease begins with so many
 * requests as tests count, so a longer burst is cut.
 */
function countsOf({ requests, burst, leasedAt, isCounted }: Traffic): number {
  if (!isCounted) return 0;
  if (leasedAt === undefined) return requests;
  const length = Math.min(burst, COUNTS.leasedBurst.requests);
  return (requests / length) * leasedAt * (1 - (1 - 1 / leasedAt) ** length);
}

/** What a month of requests for plain files in a bucket uses, behind a CDN that keeps them: no Worker runs. */
export function plainFilesUsage({ requests, publishes }: Traffic): Usage {
  return {
    ...{
      requests: 0,
      cpuMs: 0,
      objectRequests: 0,
      objectGbSeconds: 0,
      rowsWritten: 0,
      rowsRead: 0,
      objectGb: 0,
    },
    classA: publishes * COUNTS.exportedFiles,
    classB: requests * GUESSES.missed,
    bucketGb: GUESSES.bucketGb,
  };
}

/** Where a Worker's reads of the bucket come from. */
export function bucketReads({ requests, publishes, isolates, places, keyed, burst }: Traffic) {
  // Requests come to a place at random, so many a second. One that reads the pointer spares those of the
  // next seconds the reading: reads are then one in (1 + rate × seconds) requests.
  const rate = requests / SECONDS / places;
  const starts = isolates * ((DAYS * 24) / GUESSES.isolateHours);
  return {
    pointer: requests / (1 + rate * COUNTS.pointerSeconds),
    keys: ((requests * keyed) / burst) * COUNTS.readsOfKey,
    // A new isolate has nothing in its memory; after a publish each lacks what is new, at most as much.
    cold: (starts + isolates * publishes) * GUESSES.readsUntilWarm,
  };
}
