/**
 * The protocol between tests and the watched Worker.
 */

export const WATCH_PATH = '/watch';

/** Calls of the platform since the last query. */
export interface Counts {
  /** R2 Class B operations. */
  readonly bucketReads: number;
  /** How many of these found the file unchanged. */
  readonly unchanged: number;
  /** The keys of these, in order. */
  readonly keys: readonly string[];
  readonly cacheReads: number;
  readonly cacheWrites: number;
  /** Without calls to settle, and the rows of these. */
  readonly objectRequests: number;
  readonly rowsWritten: number;
  readonly rowsRead: number;
  /** The principals that were settled. */
  readonly settled: readonly string[];
}

export const NO_COUNTS: Counts = {
  bucketReads: 0,
  unchanged: 0,
  keys: [],
  cacheReads: 0,
  cacheWrites: 0,
  objectRequests: 0,
  rowsWritten: 0,
  rowsRead: 0,
  settled: [],
};

/** A fault, and how often it happens. */
export interface Fault {
  /**
   * `call` fails before a Durable Object is reached, `answer` after it has counted, `write` in its SQLite.
   * `pointer` does not fail: it returns another pointer. `slow`: a read waits until a command replaces the faults.
   * `hang`: a Durable Object call or a read never returns.
   */
  readonly at: 'bucket' | 'cache' | 'call' | 'answer' | 'write' | 'pointer' | 'slow' | 'hang';
  readonly times: number;
  /** A part of the key that is read, or of the principal that is counted. */
  readonly key?: string;
  /** The content of the pointer. */
  readonly text?: string;
}

export interface Command {
  /** Only returns the counts, without resetting them. */
  readonly goOn?: boolean;
  /** Simulates a new isolate: memory is empty. */
  readonly forget?: boolean;
  /** Simulates another location: the Cache API is empty. */
  readonly emptyCache?: boolean;
  readonly faults?: readonly Fault[];
  /** Milliseconds to advance all clocks by. */
  readonly clockOffset?: number;
  /** Stops all clocks at this time, in ms since 1970, but for `clockOffset`; 0: they go on. */
  readonly clock?: number;
  /** Returns what is stored for this principal; with `clear`, after its alarm. */
  readonly principal?: string;
  readonly clear?: boolean;
  /** Counts a request with this id for the principal, by a call of its Durable Object; returns its answer. */
  readonly request?: string;
  /** Ends the principal's Durable Object: its memory is lost. */
  readonly restart?: boolean;
}

/** What a Durable Object stores. */
export interface Kept {
  readonly rows: number;
  /** Rows written since the object was created in memory, without alarms. */
  readonly written: number;
  /** When its alarm is due, in ms since 1970. */
  readonly alarm: number | null;
}
