import {
  countHidden,
  type ImportReport,
  type ImportSummary,
  type KnownPost,
  leftOut,
  sumCounts,
  type Tally,
} from '../data/imported/report.ts';
import { HIDDEN_REASONS } from '../import/imported-item.ts';
import { commandLine } from './command-line.ts';
import {
  findImport,
  type ImportOutcome,
  importName,
  type ImportRecord,
  originName,
} from './import-record.ts';
import { colours } from './colours.ts';
import { givenOptions } from './options.ts';
import { printable, printableLines } from './printable.ts';
import type { Config } from './settings.ts';
import { counted } from './terminal.ts';

/** More are listed by `--json`. */
const SHOWN = 10;

const HIDDEN = {
  private: 'private',
  password: 'with a password',
  members: 'for members',
  trashed: 'in the trash',
  archived: 'archived',
  expired: 'expired',
} as const;

/** What was written. */
export interface WrittenImport {
  /** The path of the database, to be published. */
  readonly db: string;
  /** Whether the name or the address of its site changed. */
  readonly hasNewSite?: boolean;
}

/**
 * Describes an import for people: first skipped content, totals and the next step last.
 *
 * @param keep whether removed posts are kept
 * @param site its name and address in `offprint.json`, which override the database's
 * @param written absent: the caller publishes it, or nothing was written
 */
export function describeImport(
  report: ImportReport,
  { keep = false, site = {} }: { readonly keep?: boolean | undefined; readonly site?: Config['site'] },
  written?: WrittenImport,
): string {
  const { notes, origins, renamed, moved, gone, absent, withdrawn, skipped, notPosts, losses } = report;
  return [
    ...notes.map(printableLines),
    ...(report.replacedSample ? ['The sample blog was removed from the database.'] : []),
    ...leftOut(skipped).map(({ source, reason }) => mark('left out', source, printable(reason))),
    ...renamed.map(({ source, slug, wanted }) =>
      mark('renamed', source, `"${printable(wanted)}" is taken, so its slug is "${printable(slug)}"`),
    ),
    ...moved.map(({ from, to, slug }) =>
      mark('moved', from, `now ${originName(to)}, "${slug}"`, colours.green),
    ),
    ...gone.map(({ source, slug }) => mark('archived', source, `"${slug}"`)),
    ...withdrawn.map(({ source, slug }) =>
      mark('withdrawn', source, `"${slug}" stays archived until you run "withdraw --undo"`),
    ),
    ...describeAbsent(absent, keep),
    ...notPosts.map(describeNotPosts),
    ...losses.map(describeLoss),
    ...origins.filter((origin) => origin.new).map(({ name }) => `${colours.green('new')} blog "${name}"`),
    ...describeSite(report.site, site, written !== undefined),
    ...describeHidden(report.hidden),
    describeSums(report),
    ...(written === undefined
      ? []
      : [
          isUnchanged(report) && written.hasNewSite !== true
            ? 'Nothing has changed.'
            : describeNext(written.db),
        ]),
  ].join('\n');
}

/** A line about one post, by its origin. */
function mark(label: string, source: string, text: string, colour = colours.yellow): string {
  return `${colour(label)} ${originName(source)}: ${text}`;
}

function describeNext(db: string): string {
  const build = commandLine(`build${givenOptions({ db }, ['db'])}`);
  return `Publish it: ${build}\nA running "start" does so within a minute.`;
}

/** `12: 9 drafts, 3 for members` */
function describeHidden(hidden: ImportReport['hidden']): string[] {
  const sum = countHidden(hidden);
  if (sum === 0) return [];
  const parts = HIDDEN_REASONS.flatMap((reason) => {
    const count = hidden[reason];
    return count === undefined
      ? []
      : [reason === 'draft' ? counted(count, 'draft') : `${count} ${HIDDEN[reason]}`];
  });
  return [`${colours.dim('hidden')} ${sum}: ${parts.join(', ')}`];
}

