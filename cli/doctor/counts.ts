import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PermissionDenied } from '../../common/errors.ts';
import { quotaPath } from '../../gateway/node/one-machine.ts';
import { copyHeldDatabase } from '../backup/copy-database.ts';
import { BackupFailed } from '../backup/errors.ts';
import { usagePath } from '../usage/usage-log.ts';
import { error, failed, type Finding, ok } from './finding.ts';
import type { Installation } from './installation.ts';

/** Whether the request counts can be read. A service locks their database, so a copy is examined. */
export function checkCounts({ out }: Installation): Finding[] {
  const paths = [quotaPath(out), usagePath(out)].filter((path) => existsSync(path));
  const findings = paths.flatMap(examineCopy);
  return findings.length > 0
    ? findings
    : [ok(paths.length === 0 ? 'nothing was counted yet' : 'counts and usage can be read')];
}

function examineCopy(path: string): Finding[] {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-doctor-'));
  try {
    copyHeldDatabase(path, join(folder, 'copy.db'));
    return [];
  } catch (thrown) {
    const denied = PermissionDenied.of(thrown);
    if (denied instanceof PermissionDenied) return [failed(denied)];
    const { message } = thrown instanceof Error ? thrown : new Error(String(thrown));
    return [
      error(
        `${path} cannot be read: ${thrown instanceof BackupFailed ? thrown.reason : message}.`,
        `Stop the service, delete ${path}* and start it again. Counts then start from zero.`,
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
