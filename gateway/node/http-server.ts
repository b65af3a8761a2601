import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, HEADERS_TOO_LARGE, NOT_READY, UNEXPECTED } from '../api-error.ts';
import { clientAddress, countedAddress } from '../client-address.ts';
import { preferredCoding } from '../content-coding.ts';
import type { Gateway } from '../gateway.ts';
import type { GatewayRequest } from '../home.ts';
import { refused, type Reply } from '../reply.ts';
import type { CurrentSnapshot } from '../snapshot/current.ts';
import { andThen, type Soon } from '../soon.ts';
import type { AccessLog, OpenLine } from './access-log.ts';
import type { CodedBodies } from './coded-bodies.ts';
import {
  discardBody,
  endConnection,
  giveUp,
  isWithinBody,
  limitConnections,
  limitSending,
  peerOf,
  SERVER_OPTIONS,
  whenAnswered,
} from './connection-limits.ts';
import type { DurableCounter } from './durable-counter.ts';
import { type Probe, probeOf, probeReply } from './health.ts';
import type { NodeSite } from './site.ts';

export interface HttpServerParts {
  readonly gateway: Gateway;
  readonly current: CurrentSnapshot;
  readonly quotas: DurableCounter;
  readonly codedBodies: CodedBodies;
  readonly trustedProxies: number;
  readonly site: NodeSite;
  readonly reporter: HttpReporter;
  /** Undefined: requests are not logged. */
  readonly accessLog: AccessLog | undefined;
}

/** Who is told what the HTTP server cannot help. */
export interface HttpReporter {
  /** Counts could not be written; requests that count are refused with a 500 meanwhile. */
  notCounted(error: unknown): void;
  /** A connection was turned away, since there are so many already. */
  crowded(connections: number): void;
}

/** Requests of `node:http` → the gateway → replies, each sent once its count is safe. */
export function createHttpServer(parts: HttpServerParts): Server {
  const server = createServer(SERVER_OPTIONS);
  limitConnections(server, (connections) => parts.reporter.crowded(connections));
  const answer = (message: IncomingMessage, response: ServerResponse): void =>
    respond(parts, server, message, response);
  server.on('request', answer);
  server.on('checkExpectation', answer); // An expectation other than 100-continue is left aside (RFC 9110, 10.1.1).
  // Nothing here wants a body, so nobody is told to go on with one. (Node's own "100 Continue" would also stand
  // between the head and the body of an answer that waits for others on its connection.)
  server.on('checkContinue', (message, response) => {
    response.shouldKeepAlive = false;
    answer(message, response);
  });
  server.on('connect', (message, socket) => refuseConnect(parts, message, socket));
  server.on('clientError', (error, socket) => refuseUnreadable(parts, error, socket));
  return server;
}

function respond(
  parts: HttpServerParts,
  server: Server,
  message: IncomingMessage,
  response: ServerResponse,
): void {
  discardBody(message);
  // It is being stopped; or a client that asked for another protocol hears that it stays with this one, since
  // Node's parser reads no further then.
  if (!server.listening || message.headers.upgrade !== undefined) response.shouldKeepAlive = false;
  const probe = probeOf(message.method, message.url);
  if (probe) {
    answerProbe(parts, probe, message.method === 'HEAD', response);
    return;
  }
  const line = parts.accessLog?.begin(message.method ?? null, message.url ?? null);
  if (parts.site.serves(message)) void respondWithSite(parts, message, response, line);
  else respondWithApi(parts, message, response, line);
}

/** The documentation beside the interface. It is not counted; what is no file of it is the gateway's to refuse. */
async function respondWithSite(
  parts: HttpServerParts,
  message: IncomingMessage,
  response: ServerResponse,
  line: OpenLine | undefined,
): Promise<void> {
  const snapshot = parts.current.get();
  const isSent = snapshot && (await parts.site.respond(message, response, snapshot));
  if (isSent) {
    line?.end(response.statusCode, bytesOf(response), !response.destroyed);
    limitSending(message.socket);
  } else respondWithApi(parts, message, response, line);
}

function bytesOf(response: ServerResponse): number {
  return Number(response.getHeader('Content-Length') ?? 0);
}

function respondWithApi(
  parts: HttpServerParts,
  message: IncomingMessage,
  response: ServerResponse,
  line: OpenLine | undefined,
): void {
  void andThen(replyTo(parts, message, line), (reply) =>
    parts.quotas.whenSaved((error) => send(parts, response, reply, error, line)),
  );
}

function answerProbe(parts: HttpServerParts, probe: Probe, head: boolean, to: ServerResponse): void {
  if (probe === 'live') write(to, probeReply(probe, true, head));
  else void isReady(parts).then((ready) => write(to, probeReply(probe, ready, head)));
}

/** Whether there is a snapshot, and counts can be read and written. */
export async function isReady({
  current,
  quotas,
}: Pick<HttpServerParts, 'current' | 'quotas'>): Promise<boolean> {
  const snapshot = current.get();
  if (!snapshot) return false;
  try {
    await quotas.peek(NOBODY, snapshot.directory.policy.limits);
  } catch {
    return false;
  }
  return new Promise((resolve) => quotas.whenSaved((error) => resolve(error === undefined)));
}

/** Whose requests nobody sends. */
const NOBODY = { id: 'nobody', kind: 'address' } as const;

