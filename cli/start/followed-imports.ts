import type { Schedule } from '../../build/schedule.ts';
import { listOf } from '../../contract/json.ts';
import { colours } from '../colours.ts';
import { runInChild } from '../child-command.ts';
import { describeOutcome } from '../describe-import.ts';
import { ChildCommandFailed } from '../failure.ts';
import { importName, isImportOutcome, readImports } from '../import-record.ts';
import { importedFiles } from '../../import/sources/fingerprint.ts';
import { areImportsDue } from '../imports.ts';
import { readConfig } from '../settings.ts';
import { type JobContext, scheduleJob } from './jobs.ts';
import { watchFiles } from './watched-files.ts';

/** Imports failed. Each is in the record for `status`; this is the first. */
class ImportsFailed extends ChildCommandFailed {}

/**
 * Runs the imports of `offprint.json`: shortly after file changes, and on the schedule.
 *
 * @param onImported called after an import, which may need a publish
 */
export function followImports(context: JobContext, onImported: () => void): Schedule {
  const { options, service, stopping } = context;
  const { log } = service;
  const reported = new Map<string, string>();
  const job = scheduleJob(context, {
    kind: 'import',
    fault: 'importing',
    label: 'not imported:',
    isDue() {
      const { db, out } = options;
      return areImportsDue({ db, out, config: readConfig(options.config), now: new Date() });
    },
    async run() {
      const before = readImports(options.out);
      const { db, out, config } = options;
      const outcomes = await runInChild(['import'], { db, out, config }, listOf(isImportOutcome), stopping);
      for (const outcome of outcomes) {
        const line = describeOutcome(outcome, before);
        const name = importName(outcome);
        if (outcome.failure === undefined) {
          const hadFailed = reported.delete(name);
          if (line !== null) log.info(line);
          else if (hadFailed) log.info(`${colours.green('imported')} ${name}: nothing changed`);
        } else if (line !== null && reported.get(name) !== line) {
          reported.set(name, line); // Once, not at every run.
          log.fault(line);
        }
      }
      const failures = outcomes.flatMap(({ failure }) => failure ?? []);
      if (outcomes.some(({ report }) => report)) onImported();
      if (failures[0] !== undefined) throw new ImportsFailed(failures[0]);
    },
    isLogged: (error) => error instanceof ImportsFailed,
  });
  const stopWatching = watchFiles(
    options.settings.import.flatMap(importedFiles),
    () => void job.tick(),
    (error) => log.fault(`Files cannot be watched, so changes are found on schedule: ${String(error)}`),
  );
  return {
    tick: job.tick,
    async stop() {
      await stopWatching();
      await job.stop();
    },
  };
}
