/**
 * The alternative to Offprint: a live API over SQLite, with Fastify and better-sqlite3. `live.ts DATABASE USAGE LIMITS`
 * prints its address.
 *
 *   database.ts   the blog's database, with indexes and prepared JSON
 *   posts.ts      lists and articles
 *   callers.ts    keys and the quota's headers
 *   usage.ts      the durable count
 */
import type { ParsedUrlQuery } from 'node:querystring';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { PREFIX } from '../../../contract/api.ts';
import { type Caller, KEPT, meOf, NOT_KEPT } from './callers.ts';
import { openBlog } from './open.ts';
import type { Answer } from './posts.ts';

const { posts, usage, callers } = openBlog(() => undefined);
const server = fastify();

server.get<{ Querystring: ParsedUrlQuery }>(`${PREFIX}/posts`, (request, reply) =>
  respond(request, reply, 'blog:read', () => posts.list(request.query)),
);
server.get<{ Params: { slug: string } }>(`${PREFIX}/posts/:slug`, (request, reply) =>
  respond(request, reply, 'blog:read', () => posts.article(request.params.slug)),
);
server.get(`${PREFIX}/me`, (request, reply) =>
  respond(request, reply, null, (caller) => ({
    body: Buffer.from(JSON.stringify({ success: true, data: meOf(caller) })),
    etag: null,
  })),
);
console.log(await server.listen({ host: '127.0.0.1', port: 0 }));

type Made = Answer | { readonly body: Buffer; readonly etag: null } | undefined;

/** Checks the key, counts the request, and sends the answer after its count is stored. */
function respond(
  request: FastifyRequest,
  reply: FastifyReply,
  scope: string | null,
  make: (caller: Caller) => Made,
): FastifyReply {
  const caller = callers.admit(request.raw, scope);
  const { refusal } = caller;
  set(reply, caller.headers);
  if (refusal) {
    set(reply, NOT_KEPT);
    set(reply, refusal.headers);
    send(refusal.status, JSON.stringify({ success: false, message: refusal.message }));
    return reply;
  }
  const made = make(caller);
  set(reply, made?.etag ? KEPT : NOT_KEPT);
  if (!made) send(404, '{"success":false,"message":"There is no such article."}');
  else if (made.etag === null) send(200, made.body);
  else {
    set(reply, ['ETag', made.etag, ...(made.link === null ? [] : ['Link', made.link])]);
    if (request.headers['if-none-match'] === made.etag) send(304);
    else send(200, made.body);
  }
  return reply;

  function send(status: number, body?: Buffer | string): void {
    usage.whenSaved(() => void reply.code(status).send(body));
  }
}

function set(reply: FastifyReply, headers: readonly string[]): void {
  for (let i = 0; i < headers.length; i += 2) reply.header(headers[i] ?? '', headers[i + 1]);
}
