import { Agent, fetch, type Response } from 'undici';
import { setTimeout as delay } from 'node:timers/promises';
import { failureOf, USER_AGENT } from './connection.ts';
import { AddressRefused } from '../errors.ts';
import { MAX_WAIT, secondsIn } from './retry-after.ts';

/** A downloaded file. */
export interface Download {
  /** The final address, after redirects. */
  readonly url: string;
  /** From the header; null: not given. */
  readonly charset: string | null;
  readonly body: AsyncIterable<Buffer>;
}

export interface DownloadRules {
  /** The wanted media types, as in the header `Accept`. */
  readonly accept: string;
  /** In bytes, uncompressed. */
  readonly maxBytes: number;
  /** Limit for the whole download with redirects and waits, in milliseconds; default: ten minutes. */
  readonly totalMs?: number;
  /** Waits a number of milliseconds; tests do not wait. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

const MAX_REDIRECTS = 5;
const MAX_TRIES = 3;
/** For one request, and for each part of its answer. */
const TIMEOUT_MS = 30_000;
/** For a whole download: a server that sends a byte now and then never exceeds the other limit. */
const TOTAL_MS = 600_000;

const agent = new Agent({
  ...{ connect: { timeout: TIMEOUT_MS }, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS },
  ...{ connections: 2, pipelining: 1 },
});

/**
 * Fetches a public address. Redirects are followed only to http and https, and never from https to http. A request to
 * wait (429, 503 with `Retry-After`) is respected, up to two minutes.
 *
 * @throws AddressRefused if it cannot be fetched; the body throws it if it is truncated or too large
 */
export async function download(address: string, rules: DownloadRules): Promise<Download> {
  const signal = AbortSignal.timeout(rules.totalMs ?? TOTAL_MS);
  let url = address;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await patiently(url, rules, signal);
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) {
      if (!response.ok) {
        await response.body?.cancel();
        throw new AddressRefused(url, `the server answered ${response.status} ${response.statusText}`.trim());
      }
      return { url, charset: charsetOf(response), body: bodyOf(response, url, rules.maxBytes) };
    }
    await response.body?.cancel();
    url = redirected(url, location);
  }
  throw new AddressRefused(address, `it redirects more than ${MAX_REDIRECTS} times`);
}

function redirected(from: string, location: string): string {
  const to = URL.canParse(location, from) ? new URL(location, from) : null;
  const isSafe = to?.protocol === 'https:' || (to?.protocol === 'http:' && from.startsWith('http:'));
  if (to === null || !isSafe) throw new AddressRefused(from, `it redirects to ${location.slice(0, 200)}`);
  return to.href;
}

async function patiently(
  url: string,
  { accept, wait = delay }: DownloadRules,
  signal: AbortSignal,
): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await ask(url, accept, signal);
    const isBusy = response.status === 429 || response.status === 503;
    const seconds = isBusy ? secondsIn(response.headers.get('retry-after')) : null;
    if (seconds === null || seconds > MAX_WAIT || tries === MAX_TRIES) return response;
    await response.body?.cancel();
    await wait(seconds * 1000);
  }
}

async function ask(url: string, accept: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, {
      dispatcher: agent,
      signal,
      redirect: 'manual',
      headers: { accept, 'user-agent': USER_AGENT },
    });
  } catch (error) {
    throw new AddressRefused(url, failureOf(error));
  }
}

function charsetOf({ headers }: Response): string | null {
  return /;\s*charset\s*=\s*["']?([^"';\s]+)/i.exec(headers.get('content-type') ?? '')?.[1] ?? null;
}

async function* bodyOf({ body }: Response, url: string, maxBytes: number): AsyncGenerator<Buffer> {
  if (body === null) return;
  let length = 0;
  try {
    const chunks: AsyncIterable<Uint8Array> = body;
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > maxBytes)
        throw new AddressRefused(url, `its answer is larger than ${Math.floor(maxBytes / 1_000_000)} MB`);
      yield Buffer.from(chunk);
    }
  } catch (error) {
    throw error instanceof AddressRefused ? error : new AddressRefused(url, failureOf(error));
  }
}
