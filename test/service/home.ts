import type { Blog } from './blogs.ts';

/** A limit for each kind of caller; null: none. */
export interface ByKind {
  readonly address?: number | null;
  readonly user?: number | null;
  readonly admin?: number | null;
}

/** What a settings file may hold. */
export interface Settings {
  readonly site?: {
    readonly name?: string;
    readonly url?: string;
    readonly paths?: { readonly post?: string; readonly category?: string; readonly tag?: string };
  };
  readonly limits?: {
    readonly day?: ByKind;
    readonly minute?: number | null | ByKind;
  };
  readonly api_url?: string | null;
  readonly trusted_proxies?: number;
  readonly cron?: string;
}

/** A platform that Offprint runs on, as the tests see it: it turns a blog into a running service. */
export interface Home {
  readonly name: string;
  /** Exports `blog` and serves it. Everything the service keeps is its own, and gone after `close`. */
  serve(blog: Blog, settings?: Settings): Promise<Service>;
}

/** A running service, and what its operator can do with it. */
export interface Service {
  /** Scheme, host and port; another one after `restart`. */
  readonly url: string;
  /** All that the service has printed since it was opened. */
  readonly log: string;
  /** The folder with everything the service keeps: blog, snapshot, keys, counts. */
  readonly folder: string;
  /** Whether each request reaches the service, however broken it is. A platform before it may answer some. */
  readonly hearsEverything: boolean;
  /** The headers by which a request comes from this address. */
  from(address: string): Record<string, string>;
  createKey(wish: KeyWish): Promise<CreatedKey>;
  /** Takes a key away. It may work for 30 seconds more. */
  revokeKey(prefix: string): Promise<void>;
  /** Takes a key away and gives another in its place. */
  rotateKey(prefix: string): Promise<CreatedKey>;
  /** Ends the service as an operator does, after the requests it has in hand. */
  stop(): Promise<void>;
  /** Ends the service at once, as a power cut does. */
  kill(): Promise<void>;
  /** Starts it again after `stop` or `kill`, with all that it had kept. */
  restart(): Promise<void>;
  /** Ends it and removes its folder. */
  close(): Promise<void>;
}

export interface KeyWish {
  readonly account: string;
  readonly name: string;
  /** All permissions, if not given. */
  readonly scopes?: readonly string[];
  readonly admin?: boolean;
}

export interface CreatedKey {
  readonly key: string;
  readonly prefix: string;
  readonly account: string;
  readonly name: string;
  readonly scopes: readonly string[];
}
