/** A build, and the other work on an output: updating the files of keys, and pruning objects. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkKeys, syncKeys } from '../../data/accounts/change-keys.ts';
import { unfinishedSince } from '../../data/accounts/key-files.ts';
import { readAccounts } from '../../data/accounts/accounts.ts';
import { readingFrom, requireDatabase } from '../../data/database.ts';
import type { BuildReport } from '../build-report.ts';
import { build, type BuildOptions } from '../build.ts';
import { pruneIfDue } from '../history/prune.ts';
import { guardPlans } from './plans.ts';

/**
 * Exports the blog and publishes it, then updates the key files, and prunes once a day.
 *
 * @throws DatabaseError, BuildError, OutputUnwritable
 */
export async function buildOutput(options: BuildOptions): Promise<BuildReport> {
  const { db, out } = options;
  if (!existsSync(join(out, 'state'))) requireDatabase(db); // Begins no output that nothing can be built from.
  if (existsSync(db)) checkKeys(db, out); // The build reports that its database is missing.
  const sync = (): void => {
    if (existsSync(db)) syncKeys(db, out);
  };
  try {
    if (existsSync(db)) guardPlans(readingFrom(db, readAccounts), options.limits);
    const report = await build(options);
    sync();
    await pruneIfDue(out, options.now);
    return report;
  } catch (error) {
    if (unfinishedSince(out) !== undefined) sync(); // A revoked key does not wait for the next build that succeeds.
    throw error;
  }
}
