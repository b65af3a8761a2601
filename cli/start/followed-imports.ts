import type { Schedule } from '../../build/schedule.ts';
import { ExplainedError } from '../../common/errors.ts';
import { importInChild } from '../child-command.ts';
import { describeOutcome } from '../describe-import.ts';
import { readImports } from '../import-record.ts';
import { importedFiles } from '../../import/sources/fingerprint.ts';
import { importsMark } from '../imports.ts';
import { readConfig } from '../settings.ts';
import { type JobContext, scheduleJob } from './jobs.ts';
import { watchFiles } from './watched-files.ts';

/** Imports failed. Each is in the record for `status`; this is the first. */
class ImportsFailed extends ExplainedError {}

/**
 * Runs the imports of `offprint.json`: shortly after file changes, and on the schedule.
 *
 * @param mark the importsMark of the finished imports, taken before they read their sources
 * @param imported called after an import, which may need a publish
 */
export function followImports(context: JobContext, mark: string, imported: () => void): Schedule {
  const { options, service, stopping } = context;
  const { log } = service;
  let done = mark;
  let seen = mark;
  let changedMeanwhile = false;
  const reported = new Map<string, string>();
  const job = scheduleJob(context, {
    ...{ kind: 'import', fault: 'importing', label: 'not imported:' },
    async isDue() {
      changedMeanwhile = false;
      seen = await importsMark(readConfig(options.config), new Date());
      return seen !== done;
    },
    async run() {
      const before = readImports(options.out);
      const outcomes = await importInChild(options, stopping);
      for (const outcome of outcomes) {
        const line = describeOutcome(outcome, before);
        const name = `${outcome.format} ${outcome.path}`;
        if (outcome.failure === undefined) {
          reported.delete(name);
          if (line !== null) log.info(line);
        } else if (line !== null && reported.get(name) !== line) {
          reported.set(name, line); // Once, not at every run.
          log.fault(line);
        }
      }
      const failures = outcomes.flatMap(({ failure }) => failure ?? []);
      // Failed imports are retried on the next run, also if their source is by then as it was before.
      done = failures.length === 0 ? seen : '';
      if (outcomes.some(({ report }) => report)) imported();
      if (failures[0] !== undefined) throw new ImportsFailed(failures[0]);
    },
    isLogged: (error) => error instanceof ImportsFailed,
    settled() {
      if (changedMeanwhile) setImmediate(() => void job.tick());
    },
  });
  const stopWatching = watchFiles(
    options.settings.import.flatMap(importedFiles),
    () => {
      changedMeanwhile = true;
      void job.tick();
    },
    (error) => log.fault(`Files cannot be watched, so changes are seen by the schedule: ${String(error)}`),
  );
  return {
    tick: job.tick,
    async stop() {
      await stopWatching();
      await job.stop();
    },
  };
}
