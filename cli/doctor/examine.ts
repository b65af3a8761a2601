/** All checks in report order, one file each. */
import { checkBuckets } from './buckets.ts';
import { checkBuilds } from './builds.ts';
import { checkClock } from './clock.ts';
import { checkConfiguration } from './configuration.ts';
import { checkCounts } from './counts.ts';
import { checkDatabase } from './database.ts';
import { checkDisk } from './disk.ts';
import { checkFailures } from './failures.ts';
import { failed, type Finding } from './finding.ts';
import { checkImports } from './imports.ts';
import type { Check, Installation } from './installation.ts';
import { checkKeyRecords } from './keys.ts';
import { checkLeftovers } from './leftovers.ts';
import { checkPublished } from './output.ts';
import { checkPermissions } from './permissions.ts';
import { checkService } from './service.ts';

const CHECKS: Readonly<Record<string, Check>> = {
  configuration: checkConfiguration,
  database: checkDatabase,
  permissions: checkPermissions,
  output: checkPublished,
  builds: checkBuilds,
  imports: checkImports,
  failures: checkFailures,
  keys: checkKeyRecords,
  counts: checkCounts,
  buckets: checkBuckets,
  service: checkService,
  disk: checkDisk,
  clock: checkClock,
  leftovers: checkLeftovers,
};

/** A finding and its check. */
export interface CheckedFinding extends Finding {
  readonly check: string;
}

/** Runs all checks in sequence. A check that throws is reported as an error, and the others continue. */
export async function examine(installation: Installation): Promise<CheckedFinding[]> {
  const findings: CheckedFinding[] = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    const found = await Promise.resolve()
      .then(() => check(installation))
      .catch((thrown: unknown) => [failed(thrown)]);
    findings.push(...found.map((finding) => ({ check: name, ...finding })));
  }
  return findings;
}
