/**
 * The replies on one connection, parsed strictly, and the rules for each.
 */
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface RawReply {
  readonly status: number;
  /** @param name in lower case; undefined if it is absent */
  header(name: string): string | undefined;
  readonly body: string;
}

/** The bytes of a connection are not a sequence of HTTP replies. */
export class NoReplies extends Error {
  override name = 'NoReplies';
}

/**
 * Splits bytes into complete replies. A reply may have no body despite Content-Length (HEAD), so a reply ends where
 * the next begins: no JSON body starts like a status line.
 *
 * @param isEnd whether no more bytes will arrive
 * @throws NoReplies
 */
export function readReplies(
  bytes: Buffer,
  isEnd: boolean,
): { readonly replies: RawReply[]; readonly rest: number } {
  const replies: RawReply[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n\r\n', at);
    if (end === -1) break;
    const [first = '', ...lines] = bytes.toString('latin1', at, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) [A-Z]/.exec(first)?.[1]);
    if (!(status >= 100)) throw new NoReplies(`a reply begins with ${JSON.stringify(first.slice(0, 80))}`);
    const headers = new Map<string, string>();
    for (const line of lines) {
      const colon = line.indexOf(': ');
      const name = line.slice(0, colon).toLowerCase();
      if (colon < 1 || headers.has(name)) throw new NoReplies(`a reply has the line ${JSON.stringify(line)}`);
      headers.set(name, line.slice(colon + 2));
    }
    const start = end + 4;
    const length = Number(headers.get('content-length') ?? 0);
    const isBodyless =
      status < 200 ||
      status === 204 ||
      status === 304 ||
      bytes.toString('latin1', start, start + 7) === 'HTTP/1.';
    const next = isBodyless ? start : start + length;
    const wholeBody = next <= bytes.length;
    const isHeadOfLast = start === bytes.length && isEnd;
    if (!wholeBody && !isHeadOfLast) break;
    const body = wholeBody ? decoded(bytes.subarray(start, next), headers.get('content-encoding')) : '';
    replies.push({ status, header: (name) => headers.get(name), body });
    at = Math.min(next, bytes.length);
  }
  return { replies, rest: bytes.length - at };
}

/**
 * Sends bytes, and returns all replies until the connection ends.
 *
 * @param isAll whether the client closes its side after the first reply, so that the service need not wait
 */
export function repliesTo(url: string, bytes: string | Buffer, isAll: boolean): Promise<RawReply[]> {
  return new Promise((resolve) => {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
    if (isAll) socket.once('data', () => socket.end());
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => undefined); // The service may close while the rest is being sent.
    socket.on('close', () => resolve(readReplies(Buffer.concat(chunks), true).replies));
    socket.write(bytes);
  });
}

function decoded(body: Buffer, coding: string | undefined): string {
  if (body.length === 0 || coding === undefined) return body.toString('utf8');
  return (coding === 'br' ? brotliDecompressSync(body) : gunzipSync(body)).toString('utf8');
}

const JSON_TYPE = 'application/json; charset=utf-8';
const STATUSES = new Set([100, 200, 204, 304, 400, 401, 403, 404, 405, 408, 412, 414, 422, 429, 431, 505]);

/** What is wrong with a reply, whatever the request; null: nothing. */
export function faultOf(reply: RawReply, hidden: string): string | null {
  const { status, body } = reply;
  if (!STATUSES.has(status)) return `the status is ${status}: ${body.slice(0, 200)}`;
  if (status === 100) return null;
  // A page of the documentation, outside of the interface.
  if (status === 200 && reply.header('content-type') !== JSON_TYPE) return null;
  if (reply.header('x-quota-limit') === undefined) return `no quota on a ${status}`;
  if (reply.header('access-control-allow-origin') !== '*') return `no CORS on a ${status}`;
  if (body.includes(hidden)) return 'a request inside a body was answered';
  if (/node_modules|\.[tj]s:\d|SQLITE|ENOENT|\n\s+at /.test(body) && status !== 200)
    return `it tells too much: ${body}`;
  if (body === '') return null;
  return reply.header('content-type') === JSON_TYPE ? envelopeFault(status, body) : 'it is no JSON';
}

function envelopeFault(status: number, body: string): string | null {
  let envelope: unknown;
  try {
    envelope = JSON.parse(body);
  } catch {
    return `the body is no JSON: ${body.slice(0, 100)}`;
  }
  if (typeof envelope !== 'object' || envelope === null) return 'the body is no envelope';
  const { success, message, ...rest } = envelope as Record<string, unknown>;
  if (status === 200) return success === true && 'data' in rest ? null : 'a 200 is no success';
  if (success !== false || typeof message !== 'string' || message === '') return `a ${status} has no message`;
  return 'errors' in rest === (status === 422) && !('data' in rest) ? null : `a ${status} has a wrong shape`;
}
