/**
 * The alternative to Offprint: a live API over SQLite, with Fastify and better-sqlite3, as good as we can make it.
 * `live.ts DATABASE USAGE LIMITS [--cache]` prints its address.
 *
 *   database.ts   the blog's database, with indexes and prepared texts
 *   usage.ts      the durable count
 *   posts.ts      lists and articles
 *
 * With `--cache`, bodies are cached by URL; the key is still checked and the request counted.
 */
import { hash } from 'node:crypto';
import Database from 'better-sqlite3';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { parseJson } from '../../../contract/json.ts';
import { isLimits, minuteLimit } from '../../../contract/policy.ts';
import { Posts, type PostsQuery } from './posts.ts';
import { UsageCounter } from './usage.ts';

const DAY_S = 86_400;
/** The size of Offprint's own cache of answers. */
const CACHE_BYTES = 24 * 2 ** 20;

const [path = '', usagePath = '', limitsText = '', flag] = process.argv.slice(2);
const limits = parseJson(limitsText, isLimits, 'limits');
const cache =
  flag === '--cache'
    ? new LRUCache<string, Answer>({ maxSize: CACHE_BYTES, sizeCalculation: ({ body }) => body.length + 200 })
    : undefined;

interface Answer {
  readonly body: Buffer;
  readonly etag: string;
  readonly link: string | null;
}

interface KeyRow {
  readonly account: string;
  readonly plan: 'user' | 'admin';
  readonly name: string;
  readonly prefix: string;
  readonly scopes: string;
}

const db = new Database(path, { readonly: true });
db.pragma('cache_size = -65536');
db.pragma('mmap_size = 268435456');
const posts = new Posts(db);
const usage = new UsageCounter(usagePath, limits);
const findKey = db.prepare<[string], KeyRow>(
  `SELECT accounts.name AS account, plan, api_keys.name, prefix, scopes
   FROM api_keys JOIN accounts ON accounts.id = account_id WHERE sha256 = ? AND revoked_at IS NULL`,
);
/** Shared by all pages until the blog changes. */
const revision = db.prepare<[], string>("SELECT content || '-' || views FROM revision").pluck();

const COMMON = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'X-Quota-Limit, X-Quota-Used, X-Quota-Remaining, X-Quota-Reset, RateLimit-Policy, RateLimit, Retry-After, ETag, Link, Allow',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Authorization, X-Api-Key',
  'Content-Type': 'application/json; charset=utf-8',
};
/** As long as Offprint's, which changes with each edit. */
const KEPT = { ...COMMON, 'Cache-Control': 'private, max-age=60', 'X-Snapshot': 'a'.repeat(26) };
const NOT_KEPT = { ...COMMON, 'Cache-Control': 'no-store' };

/** The caller, and its quota including this request. */
interface Caller {
  readonly key: KeyRow | undefined;
  readonly limit: number;
  readonly used: number;
}

const server = fastify();
const PREFIX = '/api/public/v1';

server.get<{ Querystring: Record<string, string> }>(`${PREFIX}/posts`, (request, reply) => {
  if (!admit(request, reply, 'blog:read')) return reply;
  return answer(request, reply, () => {
    const { page, per_page, ...filters } = request.query;
    const query: PostsQuery = {
      ...filters,
      ...(page !== undefined && { page: Number(page) }),
      ...(per_page !== undefined && { per_page: Number(per_page) }),
    };
    const data = posts.list(query);
    return { data, link: linkOf(filters, data.meta) };
  });
});

server.get<{ Params: { slug: string } }>(`${PREFIX}/posts/:slug`, (request, reply) => {
  if (!admit(request, reply, 'blog:read')) return reply;
  return answer(request, reply, () => {
    const data = posts.article(request.params.slug);
    return data === undefined ? undefined : { data, link: null };
  });
});

