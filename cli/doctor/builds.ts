import { existsSync, statSync } from 'node:fs';
import { isBuildDue } from '../../build/build.ts';
import { describeRemoved } from '../describe-removed.ts';
import { readLastBuild } from '../../build/output/last-build.ts';
import { intervalOf, isCronExpression } from '../../build/schedule.ts';
import { SILENT } from '../../common/progress.ts';
import { SCHEMA_VERSION, schemaVersion } from '../../data/migrations.ts';
import { commandLine } from '../command-line.ts';
import { runningServices } from '../faults.ts';
import { buildOptions } from '../options.ts';
import { printable, shortened } from '../printable.ts';
import { age, counted } from '../terminal.ts';
import { type Finding, ok, warning } from './check.ts';
import { type Installation, databasesOf, servedSnapshot } from './installation.ts';
import { examining } from './read-database.ts';

/** Time for a scheduled build to start and finish, on top of the schedule's interval. */
const BUILDING_MS = 120_000;

/** Posts that the last build left out, and changes that none has published. */
export async function* findBuilds(installation: Installation): AsyncIterable<Finding> {
  const { success, failure } = readLastBuild(installation.out);
  if (!success) {
    yield ok(failure ? 'no build has succeeded yet' : 'no build of this version yet');
    return;
  }
  const [left, ...others] = success.report.skipped;
  const more = others.length === 0 ? '' : `, and ${counted(others.length, 'other row')}`;
  const isLate = !failure && (await isOverdue(installation));
  if (left !== undefined)
    yield warning(
      `The last build left out ${left.table} "${shortened(left.row)}" (${printable(left.reason)})${more}.`,
      `Correct the rows that this lists: ${commandLine('status')}`,
    );
  for (const removed of success.report.removed)
    yield ok(`removed from articles: ${printable(describeRemoved(removed))}`);
  if (isLate) yield notPublished(installation);
  const isServed = servedSnapshot(installation.out) !== undefined; // Otherwise another check asks for a build.
  if (left === undefined && !isLate)
    yield ok(`the last build was ${age(success.at)} ago${isServed ? ', and nothing waits for one' : ''}`);
}

function notPublished({ out }: Installation): Finding {
  const [service] = runningServices(out);
  return warning(
    'The database, the settings or the program changed, and no build has published that.',
    service === undefined
      ? `Run ${commandLine('build')}, or ${commandLine('start')}`
      : `Restart "start" (process ${service}), or run ${commandLine('build')}: "serve" never builds.`,
  );
}

/** Whether changes are unpublished for longer than the schedule allows. */
async function isOverdue(installation: Installation): Promise<boolean> {
  const { db, out, now, settings } = installation;
  if (!existsSync(db) || !isCronExpression(settings.cron) || servedSnapshot(out)?.held) return false;
  const waited = now.getTime() - changedAt(installation);
  return waited > intervalOf(settings.cron) + BUILDING_MS && isDue(installation);
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
function isDue(installation: Installation): boolean {
  const { settings, config: _, ...flags } = installation;
  const due = () => isBuildDue(buildOptions(flags, settings, SILENT));
  const within = databasesOf(installation).reduce(
    (work, path) => () => examining(path, (db) => schemaVersion(db) === SCHEMA_VERSION && work()),
    due,
  );
  try {
    return within();
  } catch {
    return false;
  }
}
