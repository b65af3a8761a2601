/**
 * Requests with a known answer.
 */
import type { Random } from '../../../bench/generate/random.ts';
import { PREFIX } from '../../../contract/api.ts';
import type { Caller } from './callers.ts';
import type { RawReply } from './replies.ts';

/** Bytes for a connection, and their expected answer. */
export interface Piece {
  readonly bytes: Buffer;
  /** `known`: one answer, which `fault` checks. `one`: any single answer. `any`: the end is ambiguous. */
  readonly answers: 'known' | 'one' | 'any';
  /** How many requests it counts for its caller; undefined: unknown. */
  readonly counts: number | undefined;
  fault(reply: RawReply): string | null;
}

/** Each caller requests its own page, far beyond the last; the answer names it. */
export const OWN_PAGE = 100_000;

interface Wish {
  readonly method?: string;
  readonly target: string;
  readonly status: number;
  readonly lines?: readonly string[];
  readonly body?: string;
  readonly counts?: number;
  /** A text that the body must contain. */
  readonly holds?: string;
}

/** A request of a conforming client. */
export function plainRequest(random: Random, caller: Caller): Piece {
  const wish = random.pick(WISHES)(random, caller);
  const { method = 'GET', target, status, lines = [], body = '', counts = 1, holds } = wish;
  const head = [`${method} ${target} HTTP/1.1`, 'Host: fuzz.example', caller.header, ...lines];
  return {
    bytes: Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`, 'utf8'),
    answers: 'known',
    counts,
    fault(reply) {
      if (reply.status !== status) return `${method} ${target} gave ${reply.status}, not ${status}`;
      if (reply.header('x-quota-limit') !== String(caller.limit)) {
        return `${method} ${target} has the limit ${reply.header('x-quota-limit')}, not ${caller.limit}`;
      }
      if (method !== 'HEAD' && holds !== undefined && !reply.body.includes(holds)) {
        return `${method} ${target} does not hold ${holds}: ${reply.body.slice(0, 200)}`;
      }
      return null;
    },
  };
}

/** The last request of a connection, after which the service closes it. */
export function lastRequest(caller: Caller): Piece {
  const lines = [`GET ${PREFIX}/me HTTP/1.1`, 'Host: a', caller.header, 'Connection: close'];
  return {
    bytes: Buffer.from(`${lines.join('\r\n')}\r\n\r\n`),
    answers: 'known',
    counts: 1,
    fault: (reply) => (reply.status === 200 ? null : `the last request gave ${reply.status}`),
  };
}

type Maker = (random: Random, caller: Caller) => Wish;

const method = (random: Random) => random.pick(['GET', 'GET', 'GET', 'HEAD']);

const WISHES: readonly Maker[] = [
  (_, { prefix }) => ({
    target: `${PREFIX}/me`,
    status: 200,
    holds: prefix === null ? '"key":null' : `"prefix":"${prefix}"`,
  }),
  (random, { slugs }) => {
    const slug = random.pick(slugs);
    return {
      method: method(random),
      target: `${PREFIX}/posts/${encodeURIComponent(slug)}`,
      status: 200,
      holds: `"slug":${JSON.stringify(slug)}`,
    };
  },
  (random) => {
    const [page, perPage] = [random.between(1, 3), random.between(1, 50)];
    return {
      method: method(random),
      target: `${PREFIX}/posts?page=${page}&per_page=${perPage}`,
      status: 200,
      holds: `"meta":{"page":${page},"per_page":${perPage},`,
    };
  },
  (random) => ({
    method: method(random),
    target: PREFIX + random.pick(['', '/tags', '/categories', '/authors']),
    status: 200,
  }),
  (_, { number }) => ({
    target: `${PREFIX}/posts?page=${OWN_PAGE + number}`,
    status: 200,
    holds: `"page":${OWN_PAGE + number},`,
  }),
  (random, { number }) => ({ target: `${PREFIX}/posts/none-of-${number}-${random.below(1e9)}`, status: 404 }),
  (_, { number }) => ({ target: `/elsewhere/${number}`, status: 404, counts: 0 }),
  () => ({ method: 'OPTIONS', target: `${PREFIX}/posts`, status: 204, counts: 0 }),
  (random) => ({
    method: random.pick(['POST', 'PUT', 'DELETE', 'PATCH']),
    target: `${PREFIX}/me`,
    status: 405,
    lines: ['Content-Length: 11'],
    body: 'hello world',
  }),
  (random) => ({
    target: `${PREFIX}/tags`,
    status: 304,
    lines: [`If-None-Match: ${random.pick(['*', ' * '])}`],
  }),
  () => ({ target: `${PREFIX}/posts?per_page=51`, status: 400, holds: 'per_page' }),
  () => ({ target: `${PREFIX}/posts?q=${'x'.repeat(101)}`, status: 422, holds: '"errors":{"q":' }),
  (_, { prefix }) => ({
    target: `http://other.example${PREFIX}/me`,
    status: 200,
    holds: prefix === null ? '"key":null' : `"prefix":"${prefix}"`,
  }),
];
