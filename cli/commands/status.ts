import type { Command } from 'commander';
import { colours } from '../colours.ts';
import { type LastBuild, readLastBuild } from '../../build/last-build.ts';
import { type LastPublish, readLastPublishes } from '../../build/publish/last-publish.ts';
import { readPointer } from '../../build/pointer-file.ts';
import { command } from '../options.ts';
import { printable } from '../printable.ts';
import { counted } from '../terminal.ts';

interface Options {
  readonly out: string;
  readonly json?: boolean;
}

export function statusCommand(): Command {
  return command(
    'status',
    'what is served, how old it is, and how the last build ended',
    ['out', 'config', 'json'],
    'status',
  ).action(run);
}

function run({ out, json }: Options): void {
  const pointer = readPointer(out);
  const { success, failure } = readLastBuild(out);
  const served = pointer
    ? {
        snapshot: pointer.snapshot,
        posts: pointer.posts,
        built_at: pointer.built_at,
        held: pointer.held,
        kept: pointer.previous.length,
      }
    : null;
  if (json) {
    const lastBuild = success && { at: success.at, next_due: success.next_due, ...success.report };
    console.log(JSON.stringify({ served, last_build: lastBuild, failure, buckets: readLastPublishes(out) }));
    return;
  }
  console.log(served ? describeServed(served) : 'Nothing is published yet. "build" does it.');
  for (const line of describeLastBuild({ success, failure })) console.log(line);
  for (const [bucket, last] of Object.entries(readLastPublishes(out))) {
    for (const line of describeLastPublish(bucket, last, pointer?.snapshot)) console.log(line);
  }
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
  if (failure)
    yield `${colours.red('failed')}      the last build, ${age(failure.at)} ago: ${printable(failure.message)}`;
  if (success) {
    const { at, next_due, report } = success;
    yield `${colours.bold('last build')}  ${at}, ${age(at)} ago, in ${report.seconds.toFixed(2)} s`;
    if (next_due !== null)
      yield `${colours.bold('next post')}   appears by itself at ${new Date(next_due * 1000).toISOString()}`;
  }
  for (const { table, row, reason } of failure?.skipped ?? success?.report.skipped ?? []) {
    yield `${colours.yellow('left out')}    ${table} "${printable(row)}": ${printable(reason)}`;
  }
  for (const { table, row, reason } of success?.report.cut ?? []) {
    yield `${colours.yellow('cut')}         ${table} "${row}": ${reason}`;
  }
}

function* describeLastPublish(
  bucket: string,
  { success, failure }: LastPublish,
  current: string | undefined,
): Generator<string> {
  if (failure)
    yield `${colours.red('failed')}      publishing to ${bucket}, ${age(failure.at)} ago: ${printable(failure.message)}`;
  if (!success) return;
  const { snapshot } = success.report;
  const which = snapshot === current ? 'this snapshot' : `snapshot ${snapshot}`;
  yield `${colours.bold('bucket')}      ${bucket} was given ${which} ${age(success.at)} ago`;
}

/** `3 minutes`, in the largest unit that fits. */
function age(timestamp: string): string {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(timestamp)) / 1000));
  const units: [number, string][] = [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
  ];
  for (const [size, unit] of units) if (seconds >= size) return counted(Math.floor(seconds / size), unit);
  return counted(seconds, 'second');
}
