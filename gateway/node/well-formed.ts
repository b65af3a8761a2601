/**
 * Requests that HTTP requires to refuse first: incomplete headers, another major version (RFC 9110, 15.6.6), an ambiguous
 * host (RFC 9112, 3.2), a body of unknown length (6.1).
 */
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { ApiError } from '../api-error.ts';

/**
 * Maximum number of header lines. Node silently drops lines above its own limit, which is one higher: so a request with
 * dropped lines always exceeds this one.
 */
export const HEADER_LINES = 1_000;

/** Whether all header lines were kept. Otherwise the headers are meaningless. */
export function hasAllHeaders({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length <= 2 * HEADER_LINES; // Names and values in turn.
}

/** Why a request must be refused; null: it is well formed. */
export function malformation(message: IncomingMessage): ApiError | null {
  if (!hasAllHeaders(message)) return TOO_MANY_LINES;
  if (message.httpVersionMajor === 0) return NO_VERSION;
  if (message.httpVersionMajor !== 1) return OTHER_VERSION;
  const coding = message.headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return UNKNOWN_CODING;
  const { host } = message.headers; // Repeated lines are joined by a comma, which no host contains.
  if (host === undefined && message.httpVersion === '1.1') return NO_HOST;
  const { authority } = splitTarget(message.url ?? '');
  return isAuthority(host) && isAuthority(authority) ? null : BAD_HOST;
}

/** Whether the end of the body is in doubt: HTTP/1.0 has no Transfer-Encoding, so proxies may see another (RFC 9112, 6.1). */
export function hasDoubtfulEnd({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.0' && headers['transfer-encoding'] !== undefined;
}

/** Path and query of a request target, which may be a complete URL (RFC 9112, 3.2.2). */
export function originForm(url: string): string {
  return splitTarget(url).path;
}

/** Of any scheme, as a Worker takes it: the request is here whatever it names. */
const WHOLE_URL = /^[a-z]+:\/\/([^/?#]*)(.*)$/is;

function splitTarget(url: string): { readonly path: string; readonly authority?: string | undefined } {
  if (url.startsWith('/')) return { path: url };
  const [, authority, rest = url] = WHOLE_URL.exec(url) ?? [];
  return { path: authority === undefined || rest.startsWith('/') ? rest : `/${rest}`, authority };
}

/**
 * Host and port (RFC 3986, 3.2): a name, an IPv4 address, or an IPv6 address in brackets. Stricter in three ways: names are
 * not empty (RFC 9110, 4.2.1) and have no comma, which joins repeated lines; IPv6 has no zone (RFC 6874, 4).
 */
const AUTHORITY = /^(?:\[([\da-f:.]+)\]|(?:[\w\-.~!$&'()*+;=]|%[\da-f]{2})+)(?::(\d*))?$/i;

/** Nearly all requests name the same host. */
let lastAuthority: string | undefined;

/** @param text undefined: none */
function isAuthority(text: string | undefined): boolean {
  if (text === lastAuthority || text === undefined) return true;
  const [whole, ipv6, port] = AUTHORITY.exec(text) ?? [];
  const isOne = whole !== undefined && (ipv6 === undefined || isIPv6(ipv6)) && Number(port ?? 0) <= 65_535;
  if (isOne) lastAuthority = text;
  return isOne;
}

const TOO_MANY_LINES = new ApiError(
  431,
  `The request has more than ${HEADER_LINES} header lines. Send fewer.`,
);
const NO_VERSION = new ApiError(400, 'The request line has no HTTP version. Use HTTP/1.1.');
export const OTHER_VERSION = new ApiError(505, 'This version of HTTP is not supported. Use HTTP/1.1.');
const UNKNOWN_CODING = new ApiError(
  400,
  'The request has a Transfer-Encoding other than chunked, so its end is unknown. Send it without a body.',
);
const NO_HOST = new ApiError(400, 'The request has no Host header. Send the name of the site it is for.');
const BAD_HOST = new ApiError(
  400,
  'The Host header, or the host in the URL, is not one host with an optional port. Send "Host: NAME" once.',
);
