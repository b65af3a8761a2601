import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { SILENT } from '../../common/progress.ts';
import { readPointer } from '../../build/output/pointer-file.ts';
import { buildOutput } from '../../build/output/build-output.ts';
import { ExplainedError, NothingPublished } from '../../common/errors.ts';
import { forgetWithdrawn } from '../../build/output/last-build.ts';
import { SnapshotHeld } from '../../build/errors.ts';
import { checkOutput } from '../../build/output/output-guard.ts';
import { shellQuoted } from '../../common/shell.ts';
import { CredentialsMissing } from '../../common/bucket/errors.ts';
import { withdrawFromOutput, type WithdrawnFrom } from '../../build/withdraw/withdraw.ts';
import { requireDatabase, writingTo } from '../../data/database.ts';
import { restorePost, withdrawPost } from '../../data/withdrawals.ts';
import { FRESH_MS } from '../../gateway/fetch/fresh-snapshot.ts';
import { type BucketFlags, checkBucket } from '../bucket.ts';
import { colours } from '../colours.ts';
import { commandLine } from '../command-line.ts';
import {
  buildOptions,
  type CommandFlags,
  type Configured,
  type DatabaseFlags,
  givenOptions,
  mainCommand,
} from '../options.ts';
import { runningServices } from '../faults.ts';
import { printable } from '../printable.ts';
import { REFRESH_MS } from '../serving.ts';
import { terminalProgress } from '../terminal-progress.ts';
import { counted, megabytes, printResult } from '../terminal.ts';
import {
  fromBucket,
  fromExports,
  knownBuckets,
  knownSlugs,
  type Reached,
  waitForSwitch,
  WITHDRAWALS,
  type WithdrawnBucket,
  type WithdrawnExport,
} from '../withdrawal.ts';

interface Options extends DatabaseFlags, CommandFlags, Configured, Partial<BucketFlags> {
  readonly undo?: boolean;
}

export function withdrawCommand(): Command {
  return mainCommand('withdraw', ['db', 'out', 'settings', 'json', 'to', 'endpoint'], 'withdraw a-mistake')
    .argument('<slug>', "the article's slug in the API")
    .option('--undo', 'undo a withdrawal, so that builds can publish the article again')
    .action((slug: string, options: Options) =>
      options.undo ? restore(slug, options) : withdraw(slug, options),
    );
}

/** The result of the command, as printed by `--json`. */
interface WithdrawResult {
  readonly slug: string;
  readonly withdrawn: true;
  /** Null: nothing is published. */
  readonly output: WithdrawnFrom | null;
  readonly buckets: readonly WithdrawnBucket[];
  readonly exports: readonly WithdrawnExport[];
  /** Places that may have copies out of this command's reach. */
  readonly not_reached: readonly string[];
}

async function withdraw(slug: string, options: Options): Promise<void> {
  checkAddress(options);
  // With --json nothing else is printed.
  const building = buildOptions(options, options.json ? SILENT : terminalProgress());
  requireDatabase(options.db);
  if (!existsSync(options.out)) throw new NothingPublished(options.out);
  checkOutput(building);
  const slugs = await knownSlugs(building);
  if (!slugs.has(slug)) {
    throw new ExplainedError(
      `There is no article "${slug}" in the database or in a kept snapshot. Copy its slug from the API.`,
    );
  }
  const served = readPointer(options.out);
  if (served?.held) throw new SnapshotHeld(served.snapshot);
  const isSilent = options.json === true;
  const toClean = knownBuckets(options.out, options);
  if (!isSilent) console.log(colours.dim(announcement([options.out, ...toClean.map(({ to }) => to)])));

  const again = commandLine(`withdraw ${printable(shellQuoted(slug))}`);
  const unfinished = `The withdrawal is not complete. Run ${again} again.`;
  WITHDRAWALS.recordFailure(options.out, new Date().toISOString(), unfinished, slug);
  writingTo(options.db, (db) => withdrawPost(db, slug, new Date()));
  // A named bucket gets its snapshot from the output.
  if (options.to !== undefined && !served) await buildOutput(building);
  const switched = async () => {
    if (runningServices(options.out).length > 0) await waitForSwitch('gateways', REFRESH_MS, isSilent);
  };
  const output = (await withdrawFromOutput(building, slug, switched)) ?? null;
  const buckets: WithdrawnBucket[] = [];
  const given = givenOptions(options, ['db', 'out', 'config']);
  for (const bucket of toClean) {
    const workersSwitched = () => waitForSwitch('Workers', FRESH_MS, isSilent);
    buckets.push(await fromBucket(building, bucket, slug, given, workersSwitched));
  }
  const exports = output === null ? [] : await fromExports(options.out);
  const report: WithdrawResult = {
    slug,
    withdrawn: true,
    output,
    buckets,
    exports,
    not_reached: notReached(buckets.length > 0),
  };
  printResult(options.json, report, describe(report, options.out));
  const left = [...buckets, ...exports].filter(({ failure }) => failure !== null);
  if (left.length > 0)
    throw new ExplainedError(
      `"${slug}" is still in ${left.length === 1 ? 'one place' : `${left.length} places`}. Run the commands above; ` +
        'they are safe to repeat.',
    );
  WITHDRAWALS.forget(options.out, slug);
}

