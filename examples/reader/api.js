/**
 * The API, by its client, and what was answered last. Revalidation is left to the browser: answers may be used for 60 seconds
 * and carry an ETag. Waiting for a limit is left to fault.js, which shows it.
 */
import { createClient } from './offprint-client.js';

/** Answers kept in memory, so that going back shows at once what was seen. */
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
   * @param {(quota: Quota) => void} onQuota is told what every answer says of the quota
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
   * What was answered before, to be shown while `get` looks whether it still holds.
   *
   * @template T
   * @param {string} name
   * @returns {T | undefined}
   */
  known(name) {
    return /** @type {T | undefined} */ (this.#known.get(name)?.data);
  }

  /**
   * Asks the API. An answer that is the same as before is the same object as before.
   *
   * @template T
   * @param {string} name by which `known` finds the answer
   * @param {(blog: Client) => Promise<T>} ask
   * @returns {Promise<T>}
   * @throws OffprintError; an AbortError where a signal ended it
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
 * @returns {Quota | null} null where they do not say
 */
function quotaIn(headers) {
  const [limit, used, remaining, reset] = ['Limit', 'Used', 'Remaining', 'Reset'].map((name) =>
    Number(headers.get(`X-Quota-${name}`) ?? NaN),
  );
  if (limit === undefined || used === undefined || remaining === undefined || reset === undefined)
    return null;
  return Number.isFinite(limit + used + remaining + reset) ? { limit, used, remaining, reset } : null;
}
