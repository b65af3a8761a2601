/**
 * A client of the API, in one file that can be copied alone: addresses, key, quota, errors, cancelling.
 *
 * Revalidation is left to the browser: answers may be used for 60 seconds and carry an ETag, so `fetch` asks
 * again with If-None-Match and turns a 304 into the answer that it holds. Code of one's own could only do that
 * worse: a header that a script sets costs a CORS preflight.
 */

const PREFIX = '/api/public/v1';

/** Answers kept in memory, so that going back shows at once what was seen. */
const KEPT = 60;

/** @typedef {{ limit: number, used: number, remaining: number, reset: number }} Quota */
/** @typedef {{ name: string, slug: string }} CategoryName */
/** @typedef {{ name: string, username: string }} AuthorName */
/**
 * @typedef {{ slug: string, title: string, description: string | null, cover: string | null, views: number,
 *   tags: string[], category: CategoryName | null, author: AuthorName | null, url: string,
 *   published_at: string }} Summary
 */
/**
 * @typedef {{ slug: string, title: string, content: string, tags: string[],
 *   seo: { meta_title: string | null, meta_description: string | null }, published_at: string }} Article
 */
/** @typedef {{ name: string, slug: string, posts_count: number, url: string }} Term */
/** @typedef {{ name: string, username: string, avatar: string | null, posts_count: number }} Author */
/**
 * @template T
 * @typedef {{ items: T[], meta: { page: number, per_page: number, last_page: number, total: number } }} Paged
 */

/** Why there is no answer. `status` is 0 where nothing could be reached at all. */
export class ApiFailure extends Error {
  /**
   * @param {number} status
   * @param {string} message
   * @param {{ retryAfter?: number, reasons?: string[] }} more retryAfter in seconds
   */
  constructor(status, message, { retryAfter = 0, reasons = [] } = {}) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
    this.reasons = reasons;
  }
}

export class Api {
  #base;
  #headers;
  #onQuota;
  /** @type {Map<string, { etag: string | null, data: unknown }>} */
  #known = new Map();

  /**
   * @param {{ api: string, key: string }} settings
   * @param {(quota: Quota) => void} onQuota is told what every answer says of the quota
   */
  constructor({ api, key }, onQuota) {
    this.#base = api + PREFIX;
    this.#headers = key === '' ? undefined : { Authorization: `Bearer ${key}` };
    this.#onQuota = onQuota;
  }

  /**
   * What was answered before, to be shown while `get` looks whether it still holds.
   *
   * @template T
   * @param {string} path
   * @returns {T | undefined}
   */
  known(path) {
    return /** @type {T | undefined} */ (this.#known.get(path)?.data);
  }

  /**
   * Asks the API. An answer that is the same as before is the same object as before.
   *
   * @template T
   * @param {string} path and query, relative to the version: `/posts?page=2`
   * @param {AbortSignal} signal
   * @returns {Promise<T>}
   * @throws ApiFailure; an AbortError where the signal ended it
   */
  async get(path, signal) {
    const response = await this.#fetch(path, signal);
    this.#readQuota(response.headers);
    const body = envelopeIn(await response.text().catch(() => ''));
    signal.throwIfAborted();
    if (!response.ok || body.success !== true) throw failureOf(response, body);

    const etag = response.headers.get('ETag');
    const before = this.#known.get(path);
    this.#known.delete(path);
    const kept = before && etag !== null && before.etag === etag ? before : { etag, data: body.data };
    this.#known.set(path, kept);
    if (this.#known.size > KEPT) this.#known.delete(this.#known.keys().next().value ?? '');
    return /** @type {T} */ (kept.data);
  }

  /**
   * @param {string} path
   * @param {AbortSignal} signal
   */
  async #fetch(path, signal) {
    const options = { signal, credentials: /** @type {const} */ ('omit') };
    try {
      return await fetch(this.#base + path, this.#headers ? { ...options, headers: this.#headers } : options);
    } catch (error) {
      if (signal.aborted) throw error;
      throw new ApiFailure(0, `${new URL(this.#base).host} cannot be reached.`);
    }
  }

  /** @param {Headers} headers */
  #readQuota(headers) {
    const [limit, used, remaining, reset] = ['Limit', 'Used', 'Remaining', 'Reset'].map((name) =>
      Number(headers.get(`X-Quota-${name}`) ?? NaN),
    );
    if (limit === undefined || used === undefined || remaining === undefined || reset === undefined) return;
    if (Number.isFinite(limit + used + remaining + reset)) this.#onQuota({ limit, used, remaining, reset });
  }
}

/** @typedef {{ success?: unknown, data?: unknown, message?: unknown, errors?: unknown }} Envelope */

/**
 * @param {string} text
 * @returns {Envelope} empty where the text is none
 */
function envelopeIn(text) {
  try {
    /** @type {unknown} */
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/**
 * @param {Response} response
 * @param {Envelope} body
 */
function failureOf({ status, headers }, body) {
  const message = typeof body.message === 'string' ? body.message : 'This is no answer of the API.';
  return new ApiFailure(status, message, {
    retryAfter: Number(headers.get('Retry-After') ?? 0),
    reasons: Object.values(body.errors ?? {})
      .flat()
      .filter((reason) => typeof reason === 'string'),
  });
}
