/**
 * What a home provides to the gateway's core. `node/` and `worker/` implement these interfaces; the core imports neither.
 */
import type { KeyRecord } from '../contract/key-record.ts';
import type { LineRecord } from '../contract/lines.ts';
import type { ObjectHash } from '../contract/object-name.ts';
import type { Limits } from '../contract/policy.ts';
import type { ObjectKind } from '../contract/object-kinds.ts';
import type { Caller } from './caller.ts';
import type { Verdict } from './quota.ts';
import type { MaybePromise } from './maybe-promise.ts';
import type { Sharing } from './single-flight.ts';

/** Where snapshots are read from. */
export interface SnapshotStore {
  /** How requests share reads, and what is made from them; undefined: they wait for the same promise. */
  readonly sharing?: Sharing | undefined;

  /**
   * The pointer's text as it is now.
   *
   * @param since milliseconds since 1970: a copy read after this time will do, if it is cheaper
   */
  readPointer(since?: number): Promise<string>;

  /** An object's bytes, the caller's own; null if it does not exist. Objects never change. */
  readObject(kind: ObjectKind, hash: ObjectHash): MaybePromise<Uint8Array<ArrayBuffer> | null>;

  /**
   * Some records of lines without the others, if the store can read them so. Without a promise they are valid until the
   * next call, which may overwrite their bytes.
   *
   * @throws ObjectUnreadable
   */
  readRecords?(hash: ObjectHash, indexes: readonly number[]): MaybePromise<readonly LineRecord[]>;

  /** The name of an object with these bytes: from their SHA-256 (contract/object-name.ts). */
  hashObject(bytes: Uint8Array<ArrayBuffer>): MaybePromise<ObjectHash>;
}

/** Where key records are looked up. */
export interface KeyStore {
  /**
   * The record of a key; null: it is malformed or unknown. It may be up to 30 seconds old. The look-up is by a hash, so its
   * timing reveals nothing about other keys.
   */
  find(key: string): MaybePromise<KeyRecord | null>;

  /** The clock by which keys expire: milliseconds since 1970. */
  now(): number;
}

/** Counts requests: exactly, under any concurrency and across restarts. */
export interface QuotaCounter {
  /** Counts one request, unless it is refused. */
  count(principal: Principal, limits: Limits): MaybePromise<Verdict>;

  /** A dry run of `count`. */
  peek(principal: Principal, limits: Limits): MaybePromise<Verdict>;
}

/** The account or address that a request counts against. */
export interface Principal {
  /** `account:NAME`, or `address:` and a keyed hash. */
  readonly id: string;
  /** The name of its limits (contract/policy.ts). */
  readonly plan: string;
}

/** A request, independent of the platform. */
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
  /** The id to count the caller's address by: `address:` and a keyed hash. */
  addressId(): MaybePromise<string>;
  /** Called when the caller is known. @param isCounted whether the request counts against its quota */
  onIdentified?(caller: Caller, isCounted: boolean): void;
  /** Its entry in a log, if requests are logged. */
  readonly log?: { readonly id: string } | undefined;
}

/** Receives unexpected errors. */
export interface Reporter {
  /** An error that became a 500. */
  reportError(error: unknown, request: Pick<GatewayRequest, 'method' | 'target' | 'log'>): void;
}
