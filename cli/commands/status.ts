import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { colours } from '../colours.ts';
import { commandLine } from '../command-line.ts';
import { objectPath } from '../../contract/object-name.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { refuseUnreadable } from '../../common/errors.ts';
import { shownAddress } from '../../common/shown-address.ts';
import { EndsWith } from '../failure.ts';
import { describeRemoved } from '../describe-removed.ts';
import { type LastBuild, readLastBuild } from '../../build/output/last-build.ts';
import { type LastPublish, readLastPublishes } from '../../build/publish/last-publish.ts';
import { describeRow } from '../describe-row.ts';
import { readKeyRecords } from '../../data/accounts/key-files.ts';
import { describeExpiring } from '../expiring-keys.ts';
import { readPointer } from '../../build/output/pointer-file.ts';
import { type ImportRecord, importName, originName, readImports } from '../import-record.ts';
import { type CommandFlags, givenOptions, mainCommand } from '../options.ts';
import { printable } from '../printable.ts';
import { type Problem, readProblems } from '../problems.ts';
import { age, counted, moment } from '../terminal.ts';

const EXIT_CODES = `
Exit codes:
  0  no problems
  1  served, but the last build, publish, import, check or quota count failed
  3  nothing is served`;

export function statusCommand(): Command {
  return mainCommand('status', ['out', 'config', 'json'], 'status')
    .addHelpText('after', EXIT_CODES)
    .action(run);
}

function run({ out, config, json }: CommandFlags): void {
  refuseUnreadable(join(out, 'state')); // Failures are recorded there.
  const pointer = servedPointer(out);
  const { success, failure } = readLastBuild(out);
  const buckets = readLastPublishes(out);
  const imports = readImports(out);
  const problems = readProblems(out);
  const expiring = describeExpiring(readKeyRecords(out), new Date());
  if (json) {
    const { previous = [] } = pointer ?? {};
    const { blog, snapshot, posts, built_at, held } = pointer ?? {};
    const served = pointer ? { blog, snapshot, posts, built_at, held, kept: previous.length } : null;
    const lastBuild = success && { at: success.at, next_due: success.next_due, ...success.report };
    const shown = imports.map((last) => ({ ...last, path: shownAddress(last.path) }));
    console.log(
      JSON.stringify({ served, last_build: lastBuild, failure, buckets, imports: shown, expiring, problems }),
    );
  } else {
    if (!pointer)
      console.log(
        `Nothing is served from ${out}. Publish: ${commandLine(`build${givenOptions({ out, config }, ['out', 'config'])}`)}`,
      );
    const lines = [
      ...(pointer ? describeServed(pointer) : []),
      ...describeProblems(problems),
      ...describeLastBuild({ success, failure }),
      ...imports.flatMap((last) => [...describeLastImport(last)]),
      ...(expiring === null ? [] : [line('keys', printable(expiring), colours.yellow)]),
      ...describeLastPublishes(buckets, pointer?.snapshot),
    ];
    for (const line of lines) console.log(line);
  }
  if (!pointer) throw new EndsWith(3);
  if (problems.length > 0) throw new EndsWith(1);
}

/** The pointer, if its snapshot exists and can be read. */
function servedPointer(out: string): Pointer | undefined {
  const pointer = readPointer(out);
  if (!pointer) return undefined;
  const directory = join(out, objectPath('directory', pointer.snapshot));
  refuseUnreadable(directory);
  return existsSync(directory) ? pointer : undefined;
}

/** A line with a label. */
function line(label: string, text: string, colour: (label: string) => string = colours.bold): string {
  return colour(label.padEnd(12)) + text;
}

function* describeServed({ snapshot, posts, built_at, held, previous }: Pointer): Generator<string> {
  yield line('served', `snapshot ${snapshot}, ${counted(posts, 'post')}`);
  yield line('published', `${moment(built_at)}, ${age(built_at)} ago`);
  if (held)
    yield line('held', 'since a rollback; "snapshots release" lets builds publish again', colours.yellow);
  yield line('kept', `${counted(previous.length, 'earlier snapshot')} for rollback`);
}

function* describeProblems(problems: readonly Problem[]): Generator<string> {
  for (const { what, since, message } of problems)
    yield line('failed', `${what}, for ${age(since)} (since ${moment(since)}): ${message}`, colours.red);
}

function* describeLastBuild({ success, failure }: LastBuild): Generator<string> {
  if (success) {
    const { at, next_due, report } = success;
    yield line('last build', `${moment(at)}, ${age(at)} ago, in ${report.seconds.toFixed(2)} s`);
    if (next_due !== null)
      yield line('next due', `${moment(new Date(next_due * 1000).toISOString())}: a post appears or expires`);
  }
  const { skipped = [], cut = [], removed = [], notes = [] } = success?.report ?? {};
  for (const row of failure?.skipped ?? skipped) yield line('left out', describeRow(row), colours.yellow);
  for (const row of cut) yield line('cut', describeRow(row), colours.yellow);
  for (const kind of removed) yield line('removed', printable(describeRemoved(kind)), colours.yellow);
  for (const note of notes) yield line('note', printable(note), colours.yellow);
}

function* describeLastImport(last: ImportRecord): Generator<string> {
  const { imported_at: at, running, left_out } = last;
  if (running !== null) yield line('importing', `${importName(last)} for ${age(running.since)}`);
  if (at !== null) yield line('imported', `${importName(last)}, checked ${age(at)} ago`);
  for (const { source, reason } of left_out)
    yield line('left out', `${originName(source)}: ${printable(reason)}`, colours.yellow);
}

function* describeLastPublishes(
  buckets: Readonly<Record<string, LastPublish>>,
  current: string | undefined,
): Generator<string> {
  for (const [bucket, { success }] of Object.entries(buckets)) {
    if (!success) continue;
    const { snapshot } = success.report;
    const which = snapshot === current ? 'this snapshot' : `snapshot ${snapshot}`;
    yield line('bucket', `${bucket} received ${which} ${age(success.at)} ago`);
  }
}
