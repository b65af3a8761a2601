/**
 * The admin address: metrics, and rebuilds on request. It is separate from the API's address, so that a proxy or a
 * firewall can restrict it to operators.
 *
 *   GET  /metrics   metrics in the OpenMetrics format
 *   POST /rebuild   import and build now, if something changed; needs the token
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen, urlOf } from '../place.ts';
import type { AdminAddress } from './address.ts';
import type { Metrics } from './metrics.ts';

export interface AdminParts {
  readonly metrics: Metrics;
  /** Handles `POST /rebuild`, and continues after the answer; null: this command does not build. */
  readonly rebuild: () => (() => void) | null;
  /** Undefined: rebuilds are forbidden. */
  readonly token: string | undefined;
}

export interface AdminServer {
  /** `http://127.0.0.1:9090` */
  readonly url: string;
  close(): void;
}

/** @throws CannotListen */
export async function serveAdmin({ host, port }: AdminAddress, parts: AdminParts): Promise<AdminServer> {
  const server = createServer((request, response) => {
    answer(parts, request, response).catch(() => response.destroy());
  });
  await listen(server, host, port, '--admin');
  server.unref(); // A process that fails to start can exit.
  return {
    url: urlOf(server, host),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(parts: AdminParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  request.resume();
  const path = (request.url ?? '/').replace(/\?.*$/, '');
  response.setHeader('Cache-Control', 'no-store').setHeader('X-Content-Type-Options', 'nosniff');
  if (path === '/metrics' && (request.method === 'GET' || request.method === 'HEAD')) {
    const { metrics } = parts;
    response.setHeader('Content-Type', metrics.contentType).end(await metrics.text());
    return;
  }
  const [status, message] = path === '/rebuild' ? rebuild(parts, request) : elsewhere(path);
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (status === 405) response.setHeader('Allow', path === '/metrics' ? 'GET, HEAD' : 'POST');
  const body = { success: status < 400, ...(status < 400 ? { data: { status: message } } : { message }) };
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

type Outcome = readonly [status: number, message: string];

function elsewhere(path: string): Outcome {
  if (path === '/metrics') return [405, 'Use GET.'];
  return [
    404,
    'Here are GET /metrics and POST /rebuild. The API has an address of its own: --host and --port.',
  ];
}

function rebuild(parts: AdminParts, { method, headers }: IncomingMessage): Outcome {
  if (method !== 'POST') return [405, 'Use POST.'];
  const { token } = parts;
  const run = parts.rebuild();
  if (run === null) return [404, 'This command builds nothing: it is "serve". "start" does.'];
  if (token === undefined)
    return [403, `Nobody may rebuild: set OFFPRINT_ADMIN_TOKEN where Offprint is started.`];
  const [, given] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (given === undefined || !isSame(given, token))
    return [401, `Send "Authorization: Bearer" and the value of OFFPRINT_ADMIN_TOKEN.`];
  run();
  return [202, 'looking for changes'];
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}
