/**
 * What a home gives the gateway's core: three small interfaces and a few words. `node/` and `worker/`
 * each implement them; the core imports from neither.
 */
import type { KeyRecord } from '../contract/key-record.ts';
import type { ObjectHash } from '../contract/object-name.ts';
import type { CallerKind, Limits } from '../contract/policy.ts';
import type { ObjectKind } from '../contract/object-kinds.ts';
import type { Pack } from '../contract/pack.ts';
import type { Caller } from './caller.ts';
import type { Verdict } from './quota.ts';
import type { Soon } from './soon.ts';

/** Where snapshots are read from. */
export interface SnapshotStore {
  /**
   * The pointer's text as it is now.
   *
   * @param since milliseconds since 1970: also as it was at any moment since then, where that is known for less
   */
  readPointer(since?: number): Promise<string>;

  /** An object's bytes, or null where there is none of that name. Objects never change. */
  readObject(kind: ObjectKind, hash: ObjectHash): Promise<Uint8Array<ArrayBuffer> | null>;

  /**
   * The articles of a page of positions in one read, where the store has them so; null: it has not.
   *
   * @param name the hash of articlePackName (contract/pack.ts)
   */
  readArticles?(name: ObjectHash): Promise<Pack | null>;

  /** The name that an object of these bytes has: from their SHA-256 (contract/object-name.ts). */
  hashOf(bytes: Uint8Array<ArrayBuffer>): Soon<ObjectHash>;
}

/** Where key records are looked up. */
export interface KeyStore {
  /**
   * The record of a well-formed key, or null where there is none. It may be up to 30 seconds old. The
   * look-up is by the key's SHA-256, so that its time says nothing of other keys.
   */
  find(key: string): Soon<KeyRecord | null>;
}

/** Where requests are counted: exactly, under any concurrency and across restarts. */
export interface QuotaCounter {
  /** Counts one request, unless it is refused. */
  count(principal: Principal, limits: Limits): Soon<Verdict>;

  /** What `count` would find, without counting. */
  peek(principal: Principal, limits: Limits): Soon<Verdict>;
}

/** Whom a request is counted against. */
export interface Principal {
  /** `account:NAME`, or `address:` and a keyed hash. */
  readonly id: string;
  readonly kind: CallerKind;
}

/** A request, as any home can give it. */
export interface GatewayRequest {
  readonly method: string;
  /** Path and query as sent: `/api/public/v1/posts?page=2`. */
  readonly target: string;
  /**
   * A header's value; repeated lines are joined by ", ", in their order (RFC 9110, 5.2).
   *
   * @param name in lower case
   */
  header(name: string): string | undefined;
  /** The id to count the caller's address by, where it has no key: `address:` and a keyed hash. */
  addressId(): Soon<string>;
  /** Where a log is kept. */
  readonly log?: RequestLog | undefined;
}

/** A request's place in a log. */
export interface RequestLog {
  /** By which lines of the log about one request are known. */
  readonly id: string;
  /** Whose request it is. */
  identified(caller: Caller): void;
}

/** Who is told of what should not have happened. */
export interface Reporter {
  /** An error that the client saw as a 500. */
  failed(error: unknown, request: Pick<GatewayRequest, 'method' | 'target' | 'log'>): void;
}
