import type { Limits } from '../../contract/policy.ts';
import type { QuotaCounter } from '../home.ts';
import type { MaybePromise } from '../maybe-promise.ts';

/** What counts for the HTTP server: a database of this process, or one of many. */
export interface ServerCounter extends QuotaCounter {
  /** The id of an address: a keyed hash, so that addresses themselves are not stored. */
  addressId(address: string): MaybePromise<string>;
  /**
   * Calls back when all counts so far are stored. With an error, they are not, and the request must not be answered normally.
   */
  whenSaved(callback: (error: unknown) => void): void;
  /** Whether counts can be read and written. */
  isUsable(limits: Limits): Promise<boolean>;
  /** Writes a removed database again. @returns whether it was removed */
  restore(): boolean;
  close(): MaybePromise<void>;
}
