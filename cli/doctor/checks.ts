/** All checks of `doctor`, in the order of its report. Those that look at more than a record have a file each. */
import { existsSync, statSync } from 'node:fs';
import { readLastBuild } from '../../build/output/last-build.ts';
import { publishedLimits } from '../../build/output/guards.ts';
import { guardPlans } from '../../build/output/plans.ts';
import { readLastPublishes } from '../../build/publish/last-publish.ts';
import { knowsPlan } from '../../contract/policy.ts';
import { shellQuoted } from '../../common/shell.ts';
import { readAccounts } from '../../data/accounts/accounts.ts';
import { checkKeyFiles, compareKeyFiles } from '../../data/accounts/key-files.ts';
import { storedKeys } from '../../data/accounts/keys.ts';
import { isRemote } from '../../import/sources/fingerprint.ts';
import { withBucket } from '../bucket.ts';
import { commandLine } from '../command-line.ts';
import { describeExpiring } from '../expiring-keys.ts';
import { findImport, importName, readImports } from '../import-record.ts';
import { readProblems } from '../problems.ts';
import { age, counted, moment } from '../terminal.ts';
import { findBuilds } from './builds.ts';
import { type Check, error, explained, failed, type Finding, findingsOf, ok, warning } from './check.ts';
import { findConfiguration } from './configuration.ts';
import { findCounts } from './counts.ts';
import { findDatabases } from './database.ts';
import { findDisks } from './disk.ts';
import { type Installation, databasesOf, servedSnapshot } from './installation.ts';
import { findLeftovers } from './leftovers.ts';
import { findOutput } from './output.ts';
import { findPermissions } from './permissions.ts';
import { examining } from './read-database.ts';
import { findService } from './service.ts';

export const CHECKS: Readonly<Record<string, Check>> = {
  configuration: {
    examines:
      'unknown or wrong settings, secrets and credentials that are not set, addresses that readers cannot open, proxies that can be bypassed',
    find: findConfiguration,
    fine: ({ settings, config }) =>
      settings.found ? `${config} can be used` : 'no configuration file: all settings have their defaults',
  },
  database: {
    examines:
      "missing, damaged, of another program or version; rows that name missing rows; the site's address",
    find: findDatabases,
  },
  permissions: {
    examines: 'files of another user, files that others may read or change',
    find: findPermissions,
    fine: 'files belong to one user, and are closed to others where they must be',
  },
  output: {
    examines:
      'the pointer and every object of the snapshot, another blog, a rollback, articles that are withdrawn but served',
    find: findOutput,
  },
  builds: {
    examines: 'rows that were left out, changes that the schedule has not published',
    find: findBuilds,
  },
  imports: {
    examines: 'followed blogs that are missing, or were never imported',
    find: findImports,
  },
  failures: {
    examines: 'everything that `status` lists as failed',
    find: findFailures,
    fine: 'nothing failed since it last succeeded',
  },
  keys: {
    examines:
      'keys that the gateway does not know, accepts although they are revoked or deleted, or that expire soon; plans without limits',
    find: findKeys,
  },
  counts: {
    examines:
      'whether counts and usage can be read; with `--counts`, whether its tables hold them, also after a failover',
    find: findCounts,
  },
  buckets: {
    examines: 'with `--remote`: whether each bucket can be reached, and serves the same snapshot',
    find: findBuckets,
  },
  service: {
    examines: 'whether the running service is ready; without one, whether its port is free',
    find: findService,
  },
  disk: {
    examines: 'room for a full build and a backup, in bytes and inodes',
    find: findDisks,
  },
  clock: {
    examines: 'builds and writes in the future',
    find: findFuture,
    fine: ({ now }) => `this machine's clock says ${moment(now.toISOString())}`,
  },
  leftovers: {
    examines: 'files of backups, restores, exports and builds that were killed',
    find: findLeftovers,
    fine: 'no files of commands that were killed',
  },
};

/** A finding and its check. */
export interface CheckedFinding extends Finding {
  readonly check: string;
}

/** Runs all checks in sequence. A check that throws ends with an error, and the others continue. */
export async function examine(installation: Installation): Promise<CheckedFinding[]> {
  const findings: CheckedFinding[] = [];
  for (const [name, { find, fine }] of Object.entries(CHECKS)) {
    const found: Finding[] = [];
    try {
      for await (const finding of find(installation)) found.push(finding);
      if (found.length === 0 && fine !== undefined)
        found.push(ok(typeof fine === 'string' ? fine : fine(installation)));
    } catch (thrown) {
      found.push(failed(thrown));
    }
    findings.push(...found.map((finding) => ({ check: name, ...finding })));
  }
  return findings;
}

/** Failed imports are among the failures. */
function* findImports({ settings, out }: Installation): Iterable<Finding> {
  const records = readImports(out);
  for (const setting of settings.import) {
    const name = importName(setting);
    const record = findImport(records, setting);
    if (!isRemote(setting.path) && !existsSync(setting.path))
      yield error(
        `There is nothing at ${setting.path}, which the configuration imports.`,
        'Correct "import" in offprint.json.',
      );
    else if (record?.imported_at) yield ok(`${name} was checked ${age(record.imported_at)} ago`);
    else if (record?.failure || record?.running) yield ok(`${name} was never imported`);
    else
      yield warning(
        `${name} was never imported.`,
        `Run ${commandLine('import')}, or ${commandLine('start')}`,
      );
  }
}

