/** One item that Cloudflare charges for, on the Workers Paid plan. */
export interface Price {
  readonly item: string;
  /** The unit, and the number of units that the price is for. */
  readonly unit: string;
  readonly per: number;
  /** Units included each month. */
  readonly included: number;
  /** US dollars. */
  readonly dollars: number;
  /** Whether a started unit is charged in full. */
  readonly roundedUp: boolean;
  readonly source: keyof typeof SOURCES;
}

/** Cloudflare's pages with the prices. They carry no date, so the link names the version of their source. */
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

/** The date of the prices. */
export const LOOKED_UP = '2026-11-21';

/** The plan's price in dollars a month. Durable Objects and more than 100,000 requests a day need this plan. */
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

/** R2 rounds up to the next unit, according to its page; the other pages don't mention rounding. */
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
