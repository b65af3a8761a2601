import { existsSync, rmSync } from 'node:fs';
import { Argument, type Command } from 'commander';
import { colours } from '../colours.ts';
import { openForWriting } from '../../data/database.ts';
import { type FormatName, FORMATS, importBlog, readBlog, siteAddress } from '../../data/import/import.ts';
import type { ImportReport, KnownPost } from '../../data/import/post.ts';
import { SILENT } from '../../common/progress.ts';
import { command } from '../options.ts';
import { printable } from '../printable.ts';
import { terminalProgress } from '../terminal-progress.ts';
import { counted } from '../terminal.ts';

interface Options {
  readonly db: string;
  readonly site?: string;
  readonly name?: string;
  readonly complete?: boolean;
  readonly keep?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

export function importCommand(): Command {
  const formats = Object.keys(FORMATS);
  return command(
    'import',
    'import a blog into the database',
    ['db', 'config', 'json'],
    'import markdown ../blog/content --site https://blog.example',
    'import wordpress blog.WordPress.2026-05-01.xml',
    'import ghost blog.ghost.2026-05-01.json',
  )
    .addHelpText('after', `\nFormats:\n${describeFormats()}`)
    .addArgument(new Argument('<format>', 'the format of the blog').choices(formats))
    .argument('<path...>', 'its folder or file, or all files of a split export')
    .option('--site <url>', "the public site's address, for the posts' URLs")
    .option('--name <text>', 'the name of the blog, if the database has several')
    .option('--complete', 'the export is complete: archive every post that is not in it')
    .option('--keep', 'do not archive posts that are gone from the blog')
    .option('--force', 'continue if most posts are gone, or none is found')
    .action(run);
}

function describeFormats(): string {
  return Object.entries(FORMATS)
    .map(([name, { description }]) => `  ${name.padEnd(10)} ${description}`)
    .join('\n');
}

async function run(
  format: FormatName,
  paths: [string, ...string[]],
  { db: dbPath, site, json, ...rules }: Options,
): Promise<void> {
  const isNew = !existsSync(dbPath);
  const db = openForWriting(dbPath);
  let isDone = false;
  try {
    // Elsewhere than on a terminal the report says enough.
    const progress = process.stderr.isTTY ? terminalProgress() : SILENT;
    const items = readBlog(format, paths, { now: new Date(), site: siteAddress(db, site), progress });
    const report = await importBlog({ db, items, site: { url: site }, progress, ...rules });
    isDone = true;
    console.log(json ? JSON.stringify(report) : describeImport(report, rules.keep));
  } finally {
    db.close();
    // An empty database would be taken for a blog.
    if (isNew && !isDone) for (const end of ['', '-wal', '-shm']) rmSync(dbPath + end, { force: true });
  }
}

function describeImport(report: ImportReport, keep = false): string {
  const { origins, imported, unchanged, renamed, moved, gone, absent, withdrawn, skipped } = report;
  const { posts, categories, tags, authors } = imported;
  const leftOut = skipped.reduce((sum, { count = 1 }) => sum + count, 0);
  const lines = [
    ...skipped.map(
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
    ...origins.filter((origin) => origin.new).map(({ name }) => `${colours.green('new')} blog "${name}"`),
    `${colours.green('imported')} ${[
      counted(posts, 'post'),
      counted(categories, 'category', 'categories'),
      counted(tags, 'tag'),
      counted(authors, 'author'),
    ].join(
      ', ',
    )}; ${counted(unchanged, 'post')} unchanged, ${counted(gone.length, 'post')} gone, ${leftOut} left out`,
    colours.dim('"build" publishes them; a running "start" does so within a minute.'),
  ];
  return lines.join('\n');
}

/** More are listed by `--json`. */
const ABSENT_SHOWN = 10;

function describeAbsent(absent: readonly KnownPost[], keep: boolean): string[] {
  if (absent.length === 0) return [];
  const shown = absent.slice(0, ABSENT_SHOWN).map(({ slug }) => `"${slug}"`);
  const more = absent.length > shown.length ? ` and ${absent.length - shown.length} more` : '';
  const stay = absent.length === 1 ? 'is not in this import and stays' : 'are not in this import and stay';
  return [
    `${colours.yellow('absent')} ${counted(absent.length, 'published post')} ${stay} published: ${shown.join(', ')}${more}. ` +
      (keep ? 'You asked to --keep them.' : 'If this is all of the blog, import it with --complete.'),
  ];
}