function describeSums({ found, posts, imported, unchanged, gone, skipped, notPosts }: ImportReport): string {
  const others = notPosts.reduce((sum, { count }) => sum + count, 0);
  const states = (['published', 'scheduled', 'archived'] as const)
    .filter((state) => posts[state] > 0)
    .map((state) => `${posts[state]} ${state}`);
  const lines = [
    `${colours.dim('found')} ${found}: ${[...states, `${others} not ${others === 1 ? 'a post' : 'posts'}`, describeLeftOut(leftOut(skipped))].join(', ')}`,
    `${colours.green('imported')} ${[
      counted(imported.posts, 'post'),
      counted(imported.categories, 'category', 'categories'),
      counted(imported.tags, 'tag'),
      counted(imported.authors, 'author'),
    ].join(', ')}; ${counted(unchanged, 'post')} unchanged, ${counted(gone.length, 'post')} archived`,
  ];
  return lines.join('\n');
}

function describeNotPosts({ what, count, first }: Tally): string {
  const more = count === 1 ? '' : ` and ${count - 1} more`;
  return mark('not a post', first + more, printable(what), colours.dim);
}

function describeLoss({ what, count, first, detail }: Tally): string {
  const times = count === 1 ? 'in' : `${count} times, first in`;
  return `${colours.yellow('lost')} ${printable(what)}: ${times} ${originName(first)}${detail === undefined ? '' : ` (${printable(detail)})`}`;
}

/** @param canRepeat whether it is the command `import` */
function describeSite(known: ImportReport['site'], configured: Config['site'], canRepeat: boolean): string[] {
  const lines: string[] = [];
  if ((configured.name ?? known.name) === null)
    lines.push(
      `${colours.yellow('no name:')} The source has no name for the blog, so the API calls it "Blog". Set site.name in offprint.json.`,
    );
  if ((configured.url ?? known.url) === null)
    lines.push(
      `${colours.yellow('no URL:')} The source has no URL for the blog, so post URLs, and links and images without a ` +
        `host, begin with https://blog.example. ${canRepeat ? 'Import it again with --site URL, or set' : 'Set'} site.url in offprint.json.`,
    );
  return lines;
}

function describeAbsent(absent: readonly KnownPost[], keep: boolean): string[] {
  if (absent.length === 0) return [];
  const shown = absent.slice(0, SHOWN).map(({ slug }) => `"${slug}"`);
  const more = absent.length > shown.length ? ` and ${absent.length - shown.length} more` : '';
  const stay =
    absent.length === 1
      ? 'is missing from this import and remains'
      : 'are missing from this import and remain';
  return [
    `${colours.yellow('absent')} ${counted(absent.length, 'published post')} ${stay} published: ${shown.join(', ')}${more}. ` +
      (keep ? 'You kept them with --keep.' : 'If this is the complete blog, import it with --complete.'),
  ];
}

/**
 * The result of an import from `offprint.json`, in one line; null: nothing changed, and nothing was left out.
 *
 * @param before the records before it: of the posts that are left out, one that was not so far is named
 */
export function describeOutcome(
  { format, path, report, failure }: ImportOutcome,
  before: readonly ImportRecord[] = [],
): string | null {
  const what = importName({ format, path });
  if (failure !== undefined) return `${colours.red('not imported:')} ${what}: ${failure}`;
  if (report === undefined) return null;
  const { imported, gone, losses, skipped } = report;
  const left = leftOut(skipped);
  const known = findImport(before, { format, path })?.left_out ?? [];
  const shown = left.find(({ source }) => !known.some((one) => one.source === source)) ?? left[0];
  if (shown === undefined && isUnchanged(report)) return null;
  const lost = losses.reduce((sum, { count }) => sum + count, 0);
  return [
    `${colours.green('imported')} ${what}: ${counted(imported.posts, 'post')} new or changed, ${gone.length} archived`,
    ...(shown === undefined ? [] : [describeLeftOut(left, shown)]),
    ...(lost > 0 ? [counted(lost, 'loss', 'losses')] : []),
  ].join(', ');
}

/** `2 left out (posts/a.md: has no date)` */
function describeLeftOut(left: ReturnType<typeof leftOut>, shown = left[0]): string {
  const example = shown === undefined ? '' : ` (${originName(shown.source)}: ${printable(shown.reason)})`;
  return `${sumCounts(left)} left out${example}`;
}

function isUnchanged({ imported, gone, moved }: ImportSummary): boolean {
  return Object.values(imported).every((count) => count === 0) && gone.length === 0 && moved.length === 0;
}
