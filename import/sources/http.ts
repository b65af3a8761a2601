import { pipeline } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { Agent, type Dispatcher, request } from 'undici';
import { shownAddress } from '../../common/shown-address.ts';
import { arePrivate, failureOf, USER_AGENT } from './connection.ts';
import { AddressRefused } from '../errors.ts';
import { MAX_WAIT, secondsIn } from './retry-after.ts';

/** A downloaded file. */
export interface Download {
  /** The final address, after redirects. */
  readonly url: string;
  /** From the header; null: not given. */
  readonly charset: string | null;
  /** The header `Link`; empty: not given. */
  readonly link: string;
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
  /** Tests have no public server. */
  readonly arePrivate?: typeof arePrivate;
}

/** How far a compressed answer may unpack: real feeds shrink to a tenth. */
const MAX_RATIO = 15;
/** The same in bytes, for small answers. */
const MIN_UNPACKED = 10_000_000;
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
 * Fetches an address. Redirects are followed only to http and https, never from https to http, and never into this machine
 * and its networks, unless the address is there too. A request to wait (429, 503 with `Retry-After`) is respected, up to
 * two minutes.
 *
 * @throws AddressRefused if it cannot be fetched; the body throws it if it is truncated or too large
 */
export async function download(address: string, rules: DownloadRules): Promise<Download> {
  const signal = AbortSignal.timeout(rules.totalMs ?? TOTAL_MS);
  let url = address;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await patiently(url, rules, signal);
    const { statusCode: status, statusText } = response;
    const location = headerOf(response, 'location');
    if (status >= 200 && status < 300)
      return {
        ...{ url, charset: charsetOf(response), link: String(response.headers['link'] ?? '') },
        body: bodyOf(response, url, rules.maxBytes),
      };
    await response.body.dump();
    if (status < 300 || status > 399 || location === null)
      throw new AddressRefused(url, `the server answered ${status} ${statusText}`.trim());
    url = redirected(url, location);
    await refuseInside(address, url, rules);
  }
  throw new AddressRefused(address, `it redirects more than ${MAX_REDIRECTS} times`);
}

function redirected(from: string, location: string): string {
  const to = URL.canParse(location, from) ? new URL(location, from) : null;
  const isSafe = to?.protocol === 'https:' || (to?.protocol === 'http:' && from.startsWith('http:'));
  if (to === null || !isSafe)
    throw new AddressRefused(from, `it redirects to ${shownAddress(location).slice(0, 200)}`);
  return to.href;
}

/** @throws AddressRefused if a redirect leads from the internet to this machine or its networks */
async function refuseInside(from: string, to: string, rules: DownloadRules): Promise<void> {
  const hosts = await Promise.all([from, to].map(rules.arePrivate ?? arePrivate)).catch((error: unknown) => {
    throw new AddressRefused(to, failureOf(error));
  });
  if (hosts[0]?.includes(false) && hosts[1]?.includes(true))
    throw new AddressRefused(from, `it redirects to ${shownAddress(to)}, which is in a private network`);
}

async function patiently(
  url: string,
  { accept, wait = delay }: DownloadRules,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  for (let tries = 1; ; tries++) {
    const response = await ask(url, accept, signal);
    const isBusy = response.statusCode === 429 || response.statusCode === 503;
    const seconds = isBusy ? secondsIn(headerOf(response, 'retry-after')) : null;
    if (seconds === null || seconds > MAX_WAIT || tries === MAX_TRIES) return response;
    await response.body.dump();
    await wait(seconds * 1000);
  }
}

async function ask(url: string, accept: string, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.username + parsed.password !== '')
    throw new AddressRefused(url, 'it must be a valid address without user name and password');
  try {
    return await request(url, {
      dispatcher: agent,
      signal,
      headers: { accept, 'accept-encoding': 'gzip', 'user-agent': USER_AGENT },
    });
  } catch (error) {
    throw new AddressRefused(url, failureOf(error));
  }
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

function charsetOf(response: Dispatcher.ResponseData): string | null {
  const type = headerOf(response, 'content-type') ?? '';
  return /;\s*charset\s*=\s*["']?([^"';\s]+)/i.exec(type)?.[1] ?? null;
}

/** The body, unpacked here: only so is its size on the wire known. */
async function* bodyOf(
  response: Dispatcher.ResponseData,
  url: string,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  const encoding = headerOf(response, 'content-encoding')?.toLowerCase() ?? 'identity';
  let received = 0;
  let length = 0;
  const wire = async function* (): AsyncGenerator<Buffer> {
    const chunks: AsyncIterable<Buffer> = response.body;
    for await (const chunk of chunks) {
      received += chunk.length;
      yield chunk;
    }
  };
  const chunks: AsyncIterable<Buffer> = /^(?:x-)?gzip$/.test(encoding)
    ? pipeline(wire(), createGunzip(), () => undefined)
    : wire();
  try {
    if (!/^(?:identity|(?:x-)?gzip)?$/.test(encoding))
      throw new AddressRefused(url, `its encoding "${encoding}" is unknown`);
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > maxBytes)
        throw new AddressRefused(url, `its answer is larger than ${Math.floor(maxBytes / 1_000_000)} MB`);
      if (length > Math.max(MIN_UNPACKED, MAX_RATIO * received))
        throw new AddressRefused(url, `its answer unpacks to more than ${MAX_RATIO} times its size`);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof AddressRefused ? error : new AddressRefused(url, failureOf(error));
  }
}
