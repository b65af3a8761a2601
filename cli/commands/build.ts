import type { Command } from 'commander';
import { colours } from '../colours.ts';
import { buildOutput } from '../../build/output/build-output.ts';
import { guardOutput } from '../../build/output/output-guard.ts';
import { RowsSkipped, TooManyPostsGone } from '../../build/errors.ts';
import { describeOutcome } from '../describe-import.ts';
import { describeBuild, describeLosses } from '../describe-build.ts';
import { EndsWith } from '../failure.ts';
import { type ImportOutcome, readImports } from '../import-record.ts';
import { importConfigured } from '../imports.ts';
import { type BuildFlags, buildOptions, type CommandFlags, mainCommand } from '../options.ts';
import { terminalProgress } from '../terminal-progress.ts';
import { printResult } from '../terminal.ts';

interface Options extends BuildFlags, CommandFlags {
  /** Whether to run the imports of `offprint.json` first. */
  readonly import: boolean;
}

export function buildCommand(): Command {
  return mainCommand('build', ['db', 'out', 'settings', 'json'], 'build --db data/blog.db --out out')
    .option('--no-import', 'do not run the imports in offprint.json first')
    .option('--strict', 'fail if a row cannot be published, instead of leaving it out')
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
    nameLosses(report);
    printResult(options.json, report, describeBuild(report));
  } catch (error) {
    if (error instanceof RowsSkipped || error instanceof TooManyPostsGone)
      nameLosses({ skipped: error.skipped, cut: [], removed: [], notes: [] });
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

/** Names what a build did not publish as it is. */
function nameLosses(report: Parameters<typeof describeLosses>[0]): void {
  for (const [label, text] of describeLosses(report))
    console.error(`${colours.yellow(label === 'note' ? 'note:' : label)} ${text}`);
}
