import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readPointer } from '../build/output/pointer-file.ts';
import type { ScheduledJob } from '../build/schedule.ts';
import { publishInChild } from './child-command.ts';
import { colours } from './colours.ts';
import { describePublish } from './commands/publish.ts';
import { describeFailure, reportOnce } from './failure.ts';
import type { FaultRecord } from './faults.ts';
import type { Log } from './log.ts';

/**
 * Keeps a bucket in sync with an output while `start` runs: publishes when the snapshot or the keys differ from the last
 * publish, and retries failures on the next scheduled run.
 *
 * @param uploaded receives the snapshot that the bucket serves now
 */
export function uploadsTo(
  target: { readonly out: string; readonly to: string; readonly endpoint?: string | undefined },
  log: Pick<Log, 'info' | 'fault'>,
  faults: FaultRecord,
  signal: AbortSignal,
  uploaded: (snapshot: string) => void = () => undefined,
): ScheduledJob {
  let published = '';
  const notUploaded = reportOnce((message) => log.fault(`${colours.red('not uploaded:')} ${message}`));
  return {
    isDue: () => publishedState(target.out) !== published,
    async run() {
      // Publish a build that finished during the upload without waiting for the next run.
      for (let state = publishedState(target.out); state !== published; state = publishedState(target.out)) {
        const report = await publishInChild(target, signal);
        published = state;
        log.info(describePublish(target.to, report));
        uploaded(report.snapshot);
      }
    },
    succeeded: () => faults.clear('publishing'),
    failed(error) {
      if (signal.aborted) return;
      notUploaded(error);
      faults.report('publishing', describeFailure(error));
    },
  };
}

/** Identifies the snapshot and the keys of an output, without reading them. */
function publishedState(out: string): string {
  const pointer = readPointer(out);
  const keys = join(out, 'keys');
  const records = existsSync(keys) ? readdirSync(keys).sort() : [];
  const changes = records.map((name) => [
    name,
    statSync(join(keys, name), { throwIfNoEntry: false })?.mtimeMs,
  ]);
  return createHash('sha256')
    .update(JSON.stringify([pointer?.snapshot, pointer?.blog, changes]))
    .digest('base64url');
}
