import { absentOr, isFlag, isNumber, isText, listOf, recordOf } from '../../contract/json.ts';
import type { Loss, Skipped } from '../../import/imported-item.ts';
import type { HiddenCounts } from './queue.ts';

/** A post in the database. */
export interface KnownPost {
  readonly source: string;
  readonly slug: string;
}

/** A count of equal things. */
export interface Tally {
  readonly what: string;
  readonly count: number;
  /** The `source` of the first. */
  readonly first: string;
  /** Details of the first. */
  readonly detail?: string;
}

/** The result of the command `import`, and its `--json`. */
export interface ImportReport {
  /** Notes of the format: which engine was used, what to do. */
  readonly notes: readonly string[];
  /** The blogs, by the names that `--name` accepts. */
  readonly origins: readonly { readonly format: string; readonly name: string; readonly new: boolean }[];
  /** The public site in the database; null: not set, and a placeholder is used. */
  readonly site: { readonly name: string | null; readonly url: string | null };
  /** Whether the sample blog was in the database and was removed. */
  readonly replacedSample: boolean;
  /** Number of items in the source, posts or not. */
  readonly found: number;
  /** The imported posts, changed or not, by current status. Withdrawn ones are archived. */
  readonly posts: Readonly<Record<'published' | 'scheduled' | 'archived', number>>;
  /** Posts that the blogs do not show to everybody, by reason. Nothing of them is stored. */
  readonly hidden: HiddenCounts;
  /** New or changed rows of this import. */
  readonly imported: {
    readonly posts: number;
    readonly categories: number;
    readonly tags: number;
    readonly authors: number;
  };
  /** Posts that were already the same in the database. */
  readonly unchanged: number;
  /** Posts that got another slug than they prefer, because an earlier post has it. */
  readonly renamed: readonly { readonly source: string; readonly slug: string; readonly wanted: string }[];
  /** Posts that moved within their blog. */
  readonly moved: readonly { readonly from: string; readonly to: string; readonly slug: string }[];
  /** Posts that are no longer in their blog, or hidden there: archived by this import. */
  readonly gone: readonly KnownPost[];
  /** Published posts that are missing from this import and stay published. */
  readonly absent: readonly KnownPost[];
  /** Posts that the blog publishes but that stay archived, because they were withdrawn. */
  readonly withdrawn: readonly KnownPost[];
  /** Unreadable posts, and items that are not posts (`noPost`), one by one. */
  readonly skipped: readonly Skipped[];
  /** The latter by reason, most frequent first. */
  readonly notPosts: readonly Tally[];
  /** Parts of posts that differ from their blog, by kind, most frequent first. */
  readonly losses: readonly Tally[];
}

/** The part of a report that tells what changed; it also comes from another process. */
export type ImportSummary = Pick<
  ImportReport,
  'replacedSample' | 'imported' | 'moved' | 'gone' | 'skipped' | 'losses'
>;

export const isImportSummary = recordOf<ImportSummary>({
  replacedSample: isFlag,
  imported: recordOf<ImportReport['imported']>({
    posts: isNumber,
    categories: isNumber,
    tags: isNumber,
    authors: isNumber,
  }),
  moved: listOf(recordOf<ImportReport['moved'][number]>({ from: isText, to: isText, slug: isText })),
  gone: listOf(recordOf<KnownPost>({ source: isText, slug: isText })),
  skipped: listOf(
    recordOf<Skipped>({
      source: isText,
      reason: isText,
      count: absentOr(isNumber),
      noPost: absentOr((value): value is true => value === true),
    }),
  ),
  losses: listOf(recordOf<Tally>({ what: isText, count: isNumber, first: isText, detail: absentOr(isText) })),
});

/** Items that are not posts, by reason. */
export function tallyNotPosts(skipped: readonly Skipped[]): Tally[] {
  const others = skipped.filter(({ noPost }) => noPost);
  return tallyLosses(others.map(({ reason, source, count }) => ({ what: reason, source, count })));
}

/** Posts of the source that are missing from the database, or stay there as they were. */
export function leftOut(skipped: readonly Skipped[]): readonly Skipped[] {
  return skipped.filter(({ noPost }) => !noPost);
}

export function sumCounts(skipped: readonly Skipped[]): number {
  return skipped.reduce((sum, { count = 1 }) => sum + count, 0);
}

export function countHidden(hidden: HiddenCounts): number {
  return Object.values(hidden).reduce((sum, count) => sum + count, 0);
}

/** Losses by kind. */
export function tallyLosses(losses: Iterable<Omit<Loss, 'count'> & { count?: number | undefined }>): Tally[] {
  const tallies = new Map<string, { what: string; count: number; first: string; detail?: string }>();
  for (const { what, source, count = 1, detail } of losses) {
    const tally = tallies.get(what);
    if (tally) tally.count += count;
    else tallies.set(what, { what, count, first: source, ...(detail === undefined ? {} : { detail }) });
  }
  return [...tallies.values()].sort((a, b) => b.count - a.count || (a.what < b.what ? -1 : 1));
}
