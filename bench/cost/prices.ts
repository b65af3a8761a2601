/** One thing that Cloudflare charges for, on the Workers Paid plan. */
export interface Price {
  readonly item: string;
  /** What one counts, and how many of them a price is for. */
  readonly unit: string;
  readonly per: number;
  /** Free in each month. */
  readonly included: number;
  /** US dollars. */
  readonly dollars: number;
  /** Whether a part of a unit costs as much as a whole one. */
  readonly roundedUp: boolean;
  readonly source: keyof typeof SOURCES;
}

/** The pages that say the prices; none of them carries a date, so the version of their source does. */
export const SOURCES = {
  workers: {
    page: 'https://developers.cloudflare.com/workers/platform/pricing/',
    version: 'cloudflare-docs 07acbb6',
  },
  durableObjects: {
    page: 'https://developers.cloudflare.com/durable-objects/platform/pricing/',
    version: 'cloudflare-docs 07e200b',
  },
  r2: { page: 'https://developers.cloudflare.com/r2/pricing/', version: 'cloudflare-docs 07ec87d' },
} as const;

/** When the prices were looked up. */
export const LOOKED_UP = '2026-11-21';

/** The plan, which Durable Objects and more than 100,000 requests a day need. Dollars a month. */
export const SUBSCRIPTION = 5;

const MILLION = 1_000_000;

export const PRICES = {
  requests: price('Worker requests', 'million', MILLION, 10 * MILLION, 0.3, 'workers'),
  cpuMs: price('Worker CPU', 'million ms', MILLION, 30 * MILLION, 0.02, 'workers'),
  objectRequests: price('Durable Object requests', 'million', MILLION, MILLION, 0.15, 'durableObjects'),
  objectGbSeconds: price('Durable Object duration', 'million GB-s', MILLION, 400_000, 12.5, 'durableObjects'),
  rowsWritten: price('rows written', 'million', MILLION, 50 * MILLION, 1, 'durableObjects'),
  rowsRead: price('rows read', 'million', MILLION, 25_000 * MILLION, 0.001, 'durableObjects'),
  objectGb: price('Durable Object storage', 'GB-month', 1, 5, 0.2, 'durableObjects'),
  classA: price('R2 Class A', 'million', MILLION, MILLION, 4.5, 'r2'),
  classB: price('R2 Class B', 'million', MILLION, 10 * MILLION, 0.36, 'r2'),
  bucketGb: price('R2 storage', 'GB-month', 1, 10, 0.015, 'r2'),
} as const satisfies Record<string, Price>;

export type Charged = keyof typeof PRICES;

/** R2 rounds up to the next unit, as its page says; the others say nothing of it. */
function price(
  item: string,
  unit: string,
  per: number,
  included: number,
  dollars: number,
  source: Price['source'],
): Price {
  return { item, unit, per, included, dollars, roundedUp: source === 'r2', source };
}
