import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  return folderUntil(onTestFinished);
}

/** A folder that is removed by `atEnd`: `afterAll` if the tests of a file share it. */
export function folderUntil(atEnd: (remove: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-build-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Paths of a database, its output and another output, in a folder that is removed after the test. */
export function blogPaths() {
  const folder = temporaryFolder();
  return { folder, db: join(folder, 'blog.db'), out: join(folder, 'out'), fresh: join(folder, 'fresh') };
}
