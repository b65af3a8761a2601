import { absentOr, isFlag, isNumber, isText, listOf, nullOr, recordOf } from '../../contract/json.ts';
import type { ImportedPost, Loss, Skipped } from './post.ts';

/** A post that the database has. */
export interface KnownPost {
  readonly source: string;
  readonly slug: string;
}

/** Things alike, counted. */
export interface Tally {
  readonly what: string;
  readonly count: number;
  /** The `source` of the first. */
  readonly first: string;
  /** What is to be known of the first. */
  readonly detail?: string;
}

/** The answer of the command `import`, and its `--json`. */
export interface ImportReport {
  /** What the format has to say: which engine it was, what to do. */
  readonly notes: readonly string[];
  /** The blogs that it was, by the names that `--name` takes. */
  readonly origins: readonly { readonly format: string; readonly name: string; readonly new: boolean }[];
  /** The public site, as the database has it now; `url` is null while nobody has said it, and addresses are made up. */
  readonly site: { readonly name: string; readonly url: string | null };
  /** Whether the sample blog was in the database, and went. */
  readonly replacedSample: boolean;
  /** All that the source has: posts, and what is none. */
  readonly found: number;
  /** The posts that came in, changed or not, by what they are now. */
  readonly posts: Readonly<Record<ImportedPost['status'], number>>;
  /** New or changed in the database by this import. */
  readonly imported: {
    readonly posts: number;
    readonly categories: number;
    readonly tags: number;
    readonly authors: number;
  };
  /** Posts that the database already had, just so. */
  readonly unchanged: number;
  /** Posts that had to take another slug than they asked for, because an earlier post has it. */
  readonly renamed: readonly { readonly source: string; readonly slug: string; readonly wanted: string }[];
  /** Posts that are at another place of their blog now. */
  readonly moved: readonly { readonly from: string; readonly to: string; readonly slug: string }[];
  /** Posts that are not in their blog any more: archived by this import. */
  readonly gone: readonly KnownPost[];
  /** Published posts that are not in this import and stay published. */
  readonly absent: readonly KnownPost[];
  /** Posts that the blog publishes and that stay archived, because they were withdrawn. */
  readonly withdrawn: readonly KnownPost[];
  /** Posts that could not be read, and what is no post (`noPost`), one by one. */
  readonly skipped: readonly Skipped[];
  /** The latter by reason, the most frequent first. */
  readonly notPosts: readonly Tally[];
  /** Parts of posts that are not as their blog shows them, by kind, the most frequent first. */
  readonly losses: readonly Tally[];
  /** Addresses of posts that links lead to, and no post has. */
  readonly brokenLinks: readonly Tally[];
}

const isKnownPosts = listOf(recordOf<KnownPost>({ source: isText, slug: isText }));
const isTallies = listOf(
  recordOf<Tally>({ what: isText, count: isNumber, first: isText, detail: absentOr(isText) }),
);

export const isImportReport = recordOf<ImportReport>({
  notes: listOf(isText),
  origins: listOf(recordOf<ImportReport['origins'][number]>({ format: isText, name: isText, new: isFlag })),
  site: recordOf<ImportReport['site']>({ name: isText, url: nullOr(isText) }),
  replacedSample: isFlag,
  found: isNumber,
  posts: recordOf<ImportReport['posts']>({
    draft: isNumber,
    scheduled: isNumber,
    published: isNumber,
    archived: isNumber,
  }),
  imported: recordOf<ImportReport['imported']>({
    posts: isNumber,
    categories: isNumber,
    tags: isNumber,
    authors: isNumber,
  }),
  unchanged: isNumber,
  renamed: listOf(
    recordOf<ImportReport['renamed'][number]>({ source: isText, slug: isText, wanted: isText }),
  ),
  moved: listOf(recordOf<ImportReport['moved'][number]>({ from: isText, to: isText, slug: isText })),
  gone: isKnownPosts,
  absent: isKnownPosts,
  withdrawn: isKnownPosts,
  skipped: listOf(
    recordOf<Skipped>({
      source: isText,
      reason: isText,
      count: absentOr(isNumber),
      noPost: absentOr((value): value is true => value === true),
    }),
  ),
  notPosts: isTallies,
  losses: isTallies,
  brokenLinks: isTallies,
});

/** What is no post, by reason. */
export function notPostsOf(skipped: readonly Skipped[]): Tally[] {
  const others = skipped.filter(({ noPost }) => noPost);
  return talliesOf(others.map(({ reason, source, count }) => ({ what: reason, source, count })));
}

/** How many posts of the source are not in the database. */
export function leftOut(skipped: readonly Skipped[]): number {
  return countOf(skipped.filter(({ noPost }) => !noPost));
}

export function countOf(skipped: readonly Skipped[]): number {
  return skipped.reduce((sum, { count = 1 }) => sum + count, 0);
}

/** Losses by kind. */
export function talliesOf(losses: Iterable<Omit<Loss, 'count'> & { count?: number | undefined }>): Tally[] {
  const tallies = new Map<string, { what: string; count: number; first: string; detail?: string }>();
  for (const { what, source, count = 1, detail } of losses) {
    const tally = tallies.get(what);
    if (tally) tally.count += count;
    else tallies.set(what, { what, count, first: source, ...(detail === undefined ? {} : { detail }) });
  }
  return [...tallies.values()].sort((a, b) => b.count - a.count || (a.what < b.what ? -1 : 1));
}
