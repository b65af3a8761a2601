import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  return folderUntil(onTestFinished);
}

/** A folder that is gone after what `atEnd` waits for: `afterAll` for one that a file's tests share. */
export function folderUntil(atEnd: (remove: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-build-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
