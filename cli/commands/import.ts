import { Argument, type Command } from 'commander';
import { guardOutput } from '../../build/output/output-guard.ts';
import { SILENT } from '../../common/progress.ts';
import { LossesFound } from '../../data/imported/errors.ts';
import { FORMAT_NAMES, type FormatName, isFormatName } from '../../import/format-names.ts';
import { FORMATS } from '../../import/formats.ts';
import { absoluteSource } from '../../import/sources/fingerprint.ts';
import type { FormatOptions } from '../../import/read-options.ts';
import type { ImportRules } from '../../data/imported/import.ts';
import { knownSite } from '../../data/imported/site.ts';
import type { ImportReport } from '../../data/imported/report.ts';
import { colours } from '../colours.ts';
import { describeImport, describeOutcome, type WrittenImport } from '../describe-import.ts';
import { EndsWith, WrongUsage } from '../failure.ts';
import { importName, recordByHand } from '../import-record.ts';
import { importConfigured, openForImport, runImport } from '../imports.ts';
import { buildOptions, type CommandFlags, type Configured, mainCommand } from '../options.ts';
import { describeRecognised, recognise, refuseStandardInput, withFormat } from '../recognise.ts';
import { terminalProgress } from '../terminal-progress.ts';

interface Options extends CommandFlags, Configured, FormatOptions, ImportRules {
  readonly db: string;
  readonly site?: string;
}

export function importCommand(): Command {
  return mainCommand(
    'import',
    ['db', 'out', 'settings', 'json'],
    'import ../blog --site https://blog.example',
    'import hugo ../blog',
    'import wordpress blog.WordPress.2026-05-01.xml',
    'import ghost blog.ghost.2026-05-01.json',
    'import feed https://blog.example/feed.json --complete',
    'import blog.db --views views.sql',
    'import wordpress https://blog.example',
    'import posts.ndjson',
  )
    .addHelpText('after', `\nFormats:\n${describeFormats()}`)
    .addArgument(
      new Argument('[format]', 'the format of the blog; recognised if omitted')
        .choices(FORMAT_NAMES)
        .argParser((word) => word), // Or the path.
    )
    .argument('[path...]', 'folder, file or URL of the blog, or all files of a split export')
    .option('--site <url>', 'URL of the public site, for post URLs')
    .option('--name <text>', 'name of this blog, if the database has several')
    .option('--all', 'running Ghost or WordPress, SQLite: import everything again, even if unchanged')
    .option('--complete', 'the source is the complete blog: archive posts that are missing from it')
    .option('--keep', 'do not archive posts that are missing from the blog')
    .option('--force', 'import even if most posts are missing, or none are found')
    .option('--collection <name>', 'Jekyll: a collection whose documents are posts; repeatable', repeated)
    .option('--section <name>', 'Hugo: a section whose pages are posts; repeatable', repeated)
    .option('--language <code>', 'Hugo, Jekyll: only posts in this language')
    .option('--engine <path>', 'Hugo, Jekyll: program to run instead of the installed one')
    .option('--plain', 'Hugo, Jekyll: read the files as Markdown, without the engine')
    .option('--views <file>', 'SQLite: file with SQL views over the database')
    .option('--strict', 'write nothing if any content cannot be imported')
    .action(run);
}

function repeated(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

function describeFormats(): string {
  return Object.entries(FORMATS)
    .map(([name, { description }]) => `  ${name.padEnd(9)}  ${description}`)
    .join('\n');
}

async function run(
  first: string | undefined,
  others: string[],
  options: Options,
  typed: Command,
): Promise<void> {
  if (first === undefined) return runConfigured(options);
  if (!isFormatName(first)) {
    const recognised = await recognise(first, (format) => withFormat(typed, 'import', format));
    if (!options.json) console.log(describeRecognised(first, recognised));
    return runOne(recognised.format, [first, ...others], options);
  }
  const [path, ...more] = others;
  if (path === undefined) throw new WrongUsage(`"import ${first}" needs a path.`);
  if (first !== 'items') others.forEach(refuseStandardInput);
  return runOne(first, [path, ...more], options);
}

async function runConfigured(options: Options): Promise<void> {
  const { db, out, config: _, settings, json, all = false, force = false, ...rest } = options;
  if (settings.import.length === 0) {
    throw new WrongUsage(
      'There is nothing to import. Give a path, as in "import ~/blog", or add "import" to offprint.json.',
    );
  }
  const [other] = Object.keys(rest);
  if (other !== undefined)
    throw new WrongUsage(`--${other} needs a path. Without one, set it in "import" of offprint.json.`);
  guardOutput(buildOptions({ db, out, settings, force }, SILENT), true);
  const progress = terminalProgress();
  const outcomes = await importConfigured({
    db,
    out,
    config: settings,
    now: new Date(),
    progress,
    all,
    force,
  });
  if (json) console.log(JSON.stringify(outcomes));
  for (const outcome of outcomes) {
    if (outcome.failure !== undefined) console.error(describeOutcome(outcome));
    else if (!json)
      console.log(
        outcome.report
          ? describeImport(outcome.report, { site: settings.site }, { db })
          : `${colours.dim('unchanged')} ${importName(outcome)}`,
      );
  }
  if (outcomes.some(({ failure }) => failure !== undefined)) throw new EndsWith(1);
}

async function runOne(
  format: FormatName,
  paths: [string, ...string[]],
  { db: dbPath, out, config: _, settings, site, json, ...rest }: Options,
): Promise<void> {
  const { site: configured } = settings;
  const print = (report: ImportReport, written?: WrittenImport): void =>
    console.log(
      json ? JSON.stringify(report) : describeImport(report, { keep: rest.keep, site: configured }, written),
    );
  try {
    await openForImport(dbPath, async (db) => {
      const before = knownSite(db);
      const report = await runImport({
        db,
        format,
        paths,
        options: rest,
        rules: rest,
        site,
        configured,
        now: new Date(),
        progress: terminalProgress(),
      });
      const { name, url } = report.site;
      print(report, { db: dbPath, hasNewSite: name !== before.name || url !== before.url });
      const [path] = paths;
      recordByHand(out, { format, path: absoluteSource(path), report }, new Date());
      return true;
    });
  } catch (error) {
    if (error instanceof LossesFound) print(error.report);
    throw error;
  }
}
