import type { Reply } from '../service/client.ts';

/** The four quota headers, as numbers. */
export interface Quota {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** Unix seconds. */
  readonly reset: number;
}

/**
 * An integer header.
 *
 * @throws Error if it is missing or not an integer
 */
export function integerHeader(reply: Reply, name: string): number {
  const value = reply.header(name);
  if (value === undefined || !/^(?:0|[1-9]\d*)$/.test(value)) {
    throw new Error(`${name} is ${JSON.stringify(value)} and not a whole number, in a ${reply.status}.`);
  }
  return Number(value);
}

/** The daily quota in the reply. */
export function quotaOf(reply: Reply): Quota {
  return {
    limit: integerHeader(reply, 'X-Quota-Limit'),
    used: integerHeader(reply, 'X-Quota-Used'),
    remaining: integerHeader(reply, 'X-Quota-Remaining'),
    reset: integerHeader(reply, 'X-Quota-Reset'),
  };
}

/**
 * `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers): a list of names with integer
 * parameters, `"daily";r=50;t=30, "minute";r=3;t=1`.
 *
 * @throws Error if the header is missing or has another form
 */
export function rateLimitOf(reply: Reply, name: 'RateLimit' | 'RateLimit-Policy') {
  const value = reply.header(name);
  if (value === undefined || !/^"[^"]*"(?:; *[a-z]+=\d+)+(?:, *"[^"]*"(?:; *[a-z]+=\d+)+)*$/.test(value)) {
    throw new Error(`${name} is ${JSON.stringify(value)}, in a ${reply.status}.`);
  }
  const policies = new Map<string, ReadonlyMap<string, number>>();
  for (const [, policy = '', parameters = ''] of value.matchAll(/"([^"]*)"([^,]*)/g)) {
    const pairs = [...parameters.matchAll(/([a-z]+)=(\d+)/g)];
    policies.set(policy, new Map(pairs.map(([, key = '', number]) => [key, Number(number)])));
  }
  return policies;
}

/** The targets of a `Link` header (RFC 8288) by their relation, absolute. */
export function linksOf(reply: Reply, base: string): ReadonlyMap<string, URL> {
  const links = new Map<string, URL>();
  for (const [, target = '', relation = ''] of (reply.header('Link') ?? '').matchAll(
    /<([^>]*)>; *rel="?([a-z]+)"?/g,
  )) {
    links.set(relation, new URL(target, base));
  }
  return links;
}

/** The items of a list header, in lower case. */
export function listHeader(reply: Reply, name: string): string[] {
  const items = (reply.header(name) ?? '').split(',').map((item) => item.trim().toLowerCase());
  return items.filter((item) => item !== '');
}
