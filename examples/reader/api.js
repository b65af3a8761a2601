/**
 * The API, through its client, with a cache of recent answers. The browser does the revalidation: answers may be
 * used for 60 seconds and carry an ETag. fault.js shows when a limit is reached and waits.
 */
import { createClient } from './offprint-client.js';

/** Number of answers in memory, so that going back shows a page immediately. */
const KEPT = 60;

/** @typedef {{ limit: number, used: number, remaining: number, reset: number }} Quota */
/** @typedef {import('./offprint-client.js').Client} Client */
/** @typedef {import('./offprint-client.js').PostSummary} Summary */
/** @typedef {import('./offprint-client.js').WholePost} Article */
/** @typedef {import('./offprint-client.js').Author} Author */

export class Api {
  #blog;
  /** @type {Map<string, { text: string, data: unknown }>} */
  #known = new Map();

  /**
   * @param {{ api: string, key: string }} settings
   * @param {(quota: Quota) => void} onQuota receives the quota of every answer
   */
  constructor({ api, key }, onQuota) {
    this.#blog = createClient({
      ...{ url: api, key, maxWait: 0 },
      async fetch(url, init) {
        const response = await fetch(url, { ...init, credentials: 'omit' });
        const quota = quotaIn(response.headers);
        if (quota) onQuota(quota);
        return response;
      },
    });
  }

  /**
   * The previous answer, to show until `get` has revalidated it.
   *
   * @template T
   * @param {string} name
   * @returns {T | undefined}
   */
  known(name) {
    return /** @type {T | undefined} */ (this.#known.get(name)?.data);
  }

  /**
   * Requests an answer. An unchanged answer is the same object as before.
   *
   * @template T
   * @param {string} name the key under which `known` finds the answer
   * @param {(blog: Client) => Promise<T>} ask
   * @returns {Promise<T>}
   * @throws OffprintError; an AbortError if a signal cancelled it
   */
  async get(name, ask) {
    const data = await ask(this.#blog);
    const text = JSON.stringify(data);
    const before = this.#known.get(name);
    this.#known.delete(name);
    const kept = before?.text === text ? before : { text, data };
    this.#known.set(name, kept);
    if (this.#known.size > KEPT) this.#known.delete(this.#known.keys().next().value ?? '');
    return /** @type {T} */ (kept.data);
  }
}

/**
 * @param {Headers} headers
 * @returns {Quota | null} null if the headers are missing
 */
function quotaIn(headers) {
  const [limit, used, remaining, reset] = ['Limit', 'Used', 'Remaining', 'Reset'].map((name) =>
    Number(headers.get(`X-Quota-${name}`) ?? NaN),
  );
  if (limit === undefined || used === undefined || remaining === undefined || reset === undefined)
    return null;
  return Number.isFinite(limit + used + remaining + reset) ? { limit, used, remaining, reset } : null;
}
