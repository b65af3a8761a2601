import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { shownAddress } from '../../common/shown-address.ts';
import { collect } from '../sources/chunks.ts';
import { failureOf, USER_AGENT } from '../sources/connection.ts';
import { parseJson } from '../sources/json.ts';
import { MAX_WAIT, secondsIn } from '../sources/retry-after.ts';
import {
  BlogAddressInvalid,
  BlogAnswerInvalid,
  BlogBusy,
  BlogRedirects,
  BlogUnreachable,
  CredentialsUnencrypted,
} from './errors.ts';

/** An answer from an address. */
export interface Answer {
  /** The final address, after redirects. */
  readonly url: URL;
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly text: string;
}

export interface ClientOptions {
  /** Headers that identify the caller, made for each request. They are only sent encrypted, or to this machine. */
  readonly credentials?: (() => Readonly<Record<string, string>>) | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Waits a number of milliseconds; tests do not wait. */
  readonly wait?: ((milliseconds: number) => Promise<unknown>) | undefined;
}

const MAX_REDIRECTS = 5;
const MAX_TRIES = 4;
/** For connecting, for the headers, and for each part of the body. */
const TIMEOUT_MS = 60_000;
/** For a whole answer. */
const ANSWER_TIMEOUT_MS = 300_000;
/** For an answer: 25 posts of 2 MB, the limit for a post. */
const MAX_BYTES = 64_000_000;
const WORTH_RETRYING = new Set([408, 429, 500, 502, 503, 504]);

/** The address of a running blog, with a trailing slash. @throws BlogAddressInvalid */
export function blogAddress(written: string): URL {
  const url = URL.parse(written);
  const isPlain = url !== null && url.username === '' && url.password === '' && url.search === '';
  if (url === null || !isPlain || url.hash !== '' || !/^https?:$/.test(url.protocol))
    throw new BlogAddressInvalid();
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/`;
  return url;
}

/** Whether `to` is the same host as `from`, with the same or better encryption. */
export function isSameHost(from: URL, to: URL): boolean {
  if (to.protocol === from.protocol) return to.host === from.host;
  return (
    to.protocol === 'https:' && from.protocol === 'http:' && to.hostname === from.hostname && to.port === ''
  );
}

/** Reads from a running blog, one request at a time. */
export class BlogClient {
  readonly #options: ClientOptions;
  readonly #agent = new Agent({
    ...{ connect: { timeout: TIMEOUT_MS }, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS },
    ...{ connections: 1, pipelining: 1 },
  });

  constructor(options: ClientOptions = {}) {
    this.#options = options;
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /**
   * Gets an address. Redirects are followed on the same host, and from http to https. Temporary failures are retried
   * after a pause: the one in `Retry-After`, up to two minutes.
   *
   * @param isSecret whether the address itself contains a key
   * @returns an answer of any status; a temporary error status only after all retries
   * @throws BlogUnreachable, BlogBusy, BlogRedirects, CredentialsUnencrypted, BlogAnswerInvalid
   */
  async get(address: URL, { isSecret = false } = {}): Promise<Answer> {
    let url = address;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      if ((isSecret || this.#options.credentials !== undefined) && !isPrivate(url))
        throw new CredentialsUnencrypted(url);
      const answer = await this.#patiently(url);
      const location = answer.header('location');
      if (answer.status < 300 || answer.status > 399 || location === null) return answer;
      const to = URL.parse(location, url.href);
      if (to === null || !isSameHost(url, to))
        throw new BlogRedirects(url, shownAddress(to?.href ?? location));
      url = to;
    }
    throw new BlogRedirects(address, `itself, more than ${MAX_REDIRECTS} times`);
  }

  async #patiently(url: URL): Promise<Answer> {
    const { wait = delay } = this.#options;
    for (let tries = 1; ; tries++) {
      const answer = await this.#once(url).catch((error: unknown) => {
        if (error instanceof BlogAnswerInvalid || tries === MAX_TRIES) throw error;
        return null;
      });
      if (answer !== null && !WORTH_RETRYING.has(answer.status)) return answer;
      const asked = answer === null ? null : secondsIn(answer.header('retry-after'));
      if (asked !== null && asked > MAX_WAIT) throw new BlogBusy(url, asked);
      if (answer !== null && tries === MAX_TRIES) return answer;
      await wait(1000 * (asked ?? 2 ** (tries - 1)));
    }
  }

  async #once(url: URL): Promise<Answer> {
    const { credentials, headers } = this.#options;
    try {
      const reply = await request(url, {
        dispatcher: this.#agent,
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
        headers: {
          ...{ accept: 'application/json', 'user-agent': USER_AGENT },
          ...headers,
          ...credentials?.(),
        },
      });
      const header = (name: string): string | null => {
        const value = reply.headers[name];
        return (Array.isArray(value) ? value.join(', ') : value) ?? null;
      };
      const tooLarge = () => new BlogAnswerInvalid(url, `it is larger than ${MAX_BYTES / 1_000_000} MB`);
      const text = (await collect(reply.body, MAX_BYTES, tooLarge)).toString();
      return { url, status: reply.statusCode, header, text };
    } catch (error) {
      if (error instanceof BlogAnswerInvalid) throw error;
      throw new BlogUnreachable(url, failureOf(error));
    }
  }
}

/** Parses the JSON of an answer. @throws BlogAnswerInvalid */
export function jsonOf({ text, url, status }: Answer): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new BlogAnswerInvalid(url, `it is not JSON (status ${status})`);
  }
}

/** Encrypted, or within this machine. */
function isPrivate({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
