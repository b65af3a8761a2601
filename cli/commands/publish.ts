import type { Command } from 'commander';
import type { PublishReport } from '../../build/publish/last-publish.ts';
import { publish } from '../../build/publish/publish.ts';
import { type BucketFlags, withBucket } from '../bucket.ts';
import { colours } from '../colours.ts';
import { type CommandFlags, type Configured, mainCommand, OPTIONS } from '../options.ts';
import { terminalProgress } from '../terminal-progress.ts';
import { count, counted, megabytes, printResult } from '../terminal.ts';

interface Options extends CommandFlags, Configured, BucketFlags {
  readonly connections: number;
  readonly full?: boolean;
  readonly force?: boolean;
}

export function publishCommand(): Command {
  return mainCommand(
    'publish',
    ['out', 'settings', 'json', 'endpoint', 'connections'],
    'publish --to s3://my-blog --endpoint https://ACCOUNT.r2.cloudflarestorage.com',
  )
    .addOption(OPTIONS.to().makeOptionMandatory())
    .option('--full', "list the bucket's files and upload the missing ones")
    .option('--force', 'publish even if this replaces another blog, removes most posts or resets your limits')
    .action(run);
}

async function run({ out, json, full = false, force = false, settings, ...flags }: Options): Promise<void> {
  const { connections } = flags;
  const configured = settings.isFound;
  const report = await withBucket(flags, out, (storage) =>
    publish({ storage, connections, full, force, configured, progress: terminalProgress() }),
  );
  printResult(json, report, describePublish(flags.to, report));
}

/** `published snapshot abc to s3://my-blog: 12 objects uploaded (34 kB), 68 already there, 1 key, in 0.20 s` */
export function describePublish(to: string, report: PublishReport): string {
  const { snapshot, fewer, uploaded, bytes, skipped, keys, retries, seconds } = report;
  const work = [
    ...(uploaded === 0
      ? []
      : [`${counted(uploaded, 'object')} uploaded (${megabytes(bytes)}), ${count(skipped)} already there`]),
    ...(keys.put === 0 ? [] : [counted(keys.put, 'key')]),
    ...(keys.removed === 0 ? [] : [`${counted(keys.removed, 'key')} removed`]),
    ...(fewer === undefined ? [] : [`${counted(fewer, 'post')} fewer than before`]),
  ];
  const summary = work.length === 0 ? 'nothing new' : work.join(', ');
  const again = retries === 0 ? '' : `, ${counted(retries, 'request')} retried`;
  return `${colours.green('published')} snapshot ${snapshot} to ${to}: ${summary}${again}, in ${seconds.toFixed(2)} s`;
}
