import type { R2Bucket } from '@cloudflare/workers-types';
import { LRUCache } from 'lru-cache';
import { type KeyRecord, keyPath, parseKeyRecord } from '../../contract/key-record.ts';
import type { KeyStore } from '../home.ts';
import { SingleFlight } from '../single-flight.ts';
import { readFromBucket } from './read-bucket.ts';
import { toTheEnd } from './to-the-end.ts';

/** How long a record is believed: so long can a revoked key still work, and 30 seconds at most (design, "Keys"). */
const BELIEVED_MS = 25_000;

/** How long a key stays unknown that was looked for before it was made. */
const ABSENT_MS = 5000;

/** Records that are kept in memory, and absences, which anyone can make up: apart, so that these push out none of those. */
const RECORDS_KEPT = 10_000;
const ABSENCES_KEPT = 5000;

interface Known {
  readonly record: KeyRecord;
  /** When it was asked for, in ms since 1970. */
  readonly askedAt: number;
}

/** Key records in the bucket's `keys/`. */
export class BucketKeyStore implements KeyStore {
  readonly #bucket: R2Bucket;
  readonly #prefix: string;
  readonly #records = new LRUCache<string, Known>({ max: RECORDS_KEPT });
  readonly #absences = new LRUCache<string, { readonly askedAt: number }>({ max: ABSENCES_KEPT });
  readonly #reading = new SingleFlight<KeyRecord | null>();

  /** @param prefix of all keys in the bucket: empty, or with a slash at the end */
  constructor(bucket: R2Bucket, prefix: string) {
    this.#bucket = bucket;
    this.#prefix = prefix;
  }

  /** @throws SyntaxError where the record is none, or what R2 throws twice */
  async find(key: string): Promise<KeyRecord | null> {
    const sha256 = await hashOf(key);
    const now = Date.now();
    const known = this.#records.get(sha256);
    if (known && now < known.askedAt + BELIEVED_MS) return known.record;
    const absence = this.#absences.get(sha256);
    if (absence && now < absence.askedAt + ABSENT_MS) return null;

    return this.#reading.run(sha256, () => toTheEnd(this.#read(sha256, now)));
  }

  async #read(sha256: string, askedAt: number): Promise<KeyRecord | null> {
    const text = await readFromBucket(this.#bucket, this.#prefix + keyPath(sha256), (object) =>
      object.text(),
    );
    if (text === null) {
      this.#records.delete(sha256);
      this.#absences.set(sha256, { askedAt });
      return null;
    }
    const record = parseKeyRecord(text);
    this.#records.set(sha256, { record, askedAt });
    return record;
  }
}

/** SHA-256 in hexadecimal. */
async function hashOf(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
