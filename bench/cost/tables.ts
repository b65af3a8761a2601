import { billFor } from './bill.ts';
import { type Charged, type Price, PRICES, SOURCES, SUBSCRIPTION } from './prices.ts';
import { bucketReads, type Traffic, usageOf } from './usage.ts';

/** 20 publishes a day. */
const USUAL = { publishes: 600, keyed: 0.5, burst: 5, perPrincipalDay: 20 } as const;

/** Months of three sizes. */
export const MONTHS = {
  '1 million': { ...USUAL, requests: 1e6, isolates: 5 },
  '10 million': { ...USUAL, requests: 1e7, isolates: 20 },
  '100 million': { ...USUAL, requests: 1e8, isolates: 100 },
} as const satisfies Record<string, Traffic>;

const TEN = MONTHS['10 million'];

/** The month of 10 million requests, with one thing after the other as bad as it gets. */
export const VARIATIONS: Readonly<Record<string, Traffic>> = {
  'as above': TEN,
  'spread over 200 isolates': { ...TEN, isolates: 200 },
  'every request with a key': { ...TEN, keyed: 1 },
  'every request with a key, one at a time': { ...TEN, keyed: 1, burst: 1 },
  'one request a day of each principal': { ...TEN, perPrincipalDay: 1 },
  '200 publishes a day': { ...TEN, publishes: 6000 },
  'all of these': { ...TEN, isolates: 200, keyed: 1, burst: 1, perPrincipalDay: 1, publishes: 6000 },
};

/** Every table of docs/cost.md that is made of numbers, in Markdown. */
export function tables(): Readonly<Record<'prices' | 'reads' | 'usage' | 'bill' | 'variations', string>> {
  const months = Object.entries(MONTHS);
  const names = months.map(([name]) => name);
  const bills = months.map(([, traffic]) => billFor(usageOf(traffic)));
  const reads = months.map(([, traffic]) => bucketReads(traffic));
  const charged = Object.keys(PRICES) as Charged[];
  return {
    prices: markdown(
      ['', 'included', 'beyond', 'source'],
      [
        ['Workers Paid plan', '', `${dollars(SUBSCRIPTION)} a month`, link('workers')],
        ...charged.map((name) => {
          const { item, unit, per, included, dollars: cost, source }: Price = PRICES[name];
          return [item, amount(included / per) + ` ${unit}`, `$${cost} a ${unit}`, link(source)];
        }),
      ],
    ),
    reads: markdown(
      ['reads of the bucket', ...names],
      [
        ['pointer', ...reads.map(({ pointer }) => count(pointer))],
        ['key records', ...reads.map(({ keys }) => count(keys))],
        ['objects, in isolates that are cold', ...reads.map(({ cold }) => count(cold))],
      ],
    ),
    usage: markdown(
      ['used', ...names],
      charged.map((name) => [
        `${PRICES[name].item}, ${PRICES[name].unit}`,
        ...months.map(([, traffic]) => amount(usageOf(traffic)[name] / PRICES[name].per)),
      ]),
    ),
    bill: markdown(
      ['dollars a month', ...names],
      [
        ['subscription', ...months.map(() => dollars(SUBSCRIPTION))],
        ...charged
          .map((name, i) => [PRICES[name].item, ...bills.map(({ lines }) => dollars(lines[i]?.dollars ?? 0))])
          .filter(([, ...cells]) => cells.some((cell) => cell !== dollars(0))),
        ['**total**', ...bills.map(({ total }) => `**${dollars(total)}**`)],
      ],
    ),
    variations: markdown(
      ['10 million requests', 'dollars a month'],
      Object.entries(VARIATIONS).map(([name, traffic]) => [name, dollars(billFor(usageOf(traffic)).total)]),
    ),
  };
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |');
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

function link(source: keyof typeof SOURCES): string {
  const { page, version } = SOURCES[source];
  return `[${new URL(page).pathname.split('/')[1]}](${page}), ${version}`;
}

function dollars(value: number): string {
  return `$${value.toFixed(2)}`;
}

/** `0.0246`, `1.05`, `10,500`: four digits say enough. */
function amount(value: number): string {
  return Number(value.toPrecision(4)).toLocaleString('en', { maximumFractionDigits: 6 });
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}
