/** Responses to input that is not a valid request, written to the socket that Node has abandoned. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, TOO_SLOW } from '../api-error.ts';
import { countedAddress } from '../client-address.ts';
import { andThen, type MaybePromise, tryCatch } from '../maybe-promise.ts';
import type { Verdict } from '../quota.ts';
import { refused, type Reply } from '../reply.ts';
import { unknownPath } from '../routes.ts';
import { endConnection, peerAddress, whenAnswered, withinBody } from './connection-limits.ts';
import type { HttpServerParts, OpenLine } from './http-server.ts';
import { STATUS_CODES } from './node-http.ts';
import { HEADER_LINES, malformation, OTHER_VERSION } from './well-formed.ts';

/**
 * Answers input that Node's parser could not read, or not in time, with an error in the envelope, and closes the connection.
 * Pending answers on the connection are sent first.
 */
export function answerUnreadable(parts: HttpServerParts, error: Error, socket: Duplex): void {
  const code = 'code' in error ? error.code : undefined;
  const reason = 'reason' in error ? error.reason : undefined;
  if (code === 'ECONNRESET') socket.destroy();
  // Node reports every packet after the first fault; the response is already being sent.
  if (!socket.writable || givenUp.has(socket)) return;
  givenUp.add(socket);
  whenAnswered(socket, () => {
    const refusal = UNREADABLE.get(reason) ?? UNREADABLE.get(code) ?? NOT_HTTP;
    if (withinBody.has(socket)) endConnection(socket, '');
    else endWith(parts, socket, refusal, parts.accessLog?.begin(null, null));
  });
}

/** Connections that are being closed. */
const givenUp = new WeakSet<Duplex>();

/** CONNECT has no path (RFC 9112, 3.2.3) and is not counted. Node provides only the socket. */
export function refuseConnect(parts: HttpServerParts, message: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => socket.destroy()); // Node no longer listens, and an unhandled error would end the process.
  const line = parts.accessLog?.begin('CONNECT', message.url ?? '');
  whenAnswered(socket, () => endWith(parts, socket, malformation(message) ?? unknownPath(), line));
}

/** Sends a refusal and closes the connection. */
function endWith(parts: HttpServerParts, socket: Duplex, error: ApiError, line: OpenLine | undefined): void {
  void andThen(refusedUncounted(parts, peerAddress(socket), error), (reply) => {
    line?.end(reply.status, reply.body?.length ?? 0, socket.writable);
    endConnection(socket, asHttp(reply));
  });
}

/**
 * A refusal that is not counted, with the quota headers of the sender's address if they can be read.
 */
export function refusedUncounted(parts: HttpServerParts, peer: string, error: ApiError): MaybePromise<Reply> {
  const { current, quotas, reporter } = parts;
  const limits = current.get()?.directory.policy.limits;
  const verdict = tryCatch<Verdict | null>(
    () =>
      andThen(quotas.addressId(countedAddress(peer)), (id) =>
        limits ? quotas.peek({ id, plan: 'address' }, limits) : null,
      ),
    (failure) => {
      reporter.reportNotCounted(failure);
      return null;
    },
  );
  return andThen(verdict, (known) => refused(error, known));
}

const NOT_HTTP = new ApiError(400, 'The request is not valid HTTP. Check its request line and headers.');
/** For Node's parser a space ends the URL, and bytes outside ASCII are invalid (RFC 3986, 2). */
const NOT_ENCODED = new ApiError(
  400,
  'The URL has a character that must be percent-encoded, such as a space or a letter outside ASCII. ' +
    'Encode it as UTF-8; curl does so with: curl -G --data-urlencode "q=TEXT" URL',
);

/** Newer versions of Node also limit header lines, with the same error code. */
const HEADERS_TOO_LARGE = new ApiError(
  431,
  `The request line and headers are too large, or there are more than ${HEADER_LINES} header lines. Send less.`,
);

/** By the code or the reason of Node's error; others: NOT_HTTP. */
const UNREADABLE: ReadonlyMap<unknown, ApiError> = new Map([
  ['HPE_HEADER_OVERFLOW', HEADERS_TOO_LARGE],
  ['HPE_INVALID_URL', NOT_ENCODED],
  ['HPE_INVALID_CONSTANT', NOT_ENCODED],
  ['HPE_PAUSED_H2_UPGRADE', new ApiError(400, 'HTTP/2 is not supported. Use HTTP/1.1.')],
  ['ERR_HTTP_REQUEST_TIMEOUT', TOO_SLOW],
  ['Invalid HTTP version', OTHER_VERSION], // Well formed, as HTTP/1.2.
]);

/** A reply as HTTP/1.1 text, with `Connection: close`. */
function asHttp({ status, headers, body }: Reply): string {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`, 'Connection: close'];
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n${body ? new TextDecoder().decode(body) : ''}`;
}
