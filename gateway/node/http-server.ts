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
import type { CodedBodies } from './coded-bodies.ts';
import type { DurableCounter } from './durable-counter.ts';
import type { NodeSite } from './site.ts';

/** Long targets are refused by the gateway, with the caller's quota; only far longer ones here. */
const HEADER_BYTES = 262_144;
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 10_000;

export interface HttpServerParts {
  readonly gateway: Gateway;
  readonly current: CurrentSnapshot;
  readonly quotas: DurableCounter;
  readonly codedBodies: CodedBodies;
  readonly trustedProxies: number;
  readonly site: NodeSite;
}

/** Requests of `node:http` → the gateway → replies, each sent once its count is safe. */
export function createHttpServer(parts: HttpServerParts): Server {
  const server = createServer({
    maxHeaderSize: HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  server.on('request', (message, response) => respond(parts, message, response));
  server.on('connect', (message, socket) => refuseConnect(parts, message, socket));
  server.on('clientError', (error, socket) => refuseUnreadable(parts, error, socket));
  return server;
}

function respond(parts: HttpServerParts, message: IncomingMessage, response: ServerResponse): void {
  if (parts.site.serves(message)) void respondWithSite(parts, message, response);
  else respondWithApi(parts, message, response);
}

/** The documentation beside the interface. It is not counted; what is no file of it is the gateway's to refuse. */
async function respondWithSite(
  parts: HttpServerParts,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const snapshot = parts.current.get();
  const isSent = snapshot && (await parts.site.respond(message, response, snapshot));
  if (!isSent) respondWithApi(parts, message, response);
}

function respondWithApi(parts: HttpServerParts, message: IncomingMessage, response: ServerResponse): void {
  void andThen(replyTo(parts, message), (reply) =>
    parts.quotas.whenSaved((error) => send(response, reply, error)),
  );
}

function replyTo(parts: HttpServerParts, message: IncomingMessage): Soon<Reply> {
  const { gateway, current, quotas, codedBodies, trustedProxies } = parts;
  const snapshot = current.get();
  if (!snapshot) return refused(NOT_READY, null, message.method === 'HEAD');
  const peer = message.socket.remoteAddress ?? '';
  const request: GatewayRequest = {
    method: message.method ?? 'GET',
    target: asciiTarget(message.url ?? '/'),
    header: (name) => headerOf(message, name),
    coding: preferredCoding(headerOf(message, 'accept-encoding')),
    addressId: () =>
      quotas.addressId(
        countedAddress(clientAddress(peer, headerOf(message, 'x-forwarded-for'), trustedProxies)),
      ),
  };
  return andThen(gateway.handle(request, snapshot), (reply) => codedBodies.finish(reply));
}

function send(response: ServerResponse, reply: Reply, saveError: unknown): void {
  if (response.destroyed) return;
  const { status, headers, body } = saveError === undefined ? reply : refused(UNEXPECTED, null, false);
  response.writeHead(status, [...headers]);
  if (body) response.end(body);
  else response.end();
}

/** CONNECT asks for a tunnel. Node hands over the bare socket, so the reply is written by hand. */
function refuseConnect(parts: HttpServerParts, message: IncomingMessage, socket: Duplex): void {
  void andThen(replyTo(parts, message), (reply) => parts.quotas.whenSaved(() => socket.end(asHttp(reply))));
}

/** What Node's parser could not read has no method and no path: a 400 in the envelope, and the end. */
function refuseUnreadable(parts: HttpServerParts, error: Error, socket: Duplex): void {
  if (!socket.writable || ('code' in error && error.code === 'ECONNRESET')) {
    socket.destroy();
    return;
  }
  const tooLarge = 'code' in error && error.code === 'HPE_HEADER_OVERFLOW';
  const snapshot = parts.current.get();
  const peer =
    'remoteAddress' in socket && typeof socket.remoteAddress === 'string' ? socket.remoteAddress : '';
  const principal = { id: parts.quotas.addressId(countedAddress(peer)), kind: 'address' } as const;
  const verdict = snapshot ? parts.quotas.peek(principal, snapshot.directory.policy.limits) : null;
  void andThen(verdict, (known) =>
    socket.end(asHttp(refused(tooLarge ? HEADERS_TOO_LARGE : UNREADABLE, known, false))),
  );
}

const UNREADABLE = new ApiError(400, 'This is not a readable HTTP request.');

const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
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
