import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { requirePointer } from '../../build/output/pointer-file.ts';
import { ExplainedError, NothingPublished, refuseUnreadable } from '../../common/errors.ts';
import { messageOf } from '../../common/thrown.ts';
import { namedPrefix } from '../../contract/api-key.ts';
import { dayNumber } from '../../contract/day.ts';
import { parseDirectory } from '../../contract/directory.ts';
import { objectPath } from '../../contract/object-name.ts';
import { commandLine } from '../command-line.ts';
import { colours } from '../colours.ts';
import { type CommandFlags, mainCommand, numberFrom } from '../options.ts';
import { printable } from '../printable.ts';
import { count, counted, table } from '../terminal.ts';
import { KEPT_DAYS, readUsage, type UsageCount, usagePath } from '../usage/usage-log.ts';
import { ANSWERS, summarise, type UsageSummary } from '../usage/summary.ts';

interface Options extends CommandFlags {
  readonly days: number;
  /** The prefix of one key. */
  readonly key?: string;
  readonly html?: string;
  readonly counts?: string;
}

export function usageCommand(): Command {
  return mainCommand('usage', ['out', 'counts', 'config', 'json'], 'usage --days 7 --html usage.html')
    .option('--days <number>', 'number of days, including today', numberFrom(1, KEPT_DAYS), 30)
    .option('--key <prefix>', 'only requests with this key, with a table by endpoint', namedPrefix)
    .option('--html <file>', 'write a report with charts to this file')
    .action(run);
}

async function run({ out, counts: address, days, key, html, json }: Options): Promise<void> {
  const today = dayNumber(Date.now());
  const first = today - days + 1;
  const counts =
    address === undefined
      ? readFrom(out, first)
      : await (await import('../counts.ts')).readSharedUsage(address, first);
  const chosen = key === undefined ? counts : counts.filter((one) => one.key === key);
  const summary = summarise(chosen, today, days);
  if (html !== undefined) {
    // The chart library is large, so it is loaded only for a report.
    const { usageHtml } = await import('../usage/html.ts');
    const report = usageHtml(summary, blogName(out));
    try {
      writeFileSync(html, report);
    } catch (error) {
      throw new ExplainedError(
        `The report cannot be written to ${html} (${messageOf(error)}). Choose another file with --html.`,
      );
    }
  }
  if (json) console.log(JSON.stringify(summary));
  else if (html === undefined) {
    console.log(describeUsage(summary));
    const endpoints = summary.endpoints.map(({ name, requests }) => [name, count(requests)]);
    if (key !== undefined)
      console.log(
        summary.requests > 0
          ? `\n${table(['endpoint', 'requests'], endpoints)}`
          : `This report covers only the key ${key}. ${commandLine('keys list')} shows all keys.`,
      );
  } else console.log(`${colours.green('wrote')} ${html}: ${counted(summary.requests, 'request')}`);
}

function readFrom(out: string, first: number): UsageCount[] {
  refuseUnreadable(usagePath(out));
  if (!existsSync(out)) throw new NothingPublished(out);
  try {
    return readUsage(usagePath(out), first);
  } catch (error) {
    throw new ExplainedError(
      `The usage counts in ${usagePath(out)} cannot be read (${messageOf(error)}). Check its permissions. If it is damaged, delete it: only this report uses it.`,
    );
  }
}

/** The name of the blog in an output folder; null: nothing is published. */
function blogName(out: string): string | null {
  try {
    const directory = join(out, objectPath('directory', requirePointer(out).snapshot));
    return parseDirectory(readFileSync(directory, 'utf8')).site.name;
  } catch {
    return null; // The counts do not need the name.
  }
}

/** The requests by day and account, as text. */
function describeUsage({ from, to, requests, accounts }: UsageSummary): string {
  if (requests === 0) return `No requests were recorded from ${from} to ${to}.`;
  const rows = accounts.map((row) => [
    row.day,
    printable(row.account ?? '(without a key)'),
    count(row.requests),
    ...ANSWERS.map((kind) => (row[kind] === 0 ? '' : count(row[kind]))),
  ]);
  return `${table(['day', 'account', 'requests', ...ANSWERS], rows)}\n${counted(requests, 'request')} from ${from} to ${to}`;
}