function replyTo(parts: HttpServerParts, message: IncomingMessage, log: OpenLine | undefined): Soon<Reply> {
  const { gateway, current, quotas, codedBodies, trustedProxies } = parts;
  const snapshot = current.get();
  if (!snapshot) return refused(NOT_READY, null, message.method === 'HEAD');
  const peer = peerOf(message.socket);
  // RFC 9112, 3.2. Node would refuse it too, but not in the envelope.
  if (message.headers.host === undefined && message.httpVersion === '1.1') {
    return refusedUncounted({ current, quotas }, peer, NO_HOST);
  }
  const request: GatewayRequest = {
    method: message.method ?? 'GET',
    target: asciiTarget(message.url ?? '/'),
    header: (name) => headerOf(message, name),
    coding: preferredCoding(headerOf(message, 'accept-encoding')),
    addressId: () =>
      quotas.addressId(
        countedAddress(clientAddress(peer, headerOf(message, 'x-forwarded-for'), trustedProxies)),
      ),
    log,
  };
  return andThen(gateway.handle(request, snapshot), (reply) => codedBodies.finish(reply));
}

function send(
  parts: HttpServerParts,
  response: ServerResponse,
  counted: Reply,
  saveError: unknown,
  line: OpenLine | undefined,
): void {
  if (saveError !== undefined) parts.reporter.notCounted(saveError);
  const reply = saveError === undefined ? counted : refused(UNEXPECTED, null, counted.body === null);
  const isThere = !response.destroyed;
  if (isThere) write(response, reply);
  line?.end(reply.status, reply.body?.length ?? 0, isThere);
}

function write(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, [...headers]);
  if (body) response.end(body);
  else response.end();
  limitSending(response.req.socket); // Its own is null while others are due before it.
}

/** CONNECT asks for a tunnel. Node hands over the bare socket, so the reply is written by hand. */
function refuseConnect(parts: HttpServerParts, message: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => socket.destroy()); // Node listens no more, and an error would end the process.
  const line = parts.accessLog?.begin('CONNECT', message.url ?? null);
  void andThen(replyTo(parts, message, line), (counted) =>
    parts.quotas.whenSaved((error) => {
      if (error !== undefined) parts.reporter.notCounted(error);
      const reply = error === undefined ? counted : refused(UNEXPECTED, null, false);
      line?.end(reply.status, reply.body?.length ?? 0, socket.writable);
      whenAnswered(socket, () => endConnection(socket, asHttp(reply)));
    }),
  );
}

/**
 * What Node's parser could not read, or did not get in time, has no method and no path: an error in the
 * envelope, and the end. Answers that are due before it on the same connection come first.
 */
function refuseUnreadable(parts: HttpServerParts, error: Error, socket: Duplex): void {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ECONNRESET') socket.destroy();
  // Node tells of every packet that comes after the first fault; the last words are being said by then.
  if (!socket.writable || !giveUp(socket)) return;
  whenAnswered(socket, () => {
    if (isWithinBody(socket)) {
      endConnection(socket, '');
      return;
    }
    const line = parts.accessLog?.begin(null, null);
    void andThen(refusedUncounted(parts, peerOf(socket), UNREADABLE.get(code) ?? NOT_HTTP), (reply) => {
      line?.end(reply.status, reply.body?.length ?? 0, socket.writable);
      endConnection(socket, asHttp(reply));
    });
  });
}

/** What is no request counts for nobody, but its sender is told how its address stands. */
function refusedUncounted(
  { current, quotas }: Pick<HttpServerParts, 'current' | 'quotas'>,
  peer: string,
  error: ApiError,
): Soon<Reply> {
  const limits = current.get()?.directory.policy.limits;
  const principal = { id: quotas.addressId(countedAddress(peer)), kind: 'address' } as const;
  const verdict = limits ? quotas.peek(principal, limits) : null;
  return andThen(verdict, (known) => refused(error, known, false));
}

const NO_HOST = new ApiError(400, 'The request has no Host header. Send the name of the site it is for.');
const NOT_HTTP = new ApiError(400, 'This is not a readable HTTP request.');

/** By the code of Node's error; all else is no HTTP. */
const UNREADABLE: ReadonlyMap<unknown, ApiError> = new Map([
  ['HPE_HEADER_OVERFLOW', HEADERS_TOO_LARGE],
  ['ERR_HTTP_REQUEST_TIMEOUT', new ApiError(408, 'The request did not come in time. Send it again.')],
]);

const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** A reply as the bytes of HTTP/1.1, after which the connection ends. */
function asHttp({ status, headers, body }: Reply): string {
  const lines = [`HTTP/1.1 ${status} ${STATUS_TEXT[status] ?? 'Error'}`, 'Connection: close'];
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n${body ? new TextDecoder().decode(body) : ''}`;
}

function headerOf(message: IncomingMessage, name: string): string | undefined {
  const value = message.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/**
 * The path and query in ASCII. Clients that do not encode what they send put raw UTF-8 on the wire, which
 * Node gives as one character a byte. A whole URL (RFC 9112, 3.2.2) loses its scheme and host.
 */
function asciiTarget(url: string): string {
  const target = /[\x80-\xff]/.test(url)
    ? url.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`)
    : url;
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '') || '/';
}
