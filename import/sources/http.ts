import { lookup } from 'node:dns/promises';
import { pipeline } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import ipaddr from 'ipaddr.js';
import { Agent, type Dispatcher, errors, request } from 'undici';
import { shownAddress } from '../../common/shown-address.ts';
import { reasonOf } from '../../common/thrown.ts';
import { AddressRefused } from '../errors.ts';

/** An answer from an address. */
interface HttpReply {
  /** The final address, after redirects. */
  readonly url: string;
  readonly status: number;
  /** Null: not given. */
  readonly header: (name: string) => string | null;
  /** Unpacked. It throws AddressRefused if it is truncated or too large. */
  readonly body: AsyncIterable<Buffer>;
}

export interface RequestRules {
  /** The wanted media types, as in the header `Accept`. */
  readonly accept: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** In bytes, uncompressed. */
  readonly maxBytes: number;
  /** Limit for the whole answer with redirects and waits, in milliseconds; default: ten minutes. */
  readonly totalMs?: number;
  /** Redirects are followed only on the same host: the address has a key in it. */
  readonly staysOnHost?: boolean;
  /** How often it is tried at most; default: four times. */
  readonly tries?: number;
  /** Waits a number of milliseconds; tests do not wait. */
  readonly wait?: ((milliseconds: number) => Promise<unknown>) | undefined;
  /** Tests have no public server. */
  readonly arePrivate?: typeof arePrivate;
}

/** How far a compressed answer may unpack: real feeds shrink to a tenth. */
const MAX_RATIO = 15;
/** The same in bytes, for small answers. */
const MIN_UNPACKED = 10_000_000;
const MAX_REDIRECTS = 5;
const MAX_TRIES = 4;
/** The longest wait that a server may ask for, in seconds. */
const MAX_WAIT = 120;
const TEMPORARY = new Set([408, 429, 500, 502, 503, 504]);
/** For connecting, for the headers, and for each part of the body. */
const TIMEOUT_MS = 60_000;
/** For a whole answer: a server that sends a byte from time to time never exceeds the other limit. */
const TOTAL_MS = 600_000;

const agent = new Agent({
  connect: { timeout: TIMEOUT_MS },
  headersTimeout: TIMEOUT_MS,
  bodyTimeout: TIMEOUT_MS,
  connections: 2,
  pipelining: 1,
});

/**
 * Asks an address. Redirects are followed only to http and https, never from https to http, and never into this machine and
 * its networks, unless the address is there too. Temporary failures are tried again after a pause: the one in `Retry-After`,
 * up to two minutes.
 *
 * @returns an answer of any status; a temporary failure only after all tries
 * @throws AddressRefused
 */
export async function sendRequest(address: string, rules: RequestRules): Promise<HttpReply> {
  const signal = AbortSignal.timeout(rules.totalMs ?? TOTAL_MS);
  let url = address;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await requestWithRetries(url, rules, signal);
    const location = getHeader(response, 'location');
    if (response.statusCode < 300 || response.statusCode > 399 || location === null)
      return {
        url,
        status: response.statusCode,
        header: (name) => getHeader(response, name),
        body: readBody(response, url, rules.maxBytes),
      };
    await response.body.dump();
    url = redirected(url, location, rules);
    await refusePrivateRedirect(address, url, rules);
  }
  throw new AddressRefused(address, `it redirects more than ${MAX_REDIRECTS} times`);
}

/** The same for a file. @throws AddressRefused also for an answer without one */
export async function download(address: string, rules: RequestRules): Promise<HttpReply> {
  const answer = await sendRequest(address, rules);
  if (answer.status >= 200 && answer.status < 300) return answer;
  for await (const _ of answer.body);
  throw new AddressRefused(answer.url, `the server answered with status ${answer.status}`);
}

/** Whether `to` is the same host as `from`, with the same or better encryption. */
export function isSameHost(from: URL, to: URL): boolean {
  if (to.protocol === from.protocol) return to.host === from.host;
  return (
    to.protocol === 'https:' && from.protocol === 'http:' && to.hostname === from.hostname && to.port === ''
  );
}

