import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { type KeyRecord, keyPath, parseKeyRecord } from '../../contract/key-record.ts';
import type { KeyStore } from '../home.ts';

/** How long a record is believed: so long can a revoked key still work, at most (design, "Keys"). */
const BELIEVED_MS = 10_000;

/** How often the clock is read for that; at each look-up it would take a timer. */
const LOOKED_AT_MS = 500;

/** Records and absences that are kept in memory. */
const KEPT = 10_000;

/** Key records in the output folder's `keys/`. */
export class DiskKeyStore implements KeyStore {
  readonly #out: string;
  readonly #known = new LRUCache<string, { readonly record: KeyRecord | null }>({
    max: KEPT,
    ttl: BELIEVED_MS,
    ttlResolution: LOOKED_AT_MS,
  });

  constructor(out: string) {
    this.#out = out;
  }

  /** Reads a small file at most, at once: cheaper than a promise, and seldom. */
  find(key: string): KeyRecord | null {
    const sha256 = hash('sha256', key, 'hex');
    const known = this.#known.get(sha256);
    if (known) return known.record;
    const record = this.#read(sha256);
    this.#known.set(sha256, { record });
    return record;
  }

  #read(sha256: string): KeyRecord | null {
    try {
      return parseKeyRecord(readFileSync(join(this.#out, keyPath(sha256)), 'utf8'));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    }
  }
}
