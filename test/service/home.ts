import type { Blog } from './blogs.ts';

/** A limit by plan; null: none. */
export type ByPlan = Readonly<Record<string, number | null>>;

/** What a settings file may hold. */
export interface Settings {
  readonly blog?: string;
  readonly site?: {
    readonly name?: string;
    readonly url?: string;
    readonly paths?: { readonly post?: string; readonly category?: string; readonly tag?: string };
  };
  readonly limits?: {
    readonly day?: ByPlan;
    readonly minute?: number | null | ByPlan;
  };
  readonly api_url?: string | null;
  readonly trusted_proxies?: number;
  readonly cron?: string;
}

/** A platform that Offprint runs on. For tests, it turns a blog into a running service. */
export interface Home {
  readonly name: string;
  /** Exports `blog` and serves it. The service has its own files, which `close` removes. */
  serve(blog: Blog, settings?: Settings): Promise<Service>;
}

/** A running service, and its operator's actions. */
export interface Service {
  /** Scheme, host and port; may change with `restart`. */
  readonly url: string;
  /** All output of the service since it was opened. */
  readonly log: string;
  /** The folder of the service: blog, snapshot, keys, counts. */
  readonly folder: string;
  /** Whether every request reaches the service, even malformed ones, which a platform in front of it may answer. */
  readonly receivesRawRequests: boolean;
  /** The headers for a request from this address. */
  from(address: string): Record<string, string>;
  createKey(wish: KeyWish): Promise<CreatedKey>;
  /** Gives an account another plan, within 30 seconds. */
  setPlan(account: string, plan: string): Promise<void>;
  /** Revokes a key. It may work for 30 seconds more. */
  revokeKey(prefix: string): Promise<void>;
  /** Revokes a key and creates a new one like it. */
  rotateKey(prefix: string): Promise<CreatedKey>;
  /** Stops the service, after the pending requests. */
  stop(): Promise<void>;
  /** Kills the service at once, like a power failure. */
  kill(): Promise<void>;
  /** Starts it again after `stop` or `kill`, with all its data. */
  restart(): Promise<void>;
  /** Stops it and removes its folder. */
  close(): Promise<void>;
}

export interface KeyWish {
  readonly account: string;
  readonly name: string;
  /** Default: all permissions. */
  readonly scopes?: readonly string[];
  readonly plan?: string;
  readonly expires?: string;
}

export interface CreatedKey {
  readonly key: string;
  readonly prefix: string;
  readonly account: string;
  readonly name: string;
  readonly scopes: readonly string[];
}
