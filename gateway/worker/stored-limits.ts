import { parseJson } from '../../contract/json.ts';
import { isLimits, type Limits } from '../../contract/policy.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import { once } from '../once.ts';
import { keepIn, type ObjectCache, readFrom } from './cache-api.ts';
import { SHARING } from './sharing.ts';

/** Requests are corrected if they differ (counted-ahead.ts), so this is not a matter of correctness. */
const LIFETIME = 'public, max-age=86400';

/**
 * The limits of the snapshot that an isolate of the data centre served last. By these a new isolate starts to count its
 * first request before it knows a snapshot.
 */
export class StoredLimits {
  readonly #cache: ObjectCache;
  readonly #address: string;
  readonly #read: () => MaybePromise<string | undefined>;
  /** What this isolate stored last. */
  #stored: Limits | undefined;

  /** @param address of the entry. It is read at once */
  constructor(cache: ObjectCache, address: string) {
    this.#cache = cache;
    this.#address = address;
    this.#read = once(() => readFrom(cache, address, (kept) => kept.text()), SHARING);
    void this.#read();
  }

  async read(): Promise<Limits | undefined> {
    const text = await this.#read();
    try {
      return text === undefined ? undefined : parseJson(text, isLimits, 'limits');
    } catch {
      return undefined; // Of another version.
    }
  }

  /** @param limits of the snapshot that is served now */
  keep(limits: Limits): void {
    if (this.#stored === limits) return;
    this.#stored = limits;
    const headers = { 'Cache-Control': LIFETIME };
    keepIn(this.#cache, this.#address, new Response(JSON.stringify(limits), { headers }));
  }
}