function announcement(places: readonly string[]): string {
  return `This removes all earlier snapshots from ${places.join(', ')}. You cannot roll back to them afterwards.`;
}

function restore(slug: string, options: Options): void {
  requireDatabase(options.db);
  const restored = writingTo(options.db, (db) => restorePost(db, slug));
  forgetWithdrawn(options.out, slug);
  WITHDRAWALS.forget(options.out, slug);
  const message = restored
    ? `${colours.green('restored')} "${slug}": the next build publishes it if its source still has it`
    : `"${slug}" is not withdrawn.`;
  printResult(options.json, { slug, restored }, message);
}

/** Missing credentials must not prevent withdrawal from the output, so they are reported for each bucket. */
function checkAddress(options: Options): void {
  try {
    checkBucket(options);
  } catch (error) {
    if (!(error instanceof CredentialsMissing)) throw error;
  }
}

function notReached(hasBuckets: boolean): string[] {
  return [
    'the database, where the article stays archived until you delete its row, and the files it was imported from',
    'caches of browsers and proxies (for up to 60 seconds), and copies made by sites and search engines',
    "the article's images and other files on your own site",
    'backups, other output folders, and hosts to which exported files were uploaded',
    ...(hasBuckets
      ? [
          "Cloudflare's Cache API, which may keep unused objects",
          'earlier versions of objects, if the bucket is versioned',
        ]
      : []),
  ];
}

function describe({ slug, output, buckets, exports, not_reached }: WithdrawResult, out: string): string {
  const done = (place: string, what: string) =>
    `${colours.green('withdrawn')} "${slug}" from ${place}: ${what}`;
  const failed = (place: string, { failure, command }: Reached) =>
    `${colours.red('not withdrawn')} from ${place}: ${failure}\n  ${command}`;
  const cleaned = (place: string, withdrawn: WithdrawnFrom | null) =>
    withdrawn === null
      ? `${colours.green('withdrawn')} "${slug}": nothing is published in ${place}`
      : done(place, describeWithdrawn(withdrawn));
  return [
    cleaned(out, output),
    ...buckets.map((one) =>
      one.failure === null ? cleaned(one.bucket, one.withdrawn) : failed(one.bucket, one),
    ),
    ...exports.map((one) => {
      const { folder, written: report } = one;
      if (report === null) return failed(folder, one);
      const files = `${counted(report.written, 'file')} written, ${counted(report.removed, 'file')} removed`;
      return done(folder, `exported again, ${files}`);
    }),
    'Copies may remain in:',
    ...not_reached.map((place) => `  - ${place}`),
    colours.dim('Builds and imports will not publish it again until you run "withdraw --undo".'),
  ].join('\n');
}

function describeWithdrawn({ snapshot, posts, dropped, removed, bytes }: WithdrawnFrom): string {
  const history = dropped.length === 0 ? '' : `, ${counted(dropped.length, 'earlier snapshot')} dropped`;
  return `serving ${snapshot}, ${counted(posts, 'post')}; ${counted(removed, 'object')} removed (${megabytes(bytes)})${history}`;
}
