/** All checks of `doctor`, in the order of its report. `status` has more on jobs. */
import { existsSync } from 'node:fs';
import { isBuildDue } from '../../build/build.ts';
import type { SnapshotStorage } from '../../build/history/storage.ts';
import { BUILDS } from '../../build/output/last-build.ts';
import { PUBLISHES } from '../../build/publish/last-publish.ts';
import { SILENT } from '../../common/progress.ts';
import { compareKeyFiles } from '../../data/accounts/key-files.ts';
import { storedKeys } from '../../data/accounts/keys.ts';
import { SCHEMA_VERSION, schemaVersion } from '../../data/migrations.ts';
import { withBucket } from '../bucket.ts';
import { commandLine } from '../command-line.ts';
import { runningServices } from '../faults.ts';
import { buildOptions } from '../options.ts';
import { printable } from '../printable.ts';
import { readProblems } from '../problems.ts';
import { counted } from '../terminal.ts';
import { error, failed, type Finding, type Installation, ok, servedSnapshot, warning } from './check.ts';
import { findConfiguration, isPublic } from './configuration.ts';
import { examining, findDatabase } from './database.ts';
import { findOutput, withdrawnIn } from './output.ts';
import { findPermissions } from './permissions.ts';

/** Finds what is wrong, and changes nothing. A thrown error becomes a finding. */
type DoctorCheck = (installation: Installation) => Iterable<Finding> | AsyncIterable<Finding>;

/** As docs/operators/troubleshooting.md lists them. */
export const CHECKS: Readonly<Record<string, DoctorCheck>> = {
  configuration: findConfiguration,
  database: findDatabase,
  permissions: findPermissions,
  output: findOutput,
  builds: findUnpublished,
  jobs: findFailedJobs,
  keys: findKeys,
  counts: findCounts,
  buckets: findBuckets,
  service: findService,
};

/** A finding and its check. */
export interface CheckedFinding extends Finding {
  readonly check: string;
}

/** Runs all checks in sequence. A check that throws ends with an error, and the others continue. */
export async function examine(installation: Installation): Promise<CheckedFinding[]> {
  const findings: CheckedFinding[] = [];
  for (const [check, find] of Object.entries(CHECKS)) {
    const found: Finding[] = [];
    try {
      for await (const finding of find(installation)) found.push(finding);
      if (found.length === 0) found.push(ok('no problems'));
    } catch (thrown) {
      found.push(failed(thrown));
    }
    findings.push(...found.map((finding) => ({ check, ...finding })));
  }
  return findings;
}

/** Changes that no build has published. */
async function* findUnpublished(installation: Installation): AsyncIterable<Finding> {
  const { db, out } = installation;
  const { since, report } = BUILDS.of(out) ?? {};
  if (since !== null || !report || !existsSync(db) || !servedSnapshot(out)) return;
  const isDue = examining(
    db,
    (own) => schemaVersion(own) === SCHEMA_VERSION && isBuildDue(buildOptions(installation, SILENT)),
  );
  if (!(await isDue.catch(() => false))) return; // Another check reports a database that cannot be read.
  yield warning(
    'The database, the settings or the program changed after the last build.',
    `A running "start" publishes it on schedule; "serve" never builds. Or run ${commandLine('build')}`,
  );
}

/** Jobs that failed; `status` shows since when. */
function* findFailedJobs({ out }: Installation): Iterable<Finding> {
  for (const { what, message } of readProblems(out))
    yield warning(`Failed: ${what}. ${printable(message)}`, `More on it: ${commandLine('status')}`);
}

/** Whether the gateway has the same keys as the database: of what differs, the worst. */
async function* findKeys(installation: Installation): AsyncIterable<Finding> {
  const { db: path, out } = installation;
  if (!existsSync(path)) return;
  const { unknown, outdated, revokedHere } = compareKeyFiles(out, await examining(path, storedKeys));
  // Without a file, the gateway accepts no key.
  const [revoked] = outdated.filter(({ record, path: file }) => record.revoked && existsSync(file));
  const [missing] = outdated.filter(({ record }) => !record.revoked);
  const wrong = revoked
    ? `The key ${revoked.record.prefix} is revoked, but the gateway still accepts it.`
    : unknown.length > 0
      ? `The gateway accepts ${counted(unknown.length, 'key')} that the database does not have.`
      : revokedHere[0] !== undefined
        ? `The key ${revokedHere[0]} is revoked on this machine, but not yet in the database.`
        : missing && `The gateway does not know the key ${missing.record.prefix}.`;
  if (wrong !== undefined) yield error(wrong, `The next build corrects it: ${commandLine('build')}`);
}

/** Whether counts in PostgreSQL survive its machine. Those of one machine are checked when a service starts. */
async function* findCounts({ counts }: Installation): AsyncIterable<Finding> {
  if (counts === undefined) return;
  const { checkCounts } = await import('../counts.ts');
  const server = await checkCounts(counts);
  if (server?.fsync === 'off')
    yield error('PostgreSQL may lose counts if its machine crashes (fsync = off).', 'Turn fsync on.');
  else if (server?.standbys === '')
    yield warning(
      'PostgreSQL has no synchronous standby, so counts may be missing after a failover.',
      'Set synchronous_standby_names, unless there is no standby.',
    );
}

/** Whether the buckets that the output was published to serve its snapshot, without withdrawn articles. */
async function* findBuckets(installation: Installation): AsyncIterable<Finding> {
  const { out, remote } = installation;
  const known = PUBLISHES.read(out).filter(({ report }) => report !== null);
  if (known.length > 0 && !remote)
    yield ok(`${counted(known.length, 'bucket')}, not checked without --remote`);
  for (const { subject: to, report } of remote ? known : []) {
    const compare = async (storage: SnapshotStorage): Promise<Finding[]> => {
      const { snapshot } = await storage.requirePointer();
      const isSame = snapshot === servedSnapshot(out)?.snapshot;
      const differs = `${to} serves snapshot ${snapshot}, but the output has another.`;
      const publish = commandLine(`publish${storage.flags}`);
      const compared = isSame ? ok(`${to} serves this snapshot`) : warning(differs, publish);
      return [compared, ...(await withdrawnIn(storage, installation))];
    };
    yield* await withBucket({ to, endpoint: report?.endpoint }, out, compare).catch((thrown: unknown) => [
      failed(thrown),
    ]);
  }
}

const TIMEOUT_MS = 5000;

/** Whether the running services are ready, and no caller can bypass the proxies in front of them. */
async function* findService({ out, settings }: Installation): AsyncIterable<Finding> {
  const { trusted_proxies: proxies } = settings;
  const services = runningServices(out);
  if (services.length === 0) yield ok('no service is running');
  for (const { pid, url } of services) {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
      () => null,
    );
    const answer = response === null ? 'does not answer' : `answers /readyz with ${response.status}`;
    yield response?.ok
      ? ok(`process ${pid} serves on ${url}`)
      : error(`The service on ${url} (process ${pid}) ${answer}.`, 'Check its log and restart it.');
    if (proxies > 0 && isPublic(url))
      yield warning(
        `trusted_proxies is ${proxies}, but anyone can connect to ${url} without the proxy, and forge the address that is counted.`,
        'Listen on 127.0.0.1 (--host, HOST), or allow only the proxy in a firewall.',
      );
  }
}
