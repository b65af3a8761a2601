/** The Web's `fetch`, or a function like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Of one call. */
export interface CallOptions {
  /** Ends the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Seconds that the call may wait in all where a limit is reached (429); 0: never. By default the client's. */
  readonly maxWait?: number | undefined;
}

/** Of a client. `signal` ends every call; `maxWait` is 60 by default. */
export interface ClientOptions extends CallOptions {
  /** The service's address, without `/api/public/v1`. */
  readonly url: string;
  /** An API key. It is sent as `Authorization: Bearer`. */
  readonly key?: string | undefined;
  /** Sends the requests, in place of the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /**
   * Whether answers are kept in memory and asked for again with their ETag. By default not in web pages: the browser's
   * cache does so there, and a header of the page's own would switch it off.
   */
  readonly revalidate?: boolean | undefined;
}
