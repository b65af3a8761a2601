import type { QuotaCounter } from '../home.ts';

/** A counter whose counts outlive the process, and the addresses it counts by. */
export interface DurableCounter extends QuotaCounter {
  /**
   * Calls back when every request counted so far is safe; at once where all are. With an error, what was
   * counted is not safe: such a request must not be answered as if it were.
   */
  whenSaved(callback: (error: unknown) => void): void;

  /** The id of an address: a keyed hash, so that addresses themselves are nowhere kept. */
  addressId(address: string): string;

  close(): void;
}
