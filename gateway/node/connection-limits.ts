/**
 * What one connection may take: of time, of memory, and how many there may be. What is slower or larger
 * is cut off; the proxy in front has limits of its own, but nothing here relies on them.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { HEADER_LINES, hasWholeHeaders } from './well-formed.ts';

/** Long targets are refused by the gateway, with the caller's quota; only far longer ones here. */
const HEADER_BYTES = 131_072;
/** For the request line and headers, from the first byte on. */
const HEADERS_MS = 10_000;
/** For a whole request, body and all. */
const REQUEST_MS = 20_000;
/** Between two requests. */
const IDLE_MS = 10_000;
/** For a client to take the next piece of an answer that did not fit into the socket's buffer at once. */
const SENDING_MS = 20_000;
/** Without a byte in either direction, whatever goes on. */
const SILENT_MS = 30_000;
/** How often these are looked at. */
const LOOKING_MS = 2_000;
/** Nothing here reads a body. So much is taken and thrown away, so that the connection can go on. */
const BODY_BYTES = 65_536;
/** For a client to take the answer after which its connection ends. */
const FAREWELL_MS = 2_000;
const CONNECTIONS = 4_096;

/**
 * A server without listeners. Requests without Host, and expectations other than 100-continue, are left to the caller to
 * answer. Repeated header lines are joined: of some, such as Host and Authorization, Node would keep the first alone.
 *
 * @param crowded is told when a connection is turned away because there are too many
 */
export function createLimitedServer(crowded: (connections: number) => void): Server {
  const server = createServer({
    maxHeaderSize: HEADER_BYTES,
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: IDLE_MS,
    connectionsCheckingInterval: LOOKING_MS,
    requireHostHeader: false,
    joinDuplicateHeaders: true,
    noDelay: true,
  });
  server.maxConnections = CONNECTIONS;
  server.maxHeadersCount = HEADER_LINES + 1;
  server.timeout = SILENT_MS;
  server.on('drop', () => crowded(CONNECTIONS));
  return server;
}

/** Connections within a body whose request has its answer: no other may follow. */
export const withinBody = new WeakSet<Duplex>();

/**
 * Throws away the body of a request, should it have one. It is answered without: where there is no end
 * to the body, the client gets a moment to read that answer, and the connection goes.
 */
export function discardBody(message: IncomingMessage): void {
  const { headers, socket } = message;
  const isBodyless = headers['transfer-encoding'] === undefined && headers['content-length'] === undefined;
  if (isBodyless && hasWholeHeaders(message)) return;
  withinBody.add(socket);
  let bytes = 0;
  message.on('end', () => withinBody.delete(socket));
  message.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= BODY_BYTES || message.isPaused()) return;
    message.pause();
    setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
  });
}

const watched = new WeakSet<Socket>();

/** After an answer was handed over: a client that takes none of it for long is cut off. */
export function limitSending(socket: Socket): void {
  if (socket.writableLength === 0 || watched.has(socket)) return;
  watched.add(socket);
  let taken = 0;
  let stalledMs = 0;
  const watching = setInterval(() => {
    const takenNow = socket.bytesWritten - socket.writableLength;
    stalledMs = takenNow > taken ? 0 : stalledMs + LOOKING_MS;
    taken = takenNow;
    if (stalledMs >= SENDING_MS) socket.destroy();
    if (socket.writableLength > 0 && !socket.destroyed) return;
    clearInterval(watching);
    watched.delete(socket);
  }, LOOKING_MS);
  watching.unref();
}

/** Calls back once every answer that is due on a connection has left, or never will. */
export function whenAnswered(socket: Duplex, callback: () => void): void {
  // The answer under way is not in Node's types, but Node's own handling of these errors goes by it too.
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse | null };
  if (!answer || socket.destroyed) callback();
  else answer.once('close', () => setImmediate(() => whenAnswered(socket, callback)));
}

/**
 * Says the last words on a connection that `node:http` has given up, and closes it. What the client still
 * sends is thrown away for a moment: closed at once, it would lose the answer (RFC 9112, 9.6).
 */
export function endConnection(socket: Duplex, lastWords: string): void {
  socket.on('error', () => socket.destroy());
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const timer = setTimeout(() => socket.destroy(), FAREWELL_MS);
  socket.on('close', () => clearTimeout(timer));
  socket.on('end', () => socket.destroy());
  socket.end(lastWords);
  socket.resume();
}

/** The address of who is at the other end. */
export function peerOf(socket: Duplex): string {
  return socket instanceof Socket ? (socket.remoteAddress ?? '') : '';
}
