import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { NOT_READY, UNEXPECTED } from '../api-error.ts';
import { clientAddress, countedAddress } from '../client-address.ts';
import type { Gateway } from '../gateway.ts';
import type { GatewayRequest, Reporter, RequestLog } from '../home.ts';
import { refused, type Reply } from '../reply.ts';
import type { CurrentSnapshot } from '../snapshot/current.ts';
import { andThen, catching, type MaybePromise } from '../maybe-promise.ts';
import { type Encode, preferredCoding, withoutCoding } from './content-coding.ts';
import { createLimitedServer, discardBody, limitSending, peerOf } from './connection-limits.ts';
import { probeOf, probeReply } from '../health.ts';
import type { SqliteQuotaCounter } from './sqlite-quota-counter.ts';
import { refuseConnect, refusedUncounted, refuseUnreadable } from './unreadable.ts';
import { malformation, originForm } from './well-formed.ts';

export interface HttpServerParts {
  readonly gateway: Gateway;
  readonly current: CurrentSnapshot;
  readonly quotas: SqliteQuotaCounter;
  readonly encode: Encode;
  readonly trustedProxies: number;
  readonly reporter: HttpReporter;
  /** Undefined: requests are not logged. */
  readonly accessLog?: RequestLines | undefined;
}

/** A log of requests. */
export interface RequestLines {
  /** A request has come; null where it could not be read. @param target as sent */
  begin(method: string | null, target: string | null): OpenLine;
}

/** A request that is being answered. */
export interface OpenLine extends RequestLog {
  /** It has been answered, or would have been, had the client stayed. @param bytes of the body */
  end(status: number, bytes: number, wasSent: boolean): void;
}

/** Who is told what the HTTP server cannot help. */
export interface HttpReporter extends Reporter {
  /** Counts could not be read or written; requests that count are refused with a 500 meanwhile. */
  notCounted(error: unknown): void;
  /** A connection was turned away, since there are so many already. */
  crowded(connections: number): void;
  /** An error that belongs to no request, or to none that could be read. */
  unexpected(error: unknown): void;
}

/**
 * Requests of `node:http` → the gateway → replies, each sent once its count is safe. Whatever fails while one is
 * answered ends in `fail`: reported, a 500 where none has been sent, and the next request is answered.
 */
export function createHttpServer(parts: HttpServerParts): Server {
  const server = createLimitedServer((connections) => parts.reporter.crowded(connections));
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
  const { method = 'GET' } = message;
  const target = originForm(message.url ?? '/');
  const probe = probeOf(method, target);
  const line = probe ? undefined : parts.accessLog?.begin(method, target);
  /** Sends a reply, if anybody is still there, and ends its line of the log. */
  const finish = (reply: Reply): void => {
    const isThere = !response.destroyed;
    const body = (method !== 'HEAD' && reply.body) || undefined;
    if (isThere) {
      response.writeHead(reply.status, [...reply.headers]).end(body);
      limitSending(message.socket);
    }
    line?.end(reply.status, body?.length ?? 0, isThere);
  };
  const fail = (error: unknown): void => {
    parts.reporter.failed(error, { method, target, log: line });
    if (response.writableEnded) return;
    if (response.headersSent) response.destroy();
    else finish(refused(UNEXPECTED, null));
  };
  void catching(() => {
    discardBody(message);
    // It is being stopped; or a client that asked for another protocol hears that it stays with this one, since
    // Node's parser reads no further then.
    if (!server.listening || message.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    const error = malformation(message);
    if (error) {
      response.shouldKeepAlive = false;
      return finish(refusedUncounted(parts, peerOf(message.socket), error));
    }
    if (probe) return andThen(probe === 'live' || isReady(parts), (isSo) => finish(probeReply(probe, isSo)));
    return andThen(replyTo(parts, message, target, line), (reply) =>
      parts.quotas.whenSaved((error) => {
        void catching(() => {
          if (error === undefined) return finish(reply);
          parts.reporter.notCounted(error);
          finish(refused(UNEXPECTED, null));
        }, fail);
      }),
    );
  }, fail);
}

/** Whether there is a snapshot, and counts can be read and written. */
export async function isReady(parts: Pick<HttpServerParts, 'current' | 'quotas'>): Promise<boolean> {
  const limits = parts.current.get()?.directory.policy.limits;
  if (!limits) return false;
  const saved = new Promise<boolean>((resolve) => {
    parts.quotas.peek(NOBODY, limits);
    parts.quotas.whenSaved((error) => resolve(error === undefined));
  });
  return saved.catch(() => false);
}

/** Whose requests nobody sends. */
const NOBODY = { id: 'nobody', kind: 'address' } as const;

function replyTo(
  { gateway, current, quotas, encode, trustedProxies }: HttpServerParts,
  message: IncomingMessage,
  target: string,
  log: OpenLine | undefined,
): MaybePromise<Reply> {
  const { method = 'GET' } = message;
  const snapshot = current.get();
  if (!snapshot) return refused(NOT_READY, null);
  const peer = peerOf(message.socket);
  const coding = preferredCoding(headerOf(message, 'accept-encoding'));
  const request: GatewayRequest = {
    method,
    target,
    header(name) {
      const value = headerOf(message, name);
      return name === 'if-match' || name === 'if-none-match' ? withoutCoding(value, coding) : value;
    },
    addressId: () =>
      quotas.addressId(
        countedAddress(clientAddress(peer, headerOf(message, 'x-forwarded-for'), trustedProxies)),
      ),
    log,
  };
  return andThen(gateway.handle(request, snapshot), (reply) => encode(reply, coding));
}

function headerOf(message: IncomingMessage, name: string): string | undefined {
  const value = message.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
