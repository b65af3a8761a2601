/** A build, with all else that an output needs: the files of keys, and an end for objects that nothing names. */
import { existsSync } from 'node:fs';
import { checkKeys, type OnMerge, syncKeys } from '../data/accounts/change-keys.ts';
import type { BuildReport } from './build-report.ts';
import { build, type BuildOptions } from './build.ts';
import { pruneIfDue } from './snapshots/prune.ts';

/** With a live database there may be no database of keys so far. */
export type OutputOptions = BuildOptions & { readonly keys: string };

/**
 * Exports the blog and publishes it; then the keys follow their database, and once a day old objects are removed.
 *
 * @param onMerge called for accounts that were merged because their names look the same
 * @throws DatabaseError, BuildError, KeysOfOther, OutputUnwritable
 */
export async function buildOutput(options: OutputOptions, onMerge: OnMerge): Promise<BuildReport> {
  const { db, out, keys } = options;
  if (keys !== db) checkKeys(keys, out); // If it is the build's own database, the build says that there is none.
  const report = await build(options);
  if (existsSync(keys)) syncKeys(keys, out, onMerge);
  pruneIfDue(out, options.now);
  return report;
}
