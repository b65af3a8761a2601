import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PermissionDenied } from '../../common/errors.ts';
import { messageOf } from '../../common/thrown.ts';
import { quotaPath } from '../../gateway/node/one-machine.ts';
import { usagePath } from '../usage/usage-log.ts';
import { error, failed, type Finding, ok, warning } from './check.ts';
import { copyHeldDatabase } from './copy-held-database.ts';
import type { Installation } from './installation.ts';

/** Counts that are unreadable, or not exact. A service locks their database, so a copy is examined. */
export async function* findCounts({ out, counts }: Installation): AsyncIterable<Finding> {
  if (counts !== undefined) yield* await findCountsOfAll(counts);
  const paths = [quotaPath(out), usagePath(out)].filter((path) => existsSync(path));
  const faults = paths.flatMap(faultsOf);
  yield* faults;
  if (faults.length === 0)
    yield ok(paths.length === 0 ? 'nothing was counted yet' : 'counts and usage can be read');
}

/** Those in PostgreSQL. */
async function findCountsOfAll(address: string): Promise<Finding[]> {
  try {
    const { checkCounts } = await import('../counts.ts');
    const server = await checkCounts(address);
    if (server?.fsync === 'off')
      return [error('PostgreSQL loses counts when its machine dies (fsync = off).', 'Turn fsync on.')];
    if (server?.standbys !== '') return [ok('PostgreSQL counts, and waits for a standby')];
    return [
      warning(
        'PostgreSQL has no synchronous standby, so after a failover counts may be missing.',
        'Set synchronous_standby_names, unless there is no standby at all.',
      ),
    ];
  } catch (thrown) {
    return [failed(thrown)];
  }
}

function faultsOf(path: string): Finding[] {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-doctor-'));
  try {
    copyHeldDatabase(path, join(folder, 'copy.db'));
    return [];
  } catch (thrown) {
    if (PermissionDenied.of(thrown) instanceof PermissionDenied) return [failed(thrown)];
    return [
      error(
        `${path} cannot be read: ${messageOf(thrown)}.`,
        `Stop the service, delete ${path}* and start it again. Counts then start from zero.`,
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
