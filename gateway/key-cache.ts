import { LRUCache } from 'lru-cache';
import { type KeyRecord, keyPath, parseKeyRecord } from '../contract/key-record.ts';
import type { KeyStore } from './home.ts';
import { SingleFlight } from './single-flight.ts';
import { andThen, type MaybePromise } from './maybe-promise.ts';

/** How long an absence is cached: a new key may be unknown for this long. */
const ABSENT_MS = 5000;

/** Absences are cached separately: anyone can invent keys, and they must not evict records. */
const RECORDS_KEPT = 10_000;
const ABSENCES_KEPT = 5000;

/** A home's access to the files of keys. */
export interface KeyFiles {
  /** SHA-256 in hexadecimal. */
  hashOf(key: string): MaybePromise<string>;
  /** The text of a file, or null. */
  read(path: string): MaybePromise<string | null>;
}

/**
 * A cache of key records. `find` throws SyntaxError if a record is malformed, and the errors of `read`.
 *
 * @param believedMs how long a record is cached, 30 seconds at most: a revoked key may still work for this long
 */
export function keyCache(files: KeyFiles, believedMs: number): KeyStore {
  // Reads the clock at each look-up: caching the time needs a timer, which costs more and which a Worker does not have.
  const clock = { ttlResolution: 0, perf: { now: () => Date.now() } };
  const records = new LRUCache<string, KeyRecord>({ max: RECORDS_KEPT, ttl: believedMs, ...clock });
  const absences = new LRUCache<string, true>({ max: ABSENCES_KEPT, ttl: ABSENT_MS, ...clock });
  const reading = new SingleFlight<KeyRecord | null>();

  function read(sha256: string): MaybePromise<KeyRecord | null> {
    const start = Date.now();
    return andThen(files.read(keyPath(sha256)), (text) => {
      const record = text === null ? null : parseKeyRecord(text);
      if (record) records.set(sha256, record, { start });
      else absences.set(sha256, true, { start });
      return record;
    });
  }

  return {
    now: () => Date.now(),
    find: (key) =>
      andThen(files.hashOf(key), (sha256) => {
        const known = records.get(sha256) ?? (absences.has(sha256) ? null : undefined);
        return known === undefined ? reading.run(sha256, () => read(sha256)) : known;
      }),
  };
}
