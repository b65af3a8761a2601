import { tableRow } from '../../release/markdown-table.ts';
import type { PostRow } from './posts.ts';

interface Counted {
  readonly what: string;
  readonly count: number;
}

/** The result of importing one folder or file. */
export type Outcome =
  | { readonly kind: 'refused'; readonly name: string; readonly why: string; readonly seconds: number }
  | {
      readonly kind: 'imported';
      readonly found: number;
      readonly posts: readonly PostRow[];
      readonly skipped: readonly {
        readonly reason: string;
        readonly count: number;
        readonly noPost: boolean;
      }[];
      readonly losses: readonly Counted[];
      readonly brokenLinks: readonly Counted[];
      readonly ownAddresses: number;
      readonly differences: readonly string[];
      readonly seconds: number;
    };

/** The totals of several. */
export interface Sum {
  readonly refused: readonly string[];
  readonly found: number;
  readonly statuses: ReadonlyMap<string, number>;
  readonly posts: number;
  /** Number of entries, by reason. */
  readonly noPosts: ReadonlyMap<string, number>;
  /** Entries that may be posts but could not be read, by reason. */
  readonly unread: ReadonlyMap<string, number>;
  readonly ownAddresses: number;
  readonly losses: ReadonlyMap<string, number>;
  readonly brokenLinks: number;
  readonly differences: readonly string[];
  readonly seconds: number;
}

export function sumOf(outcomes: readonly Outcome[]): Sum {
  const imported = outcomes.filter((outcome) => outcome.kind === 'imported');
  const posts = imported.flatMap((outcome) => outcome.posts);
  const skipped = imported.flatMap((outcome) => outcome.skipped);
  const byReason = (noPost: boolean) =>
    counted(
      skipped
        .filter((thing) => thing.noPost === noPost)
        .map(({ reason, count }) => ({ what: withoutNames(reason), count })),
    );
  return {
    refused: outcomes.flatMap((outcome) =>
      outcome.kind === 'refused' ? [`${outcome.name}: ${outcome.why}`] : [],
    ),
    found: total(imported.map(({ found }) => found)),
    statuses: counted(posts.map(({ status }) => ({ what: status, count: 1 }))),
    posts: posts.length,
    noPosts: byReason(true),
    unread: byReason(false),
    ownAddresses: total(imported.map((outcome) => outcome.ownAddresses)),
    losses: counted(imported.flatMap(({ losses }) => losses)),
    brokenLinks: total(imported.flatMap(({ brokenLinks }) => brokenLinks.map(({ count }) => count))),
    differences: imported.flatMap(({ differences }) => differences),
    seconds: total(outcomes.map(({ seconds }) => seconds)),
  };
}

const COLUMNS = [
  ...['set', 'found', 'imported', 'published', 'scheduled', 'drafts', 'archived', 'no post', 'unread'],
  ...['own URL', 'losses', 'broken links', 'seconds'],
];

export const HEAD = `${tableRow(COLUMNS)}\n${tableRow(COLUMNS.map((_, i) => (i === 0 ? '---' : '---:')))}`;

export function lineOf(name: string, sum: Sum): string {
  const status = (of: string): number => sum.statuses.get(of) ?? 0;
  const counts = [
    ...[sum.found, sum.posts, status('published'), status('scheduled'), status('draft'), status('archived')],
    ...[total(sum.noPosts.values()), total(sum.unread.values()), sum.ownAddresses],
    ...[total(sum.losses.values()), sum.brokenLinks],
  ];
  return tableRow([name, ...counts.map(String), sum.seconds.toFixed(1)]);
}

/** The reasons and kinds behind the numbers, most frequent first. */
export function describe(name: string, sum: Sum): string {
  const groups: (readonly [string, readonly string[]])[] = [
    ['refused', sum.refused],
    ['no post', ranked(sum.noPosts)],
    ['unread', ranked(sum.unread)],
    ['losses', ranked(sum.losses)],
    ['differences', sampled(sum.differences)],
  ];
  const lines = groups.flatMap(([title, of]) =>
    of.length === 0 ? [] : [`  ${title}`, ...of.map((line) => `    ${line}`)],
  );
  return lines.length === 0 ? '' : `\n${name}\n${lines.join('\n')}`;
}

/** Replaces numbers and names in a reason, so that equal reasons are counted together. */
function withoutNames(reason: string): string {
  return reason.replace(/"[^"]*"/g, '"…"').replace(/\b\d+\b/g, 'N');
}

/** The number of lines of each kind, with the first of them. */
function sampled(lines: readonly string[]): string[] {
  const kinds = Map.groupBy(lines, (line) => line.slice(0, line.indexOf(':')));
  return [...kinds].flatMap(([kind, of]) => [
    `${of.length} × ${kind}`,
    ...of.slice(0, SAMPLES).map((line) => `  ${line.slice(kind.length + 2)}`),
  ]);
}

const SAMPLES = 10;

function ranked(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].sort(([, a], [, b]) => b - a).map(([what, count]) => `${count} × ${what}`);
}

function counted(things: readonly Counted[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { what, count } of things) counts.set(what, (counts.get(what) ?? 0) + count);
  return counts;
}

function total(numbers: Iterable<number>): number {
  return [...numbers].reduce((sum, number) => sum + number, 0);
}