function* findFailures({ out }: Installation): Iterable<Finding> {
  for (const { what, since, message } of readProblems(out)) {
    const { finding, next } = explained(message);
    const subject = what.slice(0, 1).toUpperCase() + what.slice(1);
    yield { level: 'error', finding: `${subject}, failing for ${age(since)}: ${finding}`, next };
  }
}

/** Whether the gateway has the same keys as the database: of what differs, the worst. */
function* findKeys(installation: Installation): Iterable<Finding> {
  const { keys: path, out } = installation;
  if (!databasesOf(installation).includes(path)) return;
  checkKeyFiles(out, () => examining(path, storedKeys));
  const keys = examining(path, storedKeys);
  const { unknown, outdated, revokedHere } = compareKeyFiles(out, keys);
  // Without a file, the gateway accepts no key.
  const revoked = outdated.find(({ record, path: file }) => record.revoked && existsSync(file));
  const missing = outdated.find(({ record }) => !record.revoked);
  const active = keys.filter(({ record }) => !record.revoked).length;
  const wrong =
    revoked !== undefined
      ? `The key ${revoked.record.prefix} is revoked, but the gateway still accepts it.`
      : unknown.length > 0
        ? `The gateway accepts ${counted(unknown.length, 'key')} that the database does not have.`
        : revokedHere[0] !== undefined
          ? `The key ${revokedHere[0]} is revoked on this machine, and not yet in the database.`
          : missing && `The gateway does not know the key ${missing.record.prefix}.`;
  if (wrong !== undefined) yield error(wrong, `The next build corrects it: ${commandLine('build')}`);
  else if (active === 0) yield ok('no keys: callers without one can read too');
  else yield ok(`${counted(active, 'key')}, known to the gateway`);
  const now = installation.now;
  const records = keys.map(({ record }) => record);
  const soon = describeExpiring(records, now);
  if (soon !== null)
    yield warning(
      soon,
      `Send its callers another: ${commandLine('keys rotate PREFIX --expires 90d --grace 7d')}`,
    );
  yield* findingsOf(() => guardPlans(examining(path, readAccounts), installation.settings.limits));
  const snapshot = servedSnapshot(out)?.snapshot;
  const limits = snapshot === undefined ? undefined : publishedLimits(out, snapshot);
  const lost = records.find(({ plan, revoked }) => limits && !revoked && !knowsPlan(limits, plan));
  if (lost)
    yield error(
      `The account "${lost.account}" has the plan "${lost.plan}", which the snapshot does not name: its requests count as a user's.`,
      'Add it to limits.day in offprint.json and build, or give another plan with "accounts set".',
    );
}

/** The bucket that `start` publishes to, and those that the output was published to. */
async function* findBuckets({ out, publishTo, endpoint, remote }: Installation): AsyncIterable<Finding> {
  const known = new Map(Object.entries(readLastPublishes(out)).map(([to, last]) => [to, last.endpoint]));
  if (publishTo !== undefined && endpoint !== undefined) known.set(publishTo, endpoint);
  if (known.size > 0 && !remote) yield ok(`${counted(known.size, 'bucket')}, not asked without --remote`);
  else yield* await Promise.all([...known].map(([to, url]) => comparedBucket(out, to, url)));
}

async function comparedBucket(out: string, to: string, endpoint: string): Promise<Finding> {
  try {
    const { snapshot } = await withBucket({ to, endpoint }, out, (storage) => storage.requirePointer());
    if (snapshot === servedSnapshot(out)?.snapshot) return ok(`${to} serves this snapshot`);
    return warning(
      `${to} serves snapshot ${snapshot}, and the output another.`,
      commandLine(`publish --to ${shellQuoted(to)} --endpoint ${shellQuoted(endpoint)}`),
    );
  } catch (thrown) {
    return failed(thrown);
  }
}

/** Harmless difference between two clocks. */
const TOLERANCE_MS = 300_000;

/** A time in the future: the clock is wrong, or was. */
function* findFuture(installation: Installation): Iterable<Finding> {
  const { out, now } = installation;
  const times: readonly (readonly [string, number])[] = [
    ['the snapshot was built', Date.parse(servedSnapshot(out)?.built_at ?? '')],
    ['the last build was', Date.parse(readLastBuild(out).success?.at ?? '')],
    ...databasesOf(installation).map((path) => [`${path} was written`, statSync(path).mtimeMs] as const),
  ];
  const late = times.find(([, time]) => time > now.getTime() + TOLERANCE_MS);
  if (!late) return;
  const [what, time] = late;
  yield warning(
    `This machine's clock says ${moment(now.toISOString())}, but ${what} at ${moment(new Date(time).toISOString())}.`,
    'Set the clock (timedatectl set-ntp true). Scheduled articles and daily limits follow it.',
  );
}