server.get(`${PREFIX}/me`, (request, reply) => {
  const caller = admit(request, reply, null);
  if (!caller) return reply;
  const { key, limit, used } = caller;
  const scopes: unknown = JSON.parse(key?.scopes ?? '[]');
  const status = key ? { name: key.name, prefix: key.prefix, scopes } : null;
  return reply.headers(NOT_KEPT).send(
    JSON.stringify({
      success: true,
      data: { key: status, quota: { limit, used, remaining: limit - used } },
    }),
  );
});

console.log(await server.listen({ host: '127.0.0.1', port: 0 }));

/** Checks the key, counts the request, and sets the quota headers. Sends the refusal itself. */
function admit(request: FastifyRequest, reply: FastifyReply, scope: string | null): Caller | undefined {
  const { authorization, 'x-api-key': other } = request.headers;
  const sent = authorization?.startsWith('Bearer ') === true ? authorization.slice(7) : other;
  const key = typeof sent === 'string' ? findKey.get(hash('sha256', sent)) : undefined;
  const now = Date.now();
  const plan = key ? key.plan : 'address';
  const { limit, used, refused, minuteUsed } = usage.count(
    key ? `account:${key.account}` : `address:${request.ip}`,
    plan,
    now,
  );
  const inMinute = minuteLimit(limits, plan);
  const midnight = (Math.floor(now / 1000 / DAY_S) + 1) * DAY_S;
  const resetIn = midnight - Math.floor(now / 1000);
  const remaining = limit - used;
  reply.headers({
    'X-Quota-Limit': limit,
    'X-Quota-Used': used,
    'X-Quota-Remaining': remaining,
    'X-Quota-Reset': midnight,
    'RateLimit-Policy': `"daily";q=${limit};w=86400, "minute";q=${inMinute};w=60`,
    RateLimit: `"daily";r=${remaining};t=${resetIn}, "minute";r=${inMinute - minuteUsed};t=60`,
  });
  if (refused) {
    reply.header('Retry-After', resetIn);
    refuse(reply, 429, `The daily limit of ${limit} requests is reached. Try again in ${resetIn} seconds.`);
  } else if (sent !== undefined && !key) {
    reply.header('WWW-Authenticate', 'Bearer realm="live"');
    refuse(reply, 401, 'This key is invalid or was revoked.');
  } else if (key && scope !== null && !key.scopes.includes(`"${scope}"`)) {
    refuse(reply, 403, `This key lacks the permission ${scope}.`);
  } else return { key, limit, used };
  return undefined;
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  make: () => { readonly data: unknown; readonly link: string | null } | undefined,
): FastifyReply {
  let ready = cache?.get(request.url);
  if (!ready) {
    const made = make();
    if (!made) return refuse(reply, 404, 'There is no such article.');
    const { data, link } = made;
    ready = { body: Buffer.from(JSON.stringify({ success: true, data })), etag: `"${revision.get()}"`, link };
    cache?.set(request.url, ready);
  }
  reply.headers(KEPT).header('ETag', ready.etag);
  if (ready.link !== null) reply.header('Link', ready.link);
  if (request.headers['if-none-match'] === ready.etag) return reply.code(304).send();
  return reply.send(ready.body);
}

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply
    .code(status)
    .headers(NOT_KEPT)
    .send(JSON.stringify({ success: false, message }));
}

function linkOf(
  filters: Readonly<Record<string, string>>,
  meta: { page: number; per_page: number; last_page: number },
) {
  const { page, per_page, last_page: last } = meta;
  const repeated = new URLSearchParams(filters).toString();
  const link = (relation: string, to: number) =>
    `<${PREFIX}/posts?${repeated}${repeated && '&'}per_page=${per_page}&page=${to}>; rel="${relation}"`;
  return [
    link('first', 1),
    ...(page > 1 ? [link('prev', Math.min(page - 1, last))] : []),
    ...(page < last ? [link('next', page + 1)] : []),
    link('last', last),
  ].join(', ');
}
