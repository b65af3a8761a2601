import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { NOT_READY, UNEXPECTED } from '../api-error.ts';
import { clientAddress, countedAddress } from '../client-address.ts';
import type { Gateway } from '../gateway.ts';
import type { Caller } from '../caller.ts';
import type { GatewayRequest, Reporter } from '../home.ts';
import { refused, type Reply } from '../reply.ts';
import type { CurrentSnapshot } from '../snapshot/current.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { andThen, type MaybePromise, tryCatch } from '../maybe-promise.ts';
import { ownText } from '../own-text.ts';
import { type Encode, preferredCoding, withoutCoding } from './content-coding.ts';
import { createLimitedServer, discardBody, peerAddress } from './connection-limits.ts';
import { findProbe, probeReply } from '../health.ts';
import type { ServerCounter } from './server-counter.ts';
import { RepeatedBodies } from './repeated-bodies.ts';
import { answerUnreadable, refuseConnect, refusedUncounted } from './unreadable.ts';
import { hasDoubtfulEnd, malformation, originForm } from './well-formed.ts';

/** Addresses whose ids are in memory. */
const ADDRESSES_KEPT = 5000;
/** Longer ones have a zone, which is not needed. */
const ADDRESS_MAX = 64;

export interface HttpServerParts {
  readonly gateway: Gateway;
  readonly current: CurrentSnapshot;
  /** Reads the pointer now, and its snapshot. */
  readonly newest: () => Promise<Snapshot>;
  readonly quotas: ServerCounter;
  readonly encode: Encode;
  readonly trustedProxies: number;
  readonly reporter: HttpReporter;
  /** Whether the server is about to stop: it is not ready, and each answer is the last on its connection. */
  readonly isStopping?: () => boolean;
  /** Undefined: requests are not logged. */
  readonly accessLog?: RequestLines | undefined;
}

/** A log of requests. */
export interface RequestLines {
  /** A request has arrived; null: unreadable. @param target as sent */
  begin(method: string | null, target: string | null): OpenLine;
}

/** A request that is being answered. */
export interface OpenLine {
  readonly id: string;
  /** The caller is known. */
  setCaller(caller: Caller): void;
  /** It is answered, or the client disconnected. @param bytes of the body */
  end(status: number, bytes: number, wasSent: boolean): void;
}

/** Receives the failures of the HTTP server. */
export interface HttpReporter extends Reporter {
  /** Counts could not be read or written; requests that count get a 500 meanwhile. */
  reportNotCounted(error: unknown): void;
  /** A connection was refused because there are too many. */
  reportCrowded(connections: number): void;
  /** An error outside of any readable request. */
  reportUnexpected(error: unknown): void;
}

/**
 * Connects `node:http` to the gateway. A reply is sent after its count is stored. Every failure ends in `fail`: it is
 * reported, and the client gets a 500 if nothing was sent.
 */
export function createHttpServer(given: HttpServerParts): Server {
  const parts = { ...given, addressId: addressIds(given.quotas), repeated: new RepeatedBodies() };
  const server = createLimitedServer((connections) => parts.reporter.reportCrowded(connections));
  const answer = (message: IncomingMessage, response: ServerResponse): void =>
    respond(parts, server, message, response);
  server.on('request', answer);
  server.on('checkExpectation', answer); // Unknown expectations are ignored (RFC 9110, 10.1.1).
  // No body is wanted, so no "100 Continue" is sent. (Node's own could also get between the head and the body of an
  // answer that waits for others on its connection.)
  server.on('checkContinue', (message, response) => {
    response.shouldKeepAlive = false;
    answer(message, response);
  });
  server.on('connect', (message, socket) => refuseConnect(parts, message, socket));
  server.on('clientError', (error, socket) => answerUnreadable(parts, error, socket));
  return server;
}

interface Parts extends HttpServerParts {
  readonly repeated: RepeatedBodies;
  readonly addressId: (address: string) => MaybePromise<string>;
}

