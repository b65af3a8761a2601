import {
  countOf,
  type ImportReport,
  type ImportSummary,
  type KnownPost,
  leftOut,
  type Tally,
} from '../data/imported/report.ts';
import { findImport, type ImportOutcome, importName, type ImportRecord } from './import-record.ts';
import { colours } from './colours.ts';
import type { Config } from './settings.ts';
import { printable } from './printable.ts';
import { counted } from './terminal.ts';

/** More are listed by `--json`. */
const SHOWN = 10;

/**
 * Describes an import for people: first skipped content, totals last.
 *
 * @param keep whether removed posts are kept
 * @param site its name and address in `offprint.json`, which override the database's
 */
export function describeImport(
  report: ImportReport,
  { keep = false, site = {} }: { readonly keep?: boolean | undefined; readonly site?: Config['site'] },
): string {
  const { notes, origins, renamed, moved, gone, absent, withdrawn, skipped, notPosts, losses } = report;
  return [
    ...notes.map(printable),
    ...(report.replacedSample ? ['The sample blog was removed from the database.'] : []),
    ...leftOut(skipped).map(
      ({ source, reason }) => `${colours.yellow('left out')} ${printable(source)}: ${printable(reason)}`,
    ),
    ...renamed.map(
      ({ source, slug, wanted }) =>
        `${colours.yellow('renamed')} ${printable(source)}: "${printable(wanted)}" is taken, so it is "${printable(slug)}"`,
    ),
    ...moved.map(({ from, to, slug }) => `${colours.green('moved')} ${from}: now ${to}, "${slug}"`),
    ...gone.map(({ source, slug }) => `${colours.yellow('gone')} ${source}: "${slug}" is archived`),
    ...withdrawn.map(
      ({ source, slug }) =>
        `${colours.yellow('withdrawn')} ${source}: "${slug}" stays archived until "withdraw --undo"`,
    ),
    ...describeAbsent(absent, keep),
    ...notPosts.map(describeNotPosts),
    ...losses.map(describeLoss),
    ...describeLinks(report.brokenLinks),
    ...origins.filter((origin) => origin.new).map(({ name }) => `${colours.green('new')} blog "${name}"`),
    ...describeSite(report.site, site),
    describeSums(report),
    colours.dim('"build" publishes them; a running "start" does so within a minute.'),
  ].join('\n');
}

function describeSums({ found, posts, imported, unchanged, gone, skipped, notPosts }: ImportReport): string {
  const others = notPosts.reduce((sum, { count }) => sum + count, 0);
  const states = (['published', 'scheduled', 'draft', 'archived'] as const)
    .filter((state) => posts[state] > 0)
    .map((state) => `${posts[state]} ${state}`);
  const lines = [
    `${colours.dim('found')} ${found}: ${[...states, `${others} not ${others === 1 ? 'a post' : 'posts'}`, `${countOf(leftOut(skipped))} left out`].join(', ')}`,
    `${colours.green('imported')} ${[
      counted(imported.posts, 'post'),
      counted(imported.categories, 'category', 'categories'),
      counted(imported.tags, 'tag'),
      counted(imported.authors, 'author'),
    ].join(', ')}; ${counted(unchanged, 'post')} unchanged, ${counted(gone.length, 'post')} gone`,
  ];
  return lines.join('\n');
}

function describeNotPosts({ what, count, first }: Tally): string {
  const more = count === 1 ? '' : ` and ${count - 1} more`;
  return `${colours.dim('not a post')} ${printable(first)}${more}: ${printable(what)}`;
}

function describeLoss({ what, count, first, detail }: Tally): string {
  const times = count === 1 ? 'in' : `${count} times, first in`;
  return `${colours.yellow('lost')} ${printable(what)}: ${times} ${printable(first)}${detail === undefined ? '' : ` (${printable(detail)})`}`;
}

function describeLinks(links: readonly Tally[]): string[] {
  if (links.length === 0) return [];
  const sum = links.reduce((total, { count }) => total + count, 0);
  const shown = links.slice(0, SHOWN).map(({ what, first }) => `${printable(what)} (in ${printable(first)})`);
  const more = links.length > shown.length ? `, and ${links.length - shown.length} more addresses` : '';
  return [
    `${colours.yellow('links')} ${counted(sum, 'link leads', 'links lead')} to no post: ${shown.join(', ')}${more}`,
  ];
}

function describeSite(known: ImportReport['site'], configured: Config['site']): string[] {
  const lines: string[] = [];
  if ((configured.name ?? known.name) === null)
    lines.push(
      `${colours.yellow('no name')} The source does not say what the blog is called, so the API calls it "Blog". Set site.name in offprint.json.`,
    );
  if ((configured.url ?? known.url) === null)
    lines.push(
      `${colours.yellow('no address')} The source does not say where the blog is, so the addresses of posts, and links and ` +
        'images without a host, begin with https://blog.example. Import it again with --site URL, or set site.url in offprint.json.',
    );
  return lines;
}

function describeAbsent(absent: readonly KnownPost[], keep: boolean): string[] {
  if (absent.length === 0) return [];
  const shown = absent.slice(0, SHOWN).map(({ slug }) => `"${slug}"`);
  const more = absent.length > shown.length ? ` and ${absent.length - shown.length} more` : '';
  const stay = absent.length === 1 ? 'is not in this import and stays' : 'are not in this import and stay';
  return [
    `${colours.yellow('absent')} ${counted(absent.length, 'published post')} ${stay} published: ${shown.join(', ')}${more}. ` +
      (keep ? 'You asked to --keep them.' : 'If this is all of the blog, import it with --complete.'),
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
  const named = left.find(({ source }) => !known.some((one) => one.source === source)) ?? left[0];
  if (named === undefined && isUnchanged(report)) return null;
  const lost = losses.reduce((sum, { count }) => sum + count, 0);
  return [
    `${colours.green('imported')} ${what}: ${counted(imported.posts, 'post')} new or changed, ${gone.length} gone`,
    ...(named === undefined
      ? []
      : [`${countOf(left)} left out (${printable(named.source)}: ${printable(named.reason)})`]),
    ...(lost > 0 ? [counted(lost, 'loss', 'losses')] : []),
  ].join(', ');
}

function isUnchanged({ imported, gone, moved }: ImportSummary): boolean {
  return Object.values(imported).every((count) => count === 0) && gone.length === 0 && moved.length === 0;
}

export function describeUnchanged(outcome: ImportOutcome): string {
  return `${colours.dim('unchanged')} ${importName(outcome)}`;
}
