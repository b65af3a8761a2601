/** How tests and the watched Worker speak to each other. */

export const WATCH_PATH = '/watch';

/** How long a slow read takes. */
export const SLOW_MS = 2000;

/** What the Worker asked of the platform since it was last asked. */
export interface Counts {
  /** R2 Class B operations. */
  readonly bucketReads: number;
  /** The keys of these, in order. */
  readonly keys: readonly string[];
  readonly cacheReads: number;
  readonly cacheWrites: number;
  readonly objectRequests: number;
  readonly rowsWritten: number;
  readonly rowsRead: number;
}

export const NO_COUNTS: Counts = {
  ...{ bucketReads: 0, keys: [], cacheReads: 0, cacheWrites: 0 },
  ...{ objectRequests: 0, rowsWritten: 0, rowsRead: 0 },
};

/** Something that fails, so many times. */
export interface Fault {
  /**
   * `call` fails before a Durable Object is reached, `answer` after it has counted, `write` in its SQLite.
   * `pointer` does not fail: it gives another pointer. `slow` takes SLOW_MS.
   * `hang` is a call of a Durable Object that never comes back, or a read.
   */
  readonly at: 'bucket' | 'cache' | 'call' | 'answer' | 'write' | 'pointer' | 'slow' | 'hang';
  readonly times: number;
  /** A part of the key that is read, or of the principal that is counted. */
  readonly key?: string;
  /** What the pointer says. */
  readonly text?: string;
}

export interface Command {
  /** Only gives the counts, and does not begin them anew. */
  readonly goOn?: boolean;
  /** Begins with a new isolate: nothing is in memory. */
  readonly forget?: boolean;
  /** Begins at another place: nothing is in the Cache API. */
  readonly emptyCache?: boolean;
  readonly faults?: readonly Fault[];
  /** Milliseconds by which all clocks are ahead from now on. */
  readonly clockOffset?: number;
  /** Asks what is kept of this principal, after its alarm where `clear` is set. */
  readonly principal?: string;
  readonly clear?: boolean;
  /** Counts a request of this id for the principal, by a call of its Durable Object; gives what it says. */
  readonly request?: string;
  /** Ends the Durable Object of the principal: what was in its memory is gone. */
  readonly restart?: boolean;
}

/** What a Durable Object keeps. */
export interface Kept {
  readonly tables: number;
  /** When its alarm is due, in ms since 1970. */
  readonly alarm: number | null;
}
