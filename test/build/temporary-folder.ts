import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** In memory where that is possible: a build flushes each file to the disk, and no test cuts the power. */
const FOLDERS = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  return folderUntil(onTestFinished);
}

/** A folder that is gone after what `atEnd` waits for: `afterAll` for one that a file's tests share. */
export function folderUntil(atEnd: (remove: () => void) => void): string {
  const folder = mkdtempSync(join(FOLDERS, 'offprint-build-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