function respond(parts: Parts, server: Server, message: IncomingMessage, response: ServerResponse): void {
  const { method = 'GET' } = message;
  const target = originForm(message.url ?? '/');
  const probe = findProbe(method, target);
  const line = probe ? undefined : parts.accessLog?.begin(method, target);
  /** Sends a reply if the client is still connected, and completes the log line. */
  const finish = (reply: Reply): void => {
    const isThere = !response.destroyed;
    const body = (method !== 'HEAD' && reply.body) || undefined;
    if (isThere) {
      const { body: whole, etag = null } = reply.representation ?? {};
      const text = body && parts.repeated.getText(body, body === whole ? etag : null);
      response.writeHead(reply.status, reply.headers).end(text ?? body, 'latin1');
    }
    line?.end(reply.status, body?.length ?? 0, isThere);
  };
  const fail = (error: unknown): void => {
    parts.reporter.reportError(error, { method, target, log: line });
    if (response.writableEnded) return;
    if (response.headersSent) response.destroy();
    else finish(refused(UNEXPECTED, null));
  };
  void tryCatch(() => {
    discardBody(message);
    const error = malformation(message);
    // After a request for an upgrade Node's parser stops reading.
    const isLast = error !== null || message.headers.upgrade !== undefined || hasDoubtfulEnd(message);
    const isStopping = !server.listening || (parts.isStopping?.() ?? false);
    if (isLast || isStopping) response.shouldKeepAlive = false;
    if (error) return andThen(refusedUncounted(parts, peerAddress(message.socket), error), finish);
    if (probe) {
      const isUp = probe === 'live' || (!isStopping && isReady(parts));
      return andThen(isUp, (answer) => finish(probeReply(probe, answer)));
    }
    return andThen(replyTo(parts, message, target, line), (reply) =>
      parts.quotas.whenSaved((error) => {
        void tryCatch(() => {
          if (error === undefined) return finish(reply);
          parts.reporter.reportNotCounted(error);
          finish(refused(UNEXPECTED, null));
        }, fail);
      }),
    );
  }, fail);
}

/** Whether there is a snapshot, and requests can be counted. */
export async function isReady(parts: Pick<HttpServerParts, 'current' | 'quotas'>): Promise<boolean> {
  const limits = parts.current.get()?.directory.policy.limits;
  return limits !== undefined && parts.quotas.isUsable(limits).catch(() => false);
}

function replyTo(
  { gateway, current, newest, encode, trustedProxies, addressId }: Parts,
  message: IncomingMessage,
  target: string,
  log: OpenLine | undefined,
): MaybePromise<Reply> {
  const { method = 'GET' } = message;
  const snapshot = current.get();
  if (!snapshot) return refused(NOT_READY, null);
  const peer = peerAddress(message.socket);
  const coding = preferredCoding(getHeader(message, 'accept-encoding'));
  const request: GatewayRequest = {
    method,
    target,
    header(name) {
      const value = getHeader(message, name);
      return name === 'if-match' || name === 'if-none-match' ? withoutCoding(value, coding) : value;
    },
    addressId: () => addressId(clientAddress(peer, getHeader(message, 'x-forwarded-for'), trustedProxies)),
    onIdentified: (caller) => log?.setCaller(caller),
    log,
  };
  return andThen(gateway.handle(request, snapshot, newest), (reply) => encode(reply, coding));
}

/** The ids of addresses, as clients have them. Parsing and hashing one takes 7 µs. */
function addressIds(quotas: ServerCounter): (address: string) => MaybePromise<string> {
  const known = new LRUCache<string, string>({ max: ADDRESSES_KEPT });
  return (address) => {
    const kept = known.get(address);
    if (kept !== undefined) return kept;
    const id = quotas.addressId(countedAddress(address));
    // While counts cannot be reached, it is a promise of a substitute.
    if (!(id instanceof Promise) && address.length <= ADDRESS_MAX) known.set(ownText(address), id);
    return id;
  };
}

function getHeader(message: IncomingMessage, name: string): string | undefined {
  const value = message.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
