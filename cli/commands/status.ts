import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND_LIST } from '../command-list.ts';
import { colours } from '../colours.ts';
import { objectPath } from '../../contract/object-name.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { refuseUnreadable } from '../../common/errors.ts';
import { EndsWith } from '../failure.ts';
import { type LastBuild, readLastBuild } from '../../build/output/last-build.ts';
import { type LastPublish, readLastPublishes } from '../../build/publish/last-publish.ts';
import { readablePointer } from '../../build/output/pointer-file.ts';
import { type ImportRecord, importName, readImports } from '../import-record.ts';
import { command } from '../options.ts';
import { printable, shortened } from '../printable.ts';
import { type Problem, readProblems } from '../problems.ts';
import { age, counted } from '../terminal.ts';

interface Options {
  readonly out: string;
  readonly json?: boolean;
}

const EXIT_CODES = `
Exit codes:
  0  no problems
  1  served, but the last build, publish, import, check or quota count failed
  3  nothing is served`;

export function statusCommand(): Command {
  return command('status', COMMAND_LIST.status.does, ['out', 'config', 'json'], 'status')
    .addHelpText('after', EXIT_CODES)
    .action(run);
}

function run({ out, json }: Options): void {
  refuseUnreadable(join(out, 'state')); // Failures are recorded there.
  const pointer = servedPointer(out);
  const { success, failure } = readLastBuild(out);
  const buckets = readLastPublishes(out);
  const imports = readImports(out);
  const problems = readProblems(out);
  const served = pointer
    ? {
        blog: pointer.blog,
        snapshot: pointer.snapshot,
        posts: pointer.posts,
        built_at: pointer.built_at,
        held: pointer.held,
        kept: pointer.previous.length,
      }
    : null;
  if (json) {
    const lastBuild = success && { at: success.at, next_due: success.next_due, ...success.report };
    console.log(JSON.stringify({ served, last_build: lastBuild, failure, buckets, imports, problems }));
  } else {
    console.log(served ? describeServed(served) : `Nothing is served from ${out}. Run "build" to publish.`);
    for (const line of describeProblems(problems)) console.log(line);
    for (const line of describeLastBuild({ success, failure })) console.log(line);
    for (const line of imports.flatMap(describeLastImport)) console.log(line);
    for (const [bucket, last] of Object.entries(buckets)) {
      for (const line of describeLastPublish(bucket, last, pointer?.snapshot)) console.log(line);
    }
  }
  if (!served) throw new EndsWith(3);
  if (problems.length > 0) throw new EndsWith(1);
}

/** The pointer, if its snapshot exists and can be read. */
function servedPointer(out: string): Pointer | undefined {
  const pointer = readablePointer(out);
  if (!pointer) return undefined;
  const directory = join(out, objectPath('directory', pointer.snapshot));
  refuseUnreadable(directory);
  return existsSync(directory) ? pointer : undefined;
}

function* describeProblems(problems: readonly Problem[]): Generator<string> {
  for (const { what, since, message } of problems)
    yield `${colours.red('failed')}      ${what}, for ${age(since)} (since ${since}): ${message}`;
}

function describeServed(served: {
  snapshot: string;
  posts: number;
  built_at: string;
  held: boolean;
  kept: number;
}): string {
  const { snapshot, posts, built_at, held, kept } = served;
  return [
    `${colours.bold('served')}      snapshot ${snapshot}, ${counted(posts, 'post')}`,
    `${colours.bold('published')}   ${built_at}, ${age(built_at)} ago`,
    ...(held
      ? [`${colours.yellow('held')}        since a rollback; "snapshots release" lets builds publish again`]
      : []),
    `${colours.bold('kept')}        ${counted(kept, 'earlier snapshot')} for rollback`,
  ].join('\n');
}

function* describeLastBuild({ success, failure }: LastBuild): Generator<string> {
  if (success) {
    const { at, next_due, report } = success;
    yield `${colours.bold('last build')}  ${at}, ${age(at)} ago, in ${report.seconds.toFixed(2)} s`;
    if (next_due !== null)
      yield `${colours.bold('next due')}    ${new Date(next_due * 1000).toISOString()}: a post appears or expires`;
  }
  for (const { table, row, reason } of failure?.skipped ?? success?.report.skipped ?? []) {
    yield `${colours.yellow('left out')}    ${table} "${shortened(row)}": ${printable(reason)}`;
  }
  for (const { table, row, reason } of success?.report.cut ?? []) {
    yield `${colours.yellow('cut')}         ${table} "${shortened(row)}": ${printable(reason)}`;
  }
  for (const note of success?.report.notes ?? []) yield `${colours.yellow('note')}        ${printable(note)}`;
}

function describeLastImport(last: ImportRecord): string[] {
  const { imported_at: at, running } = last;
  return [
    ...(running === null
      ? []
      : [`${colours.bold('importing')}   ${importName(last)} for ${age(running.since)}`]),
    ...(at === null ? [] : [`${colours.bold('imported')}    ${importName(last)}, looked at ${age(at)} ago`]),
    ...last.left_out.map(
      ({ source, reason }) => `${colours.yellow('left out')}    ${printable(source)}: ${printable(reason)}`,
    ),
  ];
}

function* describeLastPublish(
  bucket: string,
  { success }: LastPublish,
  current: string | undefined,
): Generator<string> {
  if (!success) return;
  const { snapshot } = success.report;
  const which = snapshot === current ? 'this snapshot' : `snapshot ${snapshot}`;
  yield `${colours.bold('bucket')}      ${bucket} received ${which} ${age(success.at)} ago`;
}