function redirected(from: string, location: string, { staysOnHost = false }: RequestRules): string {
  const to = URL.parse(location, from);
  const isSafe = to?.protocol === 'https:' || (to?.protocol === 'http:' && from.startsWith('http:'));
  const shown = shownAddress(to?.href ?? location).slice(0, 200);
  if (to === null || !isSafe) throw new AddressRefused(from, `it redirects to ${shown}`);
  if (staysOnHost && !isSameHost(new URL(from), to))
    throw new AddressRefused(
      from,
      `it redirects to ${shown}, on another host. If that is the blog, give its URL instead`,
    );
  return to.href;
}

/** Addresses of this machine and its networks, by their ranges in ipaddr.js. */
const PRIVATE = /^(?:unspecified|loopback|linkLocal|private|uniqueLocal|carrierGradeNat)$/;

/** For each IP address of a URL's host, whether it is private. @throws errors of DNS */
export async function arePrivate(url: string): Promise<readonly boolean[]> {
  const found = await lookup(new URL(url).hostname.replace(/^\[|\]$/g, ''), { all: true });
  return found.map(({ address }) => PRIVATE.test(ipaddr.process(address.replace(/%.*$/, '')).range()));
}

/** @throws AddressRefused if a redirect leads from the internet to this machine or its networks */
async function refusePrivateRedirect(from: string, to: string, rules: RequestRules): Promise<void> {
  const hosts = await Promise.all([from, to].map(rules.arePrivate ?? arePrivate)).catch((error: unknown) => {
    throw new AddressRefused(to, describeFailure(error));
  });
  if (hosts[0]?.includes(false) && hosts[1]?.includes(true))
    throw new AddressRefused(from, `it redirects to ${shownAddress(to)}, which is in a private network`);
}

async function requestWithRetries(
  url: string,
  rules: RequestRules,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const { wait = delay, tries = MAX_TRIES } = rules;
  const parsed = URL.parse(url);
  if (parsed === null || parsed.username + parsed.password !== '')
    throw new AddressRefused(url, 'it must be a valid URL without user name and password');
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt === tries || signal.aborted;
    const response = await requestOnce(url, rules, signal).catch((error: unknown) => {
      if (isLast) throw new AddressRefused(url, describeFailure(error));
      return null;
    });
    if (response !== null && !TEMPORARY.has(response.statusCode)) return response;
    const asked = response === null ? null : secondsIn(getHeader(response, 'retry-after'));
    if (response !== null && isLast) return response;
    await response?.body.dump();
    if (asked !== null && asked > MAX_WAIT)
      throw new AddressRefused(url, `it asks to wait ${asked} seconds before the next request`);
    await wait(1000 * (asked ?? 2 ** (attempt - 1)));
  }
}

function requestOnce(
  url: string,
  { accept, headers }: RequestRules,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  return request(url, {
    dispatcher: agent,
    signal,
    headers: {
      accept,
      'accept-encoding': 'gzip',
      'user-agent': 'offprint (blog importer)',
      ...headers,
    },
  });
}

/** Why a request failed: an error code like `ECONNREFUSED`, or undici's message. */
function describeFailure(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error && cause.name === 'TimeoutError') return 'it takes too long';
  return cause instanceof errors.UndiciError ? cause.message : reasonOf(cause);
}

function getHeader({ headers }: Dispatcher.ResponseData, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value.join(', ') : value) ?? null;
}

/** Parses `Retry-After` (RFC 9110, 10.2.3) to seconds from now; null if it is neither seconds nor a date. */
function secondsIn(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const until = Date.parse(header);
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - Date.now()) / 1000));
}

/** The body, unpacked here: only so is its size on the wire known. */
async function* readBody(
  response: Dispatcher.ResponseData,
  url: string,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  const encoding = getHeader(response, 'content-encoding')?.toLowerCase() ?? 'identity';
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
    throw error instanceof AddressRefused ? error : new AddressRefused(url, describeFailure(error));
  }
}
