import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readPointer } from '../../build/output/pointer-file.ts';
import { isPublishReport } from '../../build/publish/last-publish.ts';
import { runInChild } from '../child-command.ts';
import { describePublish } from '../commands/publish.ts';
import type { Job, JobContext } from './jobs.ts';

/**
 * Keeps a bucket in sync with the output: publishes when the snapshot or the keys differ from the last publish.
 *
 * @param uploaded receives the snapshot that the bucket serves now
 */
export function uploads(
  { options: { out, endpoint }, service: { log }, stopping }: JobContext,
  to: string,
  uploaded: (snapshot: string) => void,
): Job {
  let published = '';
  return {
    kind: 'publish',
    fault: 'publishing',
    label: 'not uploaded:',
    isDue: () => publishedState(out) !== published,
    async run() {
      const state = publishedState(out);
      const report = await runInChild(['publish'], { out, to, endpoint }, isPublishReport, stopping);
      published = state;
      log.info(describePublish(to, report));
      uploaded(report.snapshot);
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
  return JSON.stringify([pointer?.snapshot, pointer?.blog, changes]);
}
