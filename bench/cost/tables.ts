import { billFor } from './bill.ts';
import { markdownTable } from '../markdown-table.ts';
import { type Charged, type Price, PRICES, SOURCES, SUBSCRIPTION } from './prices.ts';
import { bucketReads, GUESSES, plainFilesUsage, type Traffic, type Usage, usageOf } from './usage.ts';

/** 20 publishes a day. */
const USUAL = { publishes: 600, keyed: 0.5, burst: 5, perPrincipalDay: 20, isCounted: true } as const;

/** Months of four sizes. */
export const MONTHS = {
  '1 million': { ...USUAL, requests: 1e6, isolates: 5, places: 5 },
  '10 million': { ...USUAL, requests: 1e7, isolates: 20, places: 10 },
  '100 million': { ...USUAL, requests: 1e8, isolates: 100, places: 30 },
  '1,000 million': { ...USUAL, requests: 1e9, isolates: 500, places: 100 },
} as const satisfies Record<string, Traffic>;

/** What a month costs, by the limits of its callers. */
export const WAYS: Readonly<Record<string, (traffic: Traffic) => number>> = {
  limits: (traffic) => billFor(usageOf(traffic)).total,
  'no limits': (traffic) => billFor(usageOf({ ...traffic, isCounted: false, keyed: 0 })).total,
  'plain files in R2, behind the CDN': (traffic) => billFor(plainFilesUsage(traffic)).total - SUBSCRIPTION,
  'plain files as static assets': () => 0,
};

const TEN = MONTHS['10 million'];

/** The month of 10 million requests, with one assumption at a time at its worst. */
export const VARIATIONS: Readonly<Record<string, Traffic>> = {
  'as above': TEN,
  'spread over 200 isolates': { ...TEN, isolates: 200 },
  'these at 200 places, or without a domain of your own': { ...TEN, isolates: 200, places: 200 },
  'every request with a key': { ...TEN, keyed: 1 },
  'every request with a key, one at a time': { ...TEN, keyed: 1, burst: 1 },
  'one request a day of each principal': { ...TEN, perPrincipalDay: 1 },
  '200 publishes a day': { ...TEN, publishes: 6000 },
  'all of these': {
    ...{ ...TEN, isolates: 200, places: 200, keyed: 1 },
    ...{ burst: 1, perPrincipalDay: 1, publishes: 6000 },
  },
};

const HUNDRED = MONTHS['100 million'];

/** The month of 100 million requests, by how its callers ask. */
export const BURSTS: Readonly<Record<string, Traffic>> = {
  'as above: five at a time': HUNDRED,
  'random numbers, five on average': { ...HUNDRED, isRandom: true },
  'random numbers, two on average': { ...HUNDRED, burst: 2, isRandom: true },
  'ten at a time': { ...HUNDRED, burst: 10 },
  'three at a time': { ...HUNDRED, burst: 3 },
  'two at a time': { ...HUNDRED, burst: 2 },
  'one at a time': { ...HUNDRED, burst: 1 },
  'each caller once a day': { ...HUNDRED, perPrincipalDay: 1 },
};

/**
 * The cost of a million requests of a flood, beyond the included amounts. Requests from one address are refused
 * above its limit.
 */
export const FLOODS: Readonly<Record<string, Partial<Usage>>> = {
  'from one address, or with one key': {},
  'from one address, each with another made-up key': { classB: 1e6 },
  'each from another address': {
    objectRequests: 2e6,
    objectGbSeconds: 1280,
    rowsWritten: 3e6,
    rowsRead: 1e6,
  },
};

/** All tables of numbers in docs/operators/cloudflare.md and bench/COST.md, in Markdown. */
export function tables(): Readonly<
  Record<'ways' | 'prices' | 'reads' | 'usage' | 'bill' | 'variations' | 'bursts' | 'floods', string>
> {
  const months = Object.entries(MONTHS);
  const names = months.map(([name]) => name);
  const bills = months.map(([, traffic]) => billFor(usageOf(traffic)));
  const reads = months.map(([, traffic]) => bucketReads(traffic));
  const charged = Object.keys(PRICES) as Charged[];
  return {
    ways: markdownTable(
      ['dollars a month', ...names],
      Object.entries(WAYS).map(([name, costOf]) => [
        name,
        ...months.map(([, traffic]) => dollars(costOf(traffic))),
      ]),
    ),
    prices: markdownTable(
      ['', 'included', 'beyond', 'source'],
      [
        ['Workers Paid plan', '', `${dollars(SUBSCRIPTION)} a month`, link('workers')],
        ...charged.map((name) => {
          const { item, unit, per, included, dollars: cost, source }: Price = PRICES[name];
          return [item, amount(included / per) + ` ${unit}`, `$${cost} a ${unit}`, link(source)];
        }),
      ],
    ),
    reads: markdownTable(
      ['reads of the bucket', ...names],
      [
        ['pointer', ...reads.map(({ pointer }) => count(pointer))],
        ['key records', ...reads.map(({ keys }) => count(keys))],
        ['objects, in isolates that are cold', ...reads.map(({ cold }) => count(cold))],
      ],
    ),
    usage: markdownTable(
      ['used', ...names],
      charged.map((name) => [
        `${PRICES[name].item}, ${PRICES[name].unit}`,
        ...months.map(([, traffic]) => amount(usageOf(traffic)[name] / PRICES[name].per)),
      ]),
    ),
    bill: markdownTable(
      ['dollars a month', ...names],
      [
        ['subscription', ...months.map(() => dollars(SUBSCRIPTION))],
        ...charged
          .map((name) => [PRICES[name].item, ...bills.map(({ items }) => dollars(items[name]))])
          .filter(([, ...cells]) => cells.some((cell) => cell !== dollars(0))),
        ['**total**', ...bills.map(({ total }) => `**${dollars(total)}**`)],
      ],
    ),
    variations: markdownTable(
      ['10 million requests', 'dollars a month'],
      Object.entries(VARIATIONS).map(([name, traffic]) => [name, totalOf(traffic)]),
    ),
    bursts: markdownTable(
      ['100 million requests', 'Durable Object requests', 'rows written', 'dollars a month'],
      Object.entries(BURSTS).map(([name, traffic]) => [
        name,
        ...(['objectRequests', 'rowsWritten'] as const).map((used) => millions(usageOf(traffic)[used])),
        totalOf(traffic),
      ]),
    ),
    floods: markdownTable(
      ['a million requests', 'dollars'],
      Object.entries(FLOODS).map(([name, used]) => [name, dollars(floodCost(used))]),
    ),
  };
}

/** The usage of a million requests. */
function floodCost(used: Partial<Usage>): number {
  const all: Partial<Usage> = { requests: 1e6, cpuMs: 1e6 * GUESSES.cpuMs, ...used };
  return (Object.keys(PRICES) as Charged[]).reduce((sum, name) => {
    const { per, dollars: price }: Price = PRICES[name];
    return sum + ((all[name] ?? 0) / per) * price;
  }, 0);
}

function totalOf(traffic: Traffic): string {
  return dollars(billFor(usageOf(traffic)).total);
}

function millions(value: number): string {
  return `${amount(value / 1e6)} million`;
}

function link(source: keyof typeof SOURCES): string {
  const { page, version } = SOURCES[source];
  return `[${new URL(page).pathname.split('/')[1]}](${page}), ${version}`;
}

function dollars(value: number): string {
  return `$${value.toFixed(2)}`;
}

/** `0.0246`, `1.05`, `10,500`: at most four significant digits. */
function amount(value: number): string {
  return Number(value.toPrecision(4)).toLocaleString('en', { maximumFractionDigits: 6 });
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}
