import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { UsageCounter } from './usage.ts';

const DAY_S = 86_400;
/** A revoked key may still work for this long. */
const BELIEVED_MS = 10_000;
const KEYS_KEPT = 10_000;

interface KeyRow {
  readonly account: string;
  readonly plan: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: string;
}

/** Names and values in turn. */
type Headers = readonly string[];

/** Whose request it is, counted. */
export interface Caller {
  readonly key: KeyRow | null;
  readonly limit: number;
  readonly used: number;
  /** Of the quota. */
  readonly headers: Headers;
  /** Null: the request may be answered. */
  readonly refusal: { readonly status: number; readonly message: string; readonly headers: Headers } | null;
}

/** On every answer, as from Offprint. */
const COMMON = [
  ...['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers'],
  'X-Quota-Limit, X-Quota-Used, X-Quota-Remaining, X-Quota-Reset, RateLimit-Policy, RateLimit, Retry-After, ETag, ' +
    'Link, X-Snapshot, Allow, WWW-Authenticate',
  ...['X-Content-Type-Options', 'nosniff', 'Vary', 'Authorization, X-Api-Key, Accept-Encoding'],
  ...['Content-Type', 'application/json; charset=utf-8'],
];
/** The id is as long as Offprint's. */
export const KEPT: Headers = [
  ...COMMON,
  'Cache-Control',
  'private, max-age=60',
  'X-Snapshot',
  'a'.repeat(26),
];
export const NOT_KEPT: Headers = [...COMMON, 'Cache-Control', 'no-store'];

/** Finds keys, caches them, and counts requests. */
export class Callers {
  readonly #keys = new LRUCache<string, KeyRow | 'unknown'>({ max: KEYS_KEPT });
  readonly #find;
  readonly #usage: UsageCounter;

  constructor(db: Database.Database, usage: UsageCounter) {
    this.#usage = usage;
    this.#find = db.prepare<[string], KeyRow>(
      `SELECT account, plan, name, prefix, scopes FROM keys
       WHERE sha256 = ? AND revoked_at IS NULL AND (expires_at IS NULL OR unixepoch(expires_at) > unixepoch())`,
    );
    setInterval(() => this.#keys.clear(), BELIEVED_MS).unref();
  }

  /** @param scope what the key must be for */
  admit({ headers, socket }: IncomingMessage, scope: string | null): Caller {
    const { authorization, 'x-api-key': other } = headers;
    const sent = authorization?.startsWith('Bearer ') === true ? authorization.slice(7) : other?.toString();
    const key = sent === undefined ? null : this.#keyOf(sent);
    const now = Date.now();
    const [principal, plan] = key
      ? [`account:${key.account}`, key.plan]
      : [`address:${socket.remoteAddress ?? ''}`, 'address'];
    const { limit, minuteLimit, used, minuteUsed, refused } = this.#usage.count(principal, plan, now);
    const midnight = (Math.floor(now / 1000 / DAY_S) + 1) * DAY_S;
    const resetIn = midnight - Math.floor(now / 1000);
    const left = limit - used;
    const quota = [
      'X-Quota-Limit',
      `${limit}`,
      'X-Quota-Used',
      `${used}`,
      'X-Quota-Remaining',
      `${left}`,
      'X-Quota-Reset',
      `${midnight}`,
      'RateLimit-Policy',
      `"daily";q=${limit};w=86400, "minute";q=${minuteLimit};w=60`,
      'RateLimit',
      `"daily";r=${left};t=${resetIn}, "minute";r=${minuteLimit - minuteUsed};t=60`,
    ];
    const refuse = (status: number, message: string, headers: Headers = []): Caller => ({
      ...{ key, limit, used, headers: quota },
      refusal: { status, message, headers },
    });
    if (refused) {
      const seconds = `${used < limit ? 60 : resetIn}`;
      return refuse(429, `A limit is reached. Try again in ${seconds} seconds.`, ['Retry-After', seconds]);
    }
    if (sent !== undefined && !key)
      return refuse(401, 'This key is invalid or was revoked.', ['WWW-Authenticate', 'Bearer realm="live"']);
    if (key && scope !== null && !key.scopes.includes(`"${scope}"`))
      return refuse(403, `This key lacks the permission ${scope}.`);
    return { key, limit, used, headers: quota, refusal: null };
  }

  #keyOf(sent: string): KeyRow | null {
    let row = this.#keys.get(sent);
    if (!row) this.#keys.set(sent, (row = this.#find.get(hash('sha256', sent)) ?? 'unknown'));
    return row === 'unknown' ? null : row;
  }
}

/** The data of `/me`. */
export function meOf({ key, limit, used }: Caller): unknown {
  const scopes: unknown = JSON.parse(key?.scopes ?? '[]');
  const status = key ? { name: key.name, prefix: key.prefix, scopes } : null;
  return { key: status, quota: { limit, used, remaining: limit - used } };
}
