import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { colours } from '../colours.ts';
import { commandLine } from '../command-line.ts';
import { objectPath } from '../../contract/object-name.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { refuseUnreadable } from '../../common/errors.ts';
import { EndsWith } from '../failure.ts';
import { describeLosses } from '../describe-build.ts';
import { BUILDS, type LastBuild } from '../../build/output/last-build.ts';
import { PUBLISHES } from '../../build/publish/last-publish.ts';
import { readKeyRecords } from '../../data/accounts/key-files.ts';
import { JOBS, readResults, type Result } from '../../data/results.ts';
import { describeExpiring } from '../expiry.ts';
import { readPointer } from '../../build/output/pointer-file.ts';
import { EXPORTS, isKnownExport } from '../exports.ts';
import { runningServices } from '../faults.ts';
import { type ImportRecord, importName, IMPORTS, originName, withoutEnded } from '../import-record.ts';
import { type CommandFlags, givenOptions, mainCommand } from '../options.ts';
import { printable } from '../printable.ts';
import { type Problem, readProblems } from '../problems.ts';
import { DELIVERIES } from '../start/webhooks.ts';
import { age, counted, moment } from '../terminal.ts';

const EXIT_CODES = `
Exit codes:
  0  no problems
  1  served, but the last build, publish, import or quota count failed
  3  nothing is served`;

export function statusCommand(): Command {
  return mainCommand('status', ['out', 'config', 'json']).addHelpText('after', EXIT_CODES).action(run);
}

function run({ out, config, json }: CommandFlags): void {
  refuseUnreadable(join(out, 'state')); // Failures are recorded there.
  const pointer = servedPointer(out);
  const results = readResults(out);
  const problems = readProblems(out, results);
  const expiring = describeExpiring(readKeyRecords(out), new Date());
  if (json) {
    const { previous = [] } = pointer ?? {};
    const { blog, snapshot, posts, built_at, held } = pointer ?? {};
    const served = pointer ? { blog, snapshot, posts, built_at, held, kept: previous.length } : null;
    const services = runningServices(out);
    console.log(JSON.stringify({ served, services, results: inJson(results), expiring, problems }));
  } else {
    if (!pointer)
      console.log(
        `Nothing is served from ${out}. Publish: ${commandLine(`build${givenOptions({ out, config }, ['out', 'config'])}`)}`,
      );
    const lines = [
      ...(pointer ? describeServed(pointer) : []),
      ...describeServices(out),
      ...describeProblems(problems),
      ...BUILDS.among(results).flatMap(({ report }) => (report ? [...describeLastBuild(report)] : [])),
      ...IMPORTS.among(results).flatMap(({ report }) => (report ? [...describeLastImport(report)] : [])),
      ...(expiring === null ? [] : [line('keys', printable(expiring), colours.yellow)]),
      ...describeCopies(results, pointer?.snapshot),
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
  return colour(label.padEnd(12)) + text.replaceAll('\n', `\n${' '.repeat(12)}`);
}

function* describeServed({ snapshot, posts, built_at, held, previous }: Pointer): Generator<string> {
  yield line('served', `snapshot ${snapshot}, ${counted(posts, 'post')}`);
  yield line('published', `${moment(built_at)}, ${age(built_at)} ago`);
  if (held)
    yield line('held', 'since a rollback; "snapshots release" lets builds publish again', colours.yellow);
  yield line('kept', `${counted(previous.length, 'earlier snapshot')} for rollback`);
}

function* describeServices(out: string): Generator<string> {
  const services = runningServices(out);
  for (const { pid, url } of services) yield line('service', `${url}, process ${pid}`);
  if (services.length === 0) yield line('service', 'not running');
}

function* describeProblems(problems: readonly Problem[]): Generator<string> {
  for (const { what, since, message } of problems)
    yield line('failed', `${what}, for ${age(since)} (since ${moment(since)}): ${message}`, colours.red);
}

function* describeLastBuild({ at, next_due, report }: LastBuild): Generator<string> {
  yield line('last build', `${moment(at)}, ${age(at)} ago, in ${report.seconds.toFixed(2)} s`);
  if (next_due !== null)
    yield line('next due', `${moment(new Date(next_due * 1000).toISOString())}: a post appears or expires`);
  for (const [label, text] of describeLosses(report)) yield line(label, text, colours.yellow);
}

function* describeLastImport(last: ImportRecord): Generator<string> {
  const { imported_at: at, running, left_out } = withoutEnded(last);
  if (running !== null) yield line('importing', `${importName(last)} for ${age(running.since)}`);
  if (at !== null) yield line('imported', `${importName(last)}, checked ${age(at)} ago`);
  for (const { source, reason } of left_out)
    yield line('left out', `${originName(source)}: ${printable(reason)}`, colours.yellow);
}

/** Buckets, exported folders and webhooks that received a snapshot. */
function* describeCopies(results: readonly Result[], current: string | undefined): Generator<string> {
  const received = (snapshot: string, at: string) =>
    `received ${snapshot === current ? 'this snapshot' : `snapshot ${snapshot}`} ${age(at)} ago`;
  for (const { subject, report } of PUBLISHES.among(results))
    if (report) yield line('bucket', `${subject} ${received(report.report.snapshot, report.at)}`);
  for (const { subject, report } of EXPORTS.among(results).filter(isKnownExport))
    if (report?.at && report.snapshot)
      yield line('export', `${printable(subject)} ${received(report.snapshot, report.at)}`);
  for (const { subject, report } of DELIVERIES.among(results))
    if (report) yield line('webhook', `${webhookHost(subject)} ${received(report.snapshot, report.at)}`);
}

/** Without what running services know, imports of processes that ended, and secrets in addresses. */
function inJson(results: readonly Result[]): readonly Result[] {
  const imports = IMPORTS.among(results).map((result) => ({
    ...result,
    report: result.report && withoutEnded(result.report),
  }));
  const deliveries = DELIVERIES.among(results).map((result) => ({
    ...result,
    subject: webhookHost(result.subject),
  }));
  const others = results.filter(
    ({ job }) => JOBS.some((one) => one === job) && job !== IMPORTS.job && job !== DELIVERIES.job,
  );
  return [...others, ...imports, ...deliveries];
}

/** Paths of webhooks often have secrets. */
function webhookHost(address: string): string {
  return URL.parse(address)?.host ?? '';
}
