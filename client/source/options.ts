/** The Web's `fetch`, or a function like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Total seconds that the call may wait for rate limits (429); 0: never. Default: the client's. */
  readonly maxWait?: number | undefined;
}

/** Options of a client. `signal` aborts every call; `maxWait` is 60 by default. */
export interface ClientOptions extends CallOptions {
  /** The service's address, without `/api/public/v1`. */
  readonly url: string;
  /** An API key, sent as `Authorization: Bearer`. */
  readonly key?: string | undefined;
  /** Sends the requests, in place of the global `fetch`. */
  readonly fetch?: Fetch | undefined;
}
