/** Requests to one service: its address, the key, waits and errors. */
import { OffprintError } from './error.ts';
import type { CallOptions, ClientOptions, Fetch } from './options.ts';
import type { PostsPage } from './selection.ts';

const PREFIX = '/api/public/v1';

/** What the requests of one call share. */
export interface Call {
  readonly signal: AbortSignal | null;
  /** Seconds that the call may still wait. */
  waitLeft: number;
}

export type Query = Readonly<Record<string, string | number | undefined>>;

/** What a reply may have. */
interface Envelope {
  readonly success?: unknown;
  readonly message?: unknown;
  readonly errors?: Record<string, string[]>;
}

export class Requests {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #fetch: Fetch;
  readonly #options: CallOptions;

  constructor({ url, key, fetch: send, ...options }: ClientOptions) {
    this.#base = url.replace(/\/+$/, '') + PREFIX;
    this.#headers = key ? { Authorization: `Bearer ${key}` } : {};
    this.#fetch = send ?? ((address, init) => fetch(address, init));
    this.#options = options;
  }

  begin({ signal, maxWait }: CallOptions = {}): Call {
    const signals = [signal, this.#options.signal].filter((one) => one !== undefined);
    return {
      signal: signals.length > 1 ? AbortSignal.any(signals) : (signals[0] ?? null),
      waitLeft: maxWait ?? this.#options.maxWait ?? 60,
    };
  }

  /**
   * @returns `data` of the answer
   * @throws OffprintError; the reason of an aborted signal
   */
  async get<T>(call: Call, path: string, query: Query = {}): Promise<T> {
    const target = path + queryString(query);
    const { response, text } = await this.#send(call, target);
    const body = parse(text);
    if (!response.ok || !isSuccess<T>(body)) throw toError(response, body, target);
    return body.data;
  }

  /** Sends a request, and retries after each 429 until the call's wait is used up. */
  async #send(call: Call, target: string) {
    for (;;) {
      call.signal?.throwIfAborted();
      const reply = await this.#sendOnce(call, target);
      const { status, headers } = reply.response;
      const wait = status === 429 ? retryAfter(headers) : null;
      if (wait === null || wait > call.waitLeft) return reply;
      call.waitLeft -= wait;
      await sleep(wait, call.signal);
    }
  }

  async #sendOnce({ signal }: Call, target: string) {
    try {
      const response = await this.#fetch(this.#base + target, { headers: { ...this.#headers }, signal });
      return { response, text: await response.text() };
    } catch (cause) {
      signal?.throwIfAborted();
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new OffprintError(0, `${this.#base}${target} cannot be reached: ${why}.`, { cause });
    }
  }
}

/**
 * The parameters of the API: `tag.any=a,b` for `{ tag: { any: ['a', 'b'] } }`.
 *
 * @throws OffprintError if a list is empty, or has an empty value or one with a comma
 */
export function toQuery({ include, ...given }: PostsPage<'dates'>): Query {
  const query: Record<string, Query[string]> = {};
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== 'object') query[name] = value;
    else {
      for (const [form, list] of Object.entries({ ...value }))
        query[`${name}.${form}`] = joined(`${name}.${form}`, list);
    }
  }
  return { ...query, include: include?.join() };
}

function joined(name: string, values: readonly string[] | undefined): string | undefined {
  if (values?.length === 0 || values?.some((value) => value === '' || value.includes(',')))
    throw new OffprintError(400, `"${name}" takes one or more values, none empty or with a comma.`);
  return values?.join();
}

function queryString(query: Query): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') given.set(name, String(value));
  }
  const text = given.toString();
  return text && `?${text}`;
}

function parse(text: string): Envelope {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** The API's description guarantees the type of `data`. */
function isSuccess<T>(body: Envelope): body is { readonly success: true; readonly data: T } {
  return body.success === true;
}

function toError({ status, headers }: Response, { message, errors }: Envelope, target: string) {
  const words =
    typeof message === 'string'
      ? message
      : `GET ${target}: the reply (status ${status}) is not from this API.`;
  return new OffprintError(status, words, { reasons: errors, retryAfter: retryAfter(headers) });
}

/** Seconds, at least 1; null: none given. Proxies may send a date. */
function retryAfter(headers: Headers): number | null {
  const value = headers.get('Retry-After');
  if (!value) return null;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(1, Math.ceil(seconds));
}

/** Ends early if the signal is aborted. */
function sleep(seconds: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, seconds * 1000);
    signal?.addEventListener('abort', end);
  });
}
