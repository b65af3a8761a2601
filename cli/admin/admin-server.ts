/**
 * The admin address: metrics, rebuilds on request, accounts and keys. It is separate from the API's address, so that a
 * proxy or a firewall can restrict it to operators.
 *
 *   GET  /metrics          metrics in the OpenMetrics format
 *   POST /rebuild          import and build now, if something changed; needs the token
 *   /accounts/…, /keys/…   accounts-routes.ts; need the token
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ExplainedError } from '../../common/errors.ts';
import { createServer } from '../../gateway/node/node-http.ts';
import type { AdminAddress } from '../options.ts';
import { listen, serverUrl } from '../place.ts';
import {
  type AccountsAnswer,
  accountsMethods,
  type AccountsRequest,
  FAILED,
  failureLine,
} from './accounts-routes.ts';
import type { Admin } from './admin.ts';
import { Metrics } from './metrics.ts';

/** What a command that builds can do on request. */
export interface AdminWork {
  /** Handles `POST /rebuild`, and continues after the answer. */
  readonly rebuild: () => void;
  readonly accounts: (request: AccountsRequest) => Promise<AccountsAnswer>;
  /** The database. */
  readonly db: string;
}

interface AdminParts {
  readonly metrics: Metrics;
  /** Null: this command only serves; undefined: it is starting. */
  readonly work: AdminWork | null | undefined;
  /** Undefined: routes that need it are refused. */
  readonly token: string | undefined;
}

class AdminTokenInvalid extends ExplainedError {
  constructor() {
    super(
      'No client can send the token in OFFPRINT_ADMIN_TOKEN: it contains white space or characters other than ASCII. ' +
        'Set another, such as the output of "openssl rand -hex 32".',
    );
  }
}

/** Whether a header can carry the token after `Bearer` (RFC 9110, section 5.5). */
function isBearer(token: string): boolean {
  return /^[!-~]+$/.test(token);
}

/** @throws AdminTokenInvalid, or ExplainedError: it cannot listen there */
export async function serveAdmin({ host, port }: AdminAddress): Promise<Admin> {
  const metrics = new Metrics();
  const token = process.env['OFFPRINT_ADMIN_TOKEN'];
  if (token !== undefined && !isBearer(token)) throw new AdminTokenInvalid();
  let work: AdminWork | null | undefined;
  const server = createServer((request, response) => {
    answer({ metrics, token, work }, request, response).catch(() => response.destroy());
  });
  await listen(server, host, port, '--admin');
  server.unref(); // A process that fails to start can exit.
  return {
    url: serverUrl(server, host),
    listen: (event) => metrics.record(event),
    watch(gateway, out, faults, given) {
      metrics.watch(gateway, out, faults, given?.db);
      work = given;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(parts: AdminParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '/').replace(/\?.*$/, '');
  const { method = '' } = request;
  response.setHeader('Cache-Control', 'no-store').setHeader('X-Content-Type-Options', 'nosniff');
  const methods = allowedMethods(path);
  const { status, body } = await outcome(parts, methods, { method, path }, request).catch(
    (error: unknown): AdminAnswer => {
      // A client that disconnected is no failure.
      if (!request.socket.destroyed) console.error(failureLine({ method, path }, error));
      return refusal(500, FAILED);
    },
  );
  request.resume();
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (status === 503) response.setHeader('Retry-After', '5');
  if (status === 405) response.setHeader('Allow', methods?.join(', ') ?? '');
  if (status === 413) response.setHeader('Connection', 'close');
  const isText = typeof body === 'string';
  const type = isText ? parts.metrics.contentType : 'application/json; charset=utf-8';
  response.writeHead(status, { 'Content-Type': type }).end(isText ? body : JSON.stringify(body));
}

/** An answer; a text is metrics. */
type AdminAnswer = AccountsAnswer | { readonly status: number; readonly body: string };

function allowedMethods(path: string): readonly string[] | null {
  if (path === '/metrics') return ['GET', 'HEAD'];
  return path === '/rebuild' ? ['POST'] : accountsMethods(path);
}

async function outcome(
  parts: AdminParts,
  methods: readonly string[] | null,
  { method, path }: Omit<AccountsRequest, 'body'>,
  request: IncomingMessage,
): Promise<AdminAnswer> {
  if (methods === null)
    return refusal(
      404,
      'This port serves GET /metrics, POST /rebuild, /accounts and /keys. The API is at --host and --port.',
    );
  if (!methods.includes(method)) return refusal(405, `Use ${methods.join(' or ')}.`);
  if (path === '/metrics') return { status: 200, body: await parts.metrics.text() };
  const { work } = parts;
  if (work === undefined)
    return refusal(503, 'Offprint is still starting: it imports and builds first. Try again later.');
  if (work === null)
    return refusal(
      404,
      'This service runs "serve", which does not build or manage accounts. Run "start" instead.',
    );
  const denied = denial(parts.token, request.headers.authorization);
  if (denied !== null) return denied;
  if (path === '/rebuild') {
    work.rebuild();
    return { status: 202, body: { success: true, data: { status: 'looking for changes' } } };
  }
  const body = await readBody(request);
  if (body === null) return refusal(413, `The body is longer than ${BODY_MAX} bytes.`);
  return work.accounts({ method, path, body });
}

function refusal(status: number, message: string): AccountsAnswer {
  return { status, body: { success: false, message } };
}

/** Why a request without the token is refused; null: it has the token. */
function denial(token: string | undefined, authorization: string | undefined): AccountsAnswer | null {
  if (token === undefined) return refusal(403, 'Not allowed. Start Offprint with OFFPRINT_ADMIN_TOKEN.');
  const [, given] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (given !== undefined && isSame(given, token)) return null;
  return refusal(
    401,
    'Send the header "Authorization: Bearer TOKEN" with the value of OFFPRINT_ADMIN_TOKEN.',
  );
}

const BODY_MAX = 65_536;

/** A body as text; null: it is too long. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    length += chunk.length;
    if (length > BODY_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}
