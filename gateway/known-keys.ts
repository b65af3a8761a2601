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

/**
 * Key records, each read once in a while. `find` throws SyntaxError where a record is none, and what reading throws.
 *
 * @param believedMs how long a record is believed: so long can a revoked key still work, and 30 seconds at most
 */
export function knownKeys(files: KeyFiles, believedMs: number): KeyStore {
  // The clock is read at each look-up: a timer that spares this would take longer, and a Worker has none.
  const clock = { ttlResolution: 0, perf: { now: () => Date.now() } };
  const records = new LRUCache<string, KeyRecord>({ max: RECORDS_KEPT, ttl: believedMs, ...clock });
  const absences = new LRUCache<string, true>({ max: ABSENCES_KEPT, ttl: ABSENT_MS, ...clock });
  const reading = new SingleFlight<KeyRecord | null>();

  function read(sha256: string): Soon<KeyRecord | null> {
    const start = Date.now();
    return andThen(files.read(keyPath(sha256)), (text) => {
      const record = text === null ? null : parseKeyRecord(text);
      if (record) records.set(sha256, record, { start });
      else absences.set(sha256, true, { start });
      return record;
    });
  }

  return {
    find: (key) =>
      andThen(files.hashOf(key), (sha256) => {
        const known = records.get(sha256) ?? (absences.has(sha256) ? null : undefined);
        return known === undefined ? reading.run(sha256, () => read(sha256)) : known;
      }),
  };
}
