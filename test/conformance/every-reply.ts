import { expect } from 'vitest';
import type { Call, Reply } from '../service/client.ts';
import { integerHeader, listHeader, quotaOf, rateLimitOf } from './fields.ts';
import { failure } from './shapes.ts';

const DAY = 86_400;
/** The limit that callers without a limit see. */
export const NO_LIMIT = 2_147_483_647;

const EXPOSED = [
  'x-quota-limit',
  'x-quota-used',
  'x-quota-remaining',
  'x-quota-reset',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'link',
  'etag',
  'allow',
  'www-authenticate',
];

/**
 * Rules for every reply. The test client checks them each time, so tests need not. `sentAt` is when the request was
 * sent, in Unix milliseconds.
 */
export function checkEveryReply(call: Call, reply: Reply, sentAt: number): void {
  const method = call.method ?? 'GET';
  const what = `${method} ${call.path.slice(0, 200)} gave ${reply.status} ${reply.text.slice(0, 300)}`;
  expect(reply.status, what).toBeLessThan(500);
  checkQuota(reply, sentAt, what);
  checkCors(reply, what);
  if (method === 'OPTIONS') return;
  checkBody(method, reply, what);
  checkCaching(call.path, reply, what);
  if (reply.status === 401) expect(reply.header('WWW-Authenticate'), what).toMatch(/^Bearer\b/);
  if (reply.status === 403)
    expect(reply.header('WWW-Authenticate'), what).toMatch(
      /^Bearer realm="[^"]+", error="insufficient_scope", scope="(?:blog|taxonomy|authors):read"$/,
    );
  if (reply.status === 405)
    expect(listHeader(reply, 'Allow'), what).toEqual(expect.arrayContaining(['get', 'head']));
  if (reply.status === 429) checkRefusal(reply, sentAt, what);
}

function checkQuota(reply: Reply, sentAt: number, what: string): void {
  const quota = quotaOf(reply);
  expect(quota.used, what).toBeLessThanOrEqual(quota.limit);
  expect(quota.remaining, what).toBe(quota.limit - quota.used);
  const midnightAfter = (milliseconds: number) => (Math.floor(milliseconds / 1000 / DAY) + 1) * DAY;
  expect([midnightAfter(sentAt), midnightAfter(Date.now())], what).toContain(quota.reset);

  const hasPolicies = reply.header('RateLimit-Policy') !== undefined;
  expect(reply.header('RateLimit') !== undefined, what).toBe(hasPolicies);
  // Without a limit there is no policy.
  if (quota.limit === NO_LIMIT && !hasPolicies) return expect(quota.used, what).toBe(0);
  const policies = rateLimitOf(reply, 'RateLimit-Policy');
  const names = [...policies.keys()].sort();
  const daily = new Map([['q', quota.limit], ['w', DAY]]); // prettier-ignore
  expect(policies.get('daily'), what).toEqual(quota.limit === NO_LIMIT ? undefined : daily);
  expect(policies.get('minute')?.get('w') ?? 60, what).toBe(60);

  const left = rateLimitOf(reply, 'RateLimit');
  expect([...left.keys()].sort(), what).toEqual(names);
  expect(left.get('daily')?.get('r') ?? quota.remaining, what).toBe(quota.remaining);
  const untilReset = left.get('daily')?.get('t') ?? quota.reset - Math.floor(Date.now() / 1000);
  expect(quota.reset - Math.floor(sentAt / 1000) - untilReset, what).toBeGreaterThanOrEqual(-1);
  expect(quota.reset - Math.ceil(Date.now() / 1000) - untilReset, what).toBeLessThanOrEqual(1);
  expect(left.get('minute')?.get('r') ?? -1, what).toBeLessThanOrEqual(
    policies.get('minute')?.get('q') ?? -1,
  );
  expect(left.get('minute')?.get('t') ?? 0, what).toBeLessThanOrEqual(60);
}

function checkCors(reply: Reply, what: string): void {
  expect(reply.header('Access-Control-Allow-Origin'), what).toBe('*');
  expect(reply.header('Access-Control-Allow-Credentials'), what).toBeUndefined();
  expect(listHeader(reply, 'Access-Control-Expose-Headers'), what).toEqual(expect.arrayContaining(EXPOSED));
}

function checkBody(method: string, reply: Reply, what: string): void {
  if (reply.status === 304 || method === 'HEAD') {
    expect(reply.text, what).toBe('');
    return;
  }
  expect(reply.header('Content-Type'), what).toMatch(/^application\/json\b/);
  if (reply.status < 400) {
    expect(reply.json, what).toMatchObject({ success: true });
    return;
  }
  const { message, errors } = failure.parse(reply.json);
  expect(errors !== undefined, what).toBe(reply.status === 422);
  expect(message, what).not.toMatch(/node_modules|\.[tj]s:\d|SQLITE|ENOENT|\n\s+at /);
}

function checkCaching(path: string, reply: Reply, what: string): void {
  const directives = listHeader(reply, 'Cache-Control');
  if (![200, 301, 304].includes(reply.status) || /^\/api\/public\/v1\/me\/?(?:\?|$)/.test(path)) {
    expect(directives, what).toContain('no-store');
    return;
  }
  const isShared = reply.status !== 301 && quotaOf(reply).limit === NO_LIMIT && directives.includes('public');
  expect(directives.sort(), what).toEqual(
    isShared ? ['max-age=60', 'public', 's-maxage=60'] : ['max-age=60', 'private'],
  );
  expect(listHeader(reply, 'Vary'), what).toEqual(expect.arrayContaining(['authorization', 'x-api-key']));
  if (reply.status === 301) expect(reply.header('Location'), what).toMatch(/\/posts\/[^/]+$/);
  else expect(reply.header('ETag'), what).toMatch(/^(?:W\/)?"[\x21\x23-\x7e]*"$/);
}

function checkRefusal(reply: Reply, sentAt: number, what: string): void {
  const wait = integerHeader(reply, 'Retry-After');
  expect(wait, what).toBeGreaterThanOrEqual(1);
  expect(wait, what).toBeLessThanOrEqual(DAY);
  if (reply.text === '') return;
  const { message } = failure.parse(reply.json);
  const byMinute = /minute/i.test(message);
  const byDay = /\bda(?:y|ily)\b/i.test(message);
  expect(byMinute || byDay, what).toBe(true);
  const minuteLimit = rateLimitOf(reply, 'RateLimit-Policy').get('minute')?.get('q');
  expect(message, what).toContain(` ${byMinute ? minuteLimit : quotaOf(reply).limit} requests`);
  // The daily limit ends at midnight, the minute limit within a minute.
  if (byMinute && !byDay) expect(wait, what).toBeLessThanOrEqual(60);
  if (byDay && !byMinute) {
    const answeredAt = quotaOf(reply).reset - wait;
    expect(answeredAt, what).toBeGreaterThanOrEqual(Math.floor(sentAt / 1000) - 1);
    expect(answeredAt, what).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + 1);
  }
}
