/**
 * Limits for connections: time, memory and their number. Slower or larger ones are closed. A proxy in front may have its own
 * limits, but nothing here relies on them.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer } from './node-http.ts';
import { HEADER_LINES, hasAllHeaders } from './well-formed.ts';

/** The gateway refuses long targets, with quota headers; this only stops far longer ones. */
const HEADER_BYTES = 65_536;
/** For the request line and headers, from the first byte. */
const HEADERS_MS = 10_000;
/** For a whole request, with its body. */
const REQUEST_MS = 20_000;
/** Between two requests. */
const IDLE_MS = 10_000;
/** Without a byte in either direction. A client that stops reading an answer has twice as long. */
const SILENT_MS = 30_000;
/** How often these limits are checked. */
const CHECK_INTERVAL_MS = 2_000;
/** Bodies are not read. Up to this size they are discarded, so that the connection can be reused. */
const BODY_BYTES = 65_536;
/** For a client to receive the last answer on a connection. */
const LINGER_MS = 2_000;
const CONNECTIONS = 4_096;

/**
 * A server without listeners. The caller answers requests without Host and unknown expectations. Repeated header lines are
 * joined: by default Node keeps only the first of some, such as Host and Authorization.
 *
 * @param reportCrowded called when a connection is refused because there are too many
 */
export function createLimitedServer(reportCrowded: (connections: number) => void): Server {
  const server = createServer({
    maxHeaderSize: HEADER_BYTES,
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: IDLE_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    requireHostHeader: false,
    joinDuplicateHeaders: true,
    noDelay: true,
  });
  server.maxConnections = CONNECTIONS;
  server.maxHeadersCount = HEADER_LINES + 1;
  server.timeout = SILENT_MS;
  server.on('drop', () => reportCrowded(CONNECTIONS));
  return server;
}

/** Connections that are still receiving the body of an answered request. */
export const withinBody = new WeakSet<Duplex>();

/**
 * Discards a request's body, if any. If it is too long, the client gets a moment to read the answer before the connection
 * is closed.
 */
export function discardBody(message: IncomingMessage): void {
  const { headers, socket } = message;
  const isBodyless = headers['transfer-encoding'] === undefined && headers['content-length'] === undefined;
  if (isBodyless && hasAllHeaders(message)) return;
  withinBody.add(socket);
  let bytes = 0;
  message.on('end', () => withinBody.delete(socket));
  message.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= BODY_BYTES || message.isPaused()) return;
    message.pause();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  });
}

/** Calls back when all pending answers of a connection are sent or dropped. */
export function whenAnswered(socket: Duplex, callback: () => void): void {
  // Not in Node's types, but Node's own handling of these errors uses it too.
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse | null };
  if (!answer || socket.destroyed) callback();
  else answer.once('close', () => setImmediate(() => whenAnswered(socket, callback)));
}

/**
 * Sends a final response on a connection that `node:http` has abandoned, and closes it. Input is discarded for a moment: if
 * the connection closed at once, the client could lose the response (RFC 9112, 9.6).
 */
export function endConnection(socket: Duplex, response: string): void {
  socket.on('error', () => socket.destroy());
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.on('close', () => clearTimeout(timer));
  socket.on('end', () => socket.destroy());
  socket.end(response);
  socket.resume();
}

/** The address of the peer. */
export function peerAddress(socket: Duplex): string {
  return socket instanceof Socket ? (socket.remoteAddress ?? '') : '';
}
