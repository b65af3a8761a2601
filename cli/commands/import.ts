import { Argument, type Command } from 'commander';
import { colours } from '../colours.ts';
import { openForWriting } from '../../data/database.ts';
import { type FormatName, FORMATS, importBlog, readBlog, siteAddress } from '../../data/import/import.ts';
import type { ImportReport } from '../../data/import/post.ts';
import { SILENT } from '../../data/import/progress.ts';
import { command } from '../options.ts';
import { printable } from '../printable.ts';
import { counted, terminalProgress } from '../terminal.ts';

interface Options {
  readonly db: string;
  readonly site?: string;
  readonly json?: boolean;
}

export function importCommand(): Command {
  const formats = Object.keys(FORMATS);
  return command(
    'import',
    'put a blog into the database',
    ['db', 'config', 'json'],
    'import markdown ../blog/content --site https://blog.example\n' +
      '  npm run -s offprint -- import wordpress blog.WordPress.2026-05-01.xml\n' +
      '  npm run -s offprint -- import ghost blog.ghost.2026-05-01.json',
  )
    .addHelpText('after', `\nFormats:\n${describeFormats()}`)
    .addArgument(new Argument('<format>', 'what the blog is written in').choices(formats))
    .argument('<path...>', 'its folder or file, or the files of an export in parts')
    .option('--site <url>', "the public site's address, for the posts' URLs")
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
  { db: dbPath, site, json }: Options,
): Promise<void> {
  const db = openForWriting(dbPath);
  try {
    // Elsewhere than on a terminal the report says enough.
    const progress = process.stderr.isTTY ? terminalProgress() : SILENT;
    const items = readBlog(format, paths, { now: new Date(), site: siteAddress(db, site), progress });
    const report = await importBlog({ db, items, site: { url: site }, progress });
    console.log(json ? JSON.stringify(report) : describeImport(report));
  } finally {
    db.close();
  }
}

function describeImport({ imported, unchanged, renamed, skipped }: ImportReport): string {
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
    `${colours.green('imported')} ${[
      counted(posts, 'post'),
      counted(categories, 'category', 'categories'),
      counted(tags, 'tag'),
      counted(authors, 'author'),
    ].join(', ')}; ${counted(unchanged, 'post')} unchanged, ${leftOut} left out`,
    colours.dim('"build" publishes them; a running "start" does so within a minute.'),
  ];
  return lines.join('\n');
}
