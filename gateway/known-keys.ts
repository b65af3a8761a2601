import { LRUCache } from 'lru-cache';
import { type KeyRecord, keyPath, parseKeyRecord } from '../contract/key-record.ts';
import type { KeyStore } from './home.ts';
import { SingleFlight } from './single-flight.ts';
import { andThen, type Soon } from './soon.ts';

/** How long a key stays unknown that was looked for before it was made. */
const ABSENT_MS = 5000;

/** Records that are kept in memory, and absences, which anyone can make up: apart, so that these push out none of those. */
const RECORDS_KEPT = 10_000;
const ABSENCES_KEPT = 5000;

/** Where a home has the files of keys. */
export interface KeyFiles {
  /** SHA-256 in hexadecimal. */
  hashOf(key: string): Soon<string>;
  /** The text of a file, or null where there is none. */
  read(path: string): Soon<string | null>;
}

/** Key records, each read once in a while. */
export class KnownKeys implements KeyStore {
  readonly #files: KeyFiles;
  readonly #records: LRUCache<string, KeyRecord>;
  readonly #absences: LRUCache<string, true>;
  readonly #reading = new SingleFlight<KeyRecord | null>();

  /** @param believedMs how long a record is believed: so long can a revoked key still work, and 30 seconds at most */
  constructor(files: KeyFiles, believedMs: number) {
    this.#files = files;
    // The clock is read at each look-up: a timer that spares this would take longer, and a Worker has none.
    const clock = { ttlResolution: 0, perf: { now: () => Date.now() } };
    this.#records = new LRUCache({ max: RECORDS_KEPT, ttl: believedMs, ...clock });
    this.#absences = new LRUCache({ max: ABSENCES_KEPT, ttl: ABSENT_MS, ...clock });
  }

  /** @throws SyntaxError where the record is none, and what reading throws */
  find(key: string): Soon<KeyRecord | null> {
    return andThen(this.#files.hashOf(key), (sha256) => {
      const known = this.#records.get(sha256) ?? (this.#absences.has(sha256) ? null : undefined);
      return known === undefined ? this.#reading.run(sha256, () => this.#read(sha256)) : known;
    });
  }

  #read(sha256: string): Soon<KeyRecord | null> {
    const start = Date.now();
    return andThen(this.#files.read(keyPath(sha256)), (text) => {
      if (text === null) {
        this.#absences.set(sha256, true, { start });
        return null;
      }
      const record = parseKeyRecord(text);
      this.#records.set(sha256, record, { start });
      return record;
    });
  }
}
