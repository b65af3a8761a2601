import { LRUCache } from 'lru-cache';
import { isWellFormedKey, keyPrefix } from '../contract/api-key.ts';
import { type KeyRecord, keyPath, parseKeyRecord } from '../contract/key-record.ts';
import type { KeyStore } from './home.ts';
import { ownText } from './own-text.ts';
import { type Sharing, SingleFlight } from './single-flight.ts';
import { andThen, type MaybePromise } from './maybe-promise.ts';

/** How long an absence is cached: a new key may be unknown for this long. */
const ABSENT_MS = 5000;

/** Absences are cached separately: anyone can invent keys, and they must not evict records. */
const RECORDS_KEPT = 10_000;
const ABSENCES_KEPT = 5000;

/** The text of a key's file. */
export interface KeyFile {
  readonly text: string;
  /** When it was read, in ms since 1970. Absent: after it was asked for. */
  readonly readAt?: number;
}

/** A home's access to the files of keys. */
export interface KeyFiles {
  /** As in SnapshotStore. */
  readonly sharing?: Sharing | undefined;
  /** SHA-256 in hexadecimal. */
  hashKey(key: string): MaybePromise<string>;
  /** A file, or null. It may be a copy that was read earlier. */
  read(path: string): MaybePromise<KeyFile | null>;
}

/**
 * A cache of key records. `find` throws SyntaxError if a record is malformed, and the errors of `read`.
 *
 * It is looked up by the key itself: 0.3 µs instead of 3 for its checksum and SHA-256, and 9 with the file. The table compares hashes with a
 * random seed first, so its timing reveals nothing about other keys either. Keys that are no longer believed are dropped
 * from memory.
 *
 * @param believedMs how long a record is cached from its reading, 30 seconds at most: a revoked key may still work for this
 * long
 */
export function keyCache(files: KeyFiles, believedMs: number): KeyStore {
  // Reads the clock at each look-up: caching the time needs a timer, which costs more and which a Worker does not have.
  const clock = { ttlResolution: 0, perf: { now: () => Date.now() } };
  const records = new LRUCache<string, KeyRecord>({ max: RECORDS_KEPT, ttl: believedMs, ...clock });
  const absences = new LRUCache<string, true>({ max: ABSENCES_KEPT, ttl: ABSENT_MS, ...clock });
  const reading = new SingleFlight<KeyRecord | null>(files.sharing);
  let purgedAt = Date.now();
  let latest = purgedAt;

  /** Forgets everything if the clock was set back: records would be believed for longer. */
  function checkClock(): void {
    const now = Date.now();
    if (now < latest) {
      records.clear();
      absences.clear();
      purgedAt = now;
    }
    latest = now;
  }

  function read(key: string): MaybePromise<KeyRecord | null> {
    const askedAt = Date.now();
    if (askedAt - purgedAt > believedMs) {
      records.purgeStale();
      absences.purgeStale();
      purgedAt = askedAt;
    }
    const found = andThen(files.hashKey(key), (sha256) => files.read(keyPath(sha256)));
    return andThen(found, (file) => {
      const written = file && parseKeyRecord(file.text);
      // A file of another key, as after two were swapped, is none.
      const record = written?.prefix === keyPrefix(key) ? written : null;
      if (record) records.set(ownText(key), record, { start: file?.readAt ?? askedAt });
      else absences.set(ownText(key), true, { start: askedAt });
      return record;
    });
  }

  return {
    now: () => Date.now(),
    find(key) {
      checkClock();
      const known = records.get(key) ?? (absences.has(key) ? null : undefined);
      if (known !== undefined) return known;
      return isWellFormedKey(key) ? reading.run(key, () => read(key)) : null;
    },
  };
}
