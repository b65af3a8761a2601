import type { Command } from 'commander';
import { colours } from '../colours.ts';
import { buildOutput } from '../../build/output/build-output.ts';
import { guardOutput } from '../../build/output/output-guard.ts';
import type { BuildReport } from '../../build/build-report.ts';
import { describeRemoved } from '../describe-removed.ts';
import type { SkippedRow } from '../../data/skipped-row.ts';
import { RowsSkipped, TooManyPostsGone } from '../../build/errors.ts';
import { describeOutcome } from '../describe-import.ts';
import { describeRow } from '../describe-row.ts';
import { EndsWith } from '../failure.ts';
import { type ImportOutcome, readImports } from '../import-record.ts';
import { importConfigured } from '../imports.ts';
import type { Log } from '../log.ts';
import { type BuildFlags, buildOptions, type CommandFlags, mainCommand } from '../options.ts';
import { printable } from '../printable.ts';
import { terminalProgress } from '../terminal-progress.ts';
import { count, counted, megabytes } from '../terminal.ts';

interface Options extends BuildFlags, CommandFlags {
  /** Whether to run the imports of `offprint.json` first. */
  readonly import: boolean;
}

export function buildCommand(): Command {
  return mainCommand('build', ['db', 'out', 'settings', 'json'], 'build --db data/blog.db --out out')
    .option('--no-import', 'do not import first what offprint.json names')
    .option('--strict', 'fail if a row cannot be exported, instead of leaving it out')
    .option('--force', 'publish even if this replaces another blog, removes most posts or resets your limits')
    .option('--full', 'render everything again, and replace damaged objects')
    .action(run);
}

async function run(options: Options): Promise<void> {
  const building = buildOptions(options, terminalProgress());
  const importsFirst = options.import && options.settings.import.length > 0;
  if (importsFirst) guardOutput(building, true);
  const outcomes = importsFirst ? await importFirst(options) : [];
  try {
    const report = await buildOutput(building);
    nameRows('left out', report.skipped);
    nameRows('cut', report.cut);
    for (const removed of report.removed)
      console.error(`${colours.yellow('removed')} ${printable(describeRemoved(removed))}`);
    for (const note of report.notes) console.error(`${colours.yellow('note:')} ${printable(note)}`);
    console.log(options.json ? JSON.stringify(report) : describeBuild(report));
  } catch (error) {
    if (error instanceof RowsSkipped || error instanceof TooManyPostsGone)
      nameRows('left out', error.skipped);
    throw error;
  }
  // The build succeeded, but the exit code reports failed imports.
  if (outcomes.some(({ failure }) => failure !== undefined)) throw new EndsWith(1);
}

/** Reports failures, but the database is still published: a post may be due. */
async function importFirst({ db, out, settings: config, json }: Options): Promise<readonly ImportOutcome[]> {
  const progress = terminalProgress();
  const before = readImports(out);
  const outcomes = await importConfigured({ db, out, config, now: new Date(), progress });
  for (const outcome of outcomes) {
    const line = describeOutcome(outcome, before);
    if (line !== null && (!json || outcome.failure !== undefined)) console.error(line);
  }
  return outcomes;
}

/** `published snapshot abc: 40 posts, 12 of 80 objects written (34 kB) in 0.2 s` */
export function describeBuild({ snapshot, posts, objects, seconds }: BuildReport): string {
  const { total, written, bytes_written: bytes } = objects;
  const work =
    written === 0
      ? `all ${counted(total, 'object')} are up to date`
      : `${count(written)} of ${counted(total, 'object')} written (${megabytes(bytes)})`;
  return `${colours.green('published')} snapshot ${snapshot}: ${counted(posts, 'post')}, ${work}, in ${seconds.toFixed(2)} s`;
}

/** Logs a build of `start`. */
export function logBuild(log: Pick<Log, 'info'>, report: BuildReport): void {
  log.info(describeBuild(report));
  for (const note of report.notes) log.info(`${colours.yellow('note:')} ${printable(note)}`);
}

function nameRows(what: 'left out' | 'cut', rows: readonly SkippedRow[]): void {
  for (const row of rows) console.error(`${colours.yellow(what)} ${describeRow(row)}`);
}
