import { existsSync, statSync } from 'node:fs';
import { isBuildDue } from '../../build/build.ts';
import { readLastBuild } from '../../build/output/last-build.ts';
import { intervalOf, isCronExpression } from '../../build/schedule.ts';
import { SILENT } from '../../common/progress.ts';
import { SCHEMA_VERSION } from '../../data/database.ts';
import { schemaVersion } from '../../data/migrations.ts';
import { commandLine } from '../command-line.ts';
import { runningServices } from '../faults.ts';
import { buildOptions } from '../options.ts';
import { printable, shortened } from '../printable.ts';
import { age, counted } from '../terminal.ts';
import { type Finding, ok, warning } from './finding.ts';
import { type Installation, ownDatabases } from './installation.ts';
import { servedSnapshot } from './output.ts';
import { examiningUntil } from './read-database.ts';

/** Time for a scheduled build to start and finish, on top of the schedule's interval. */
const BUILDING_MS = 120_000;

/** Whether builds keep up with the database and publish all posts. */
export async function checkBuilds(installation: Installation): Promise<Finding[]> {
  const { out } = installation;
  const { success, failure } = readLastBuild(out);
  if (!success) return [ok(failure ? 'no build has succeeded yet' : 'no build of this version yet')];
  const [left, ...others] = success.report.skipped;
  const findings = [
    ...(left === undefined
      ? []
      : [
          warning(
            `The last build left out ${left.table} "${shortened(left.row)}" (${printable(left.reason)})` +
              `${others.length === 0 ? '' : `, and ${counted(others.length, 'other row')}`}.`,
            `Correct the rows that this lists: ${commandLine('status')}`,
          ),
        ]),
    ...(failure ? [] : await notPublished(installation)),
  ];
  return findings.length > 0
    ? findings
    : [ok(`the last build was ${age(success.at)} ago, and nothing waits for one`)];
}

/** Unpublished changes that are older than the schedule allows. */
async function notPublished(installation: Installation): Promise<Finding[]> {
  const { out, now, settings } = installation;
  if (!existsSync(installation.db) || !isCronExpression(settings.cron) || servedSnapshot(out)?.held)
    return [];
  const since = changedAt(installation);
  const waited = now.getTime() - since;
  if (waited <= intervalOf(settings.cron) + BUILDING_MS || !(await isDue(installation))) return [];
  const [service] = runningServices(out);
  return [
    warning(
      'The database, the settings or the program changed, and no build has published that.',
      service === undefined
        ? `Run ${commandLine('build')}, or ${commandLine('start')}`
        : `Restart "start" (process ${service}), or run ${commandLine('build')}: "serve" never builds.`,
    ),
  ];
}

/** The last write to the database, or the last due date of a post. */
function changedAt({ db, out }: Installation): number {
  const { success } = readLastBuild(out);
  const written = [db, `${db}-wal`].map((path) => {
    const file = statSync(path, { throwIfNoEntry: false });
    return file === undefined || file.size === 0 ? 0 : file.mtimeMs; // Readers create an empty WAL.
  });
  const due = (success?.next_due ?? 0) * 1000;
  return Math.max(...written, due <= Date.now() ? due : 0);
}

/** Also false if the database needs a migration or cannot be read: other checks report that. */
async function isDue(installation: Installation): Promise<boolean> {
  const { settings, config: _, ...flags } = installation;
  const due = () => isBuildDue(buildOptions(flags, settings, SILENT));
  const within = ownDatabases(installation).reduce(
    (work, path) => () =>
      examiningUntil(path, async (db) => schemaVersion(db) === SCHEMA_VERSION && (await work())),
    due,
  );
  try {
    return await within();
  } catch {
    return false;
  }
}
