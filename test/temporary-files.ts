import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives the tests, and all processes that they start, one folder for what is temporary, and removes it after the
 * last of them. Some of it is still in use when the test that made it ends.
 */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-test-'));
  chmodSync(folder, 0o755); // Some tests run a service as another user.
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
