import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Linux keeps these files in memory, where flushing costs nothing. A build flushes each file it writes. */
const MEMORY = '/dev/shm';

/** More than all tests have at once. */
const ROOM_BYTES = 2 ** 30;

/** Where the command keeps what is compiled (cli/offprint.mjs); here it serves the tests' own modules too. */
const COMPILED = fileURLToPath(new URL('../node_modules/.cache/offprint', import.meta.url));

/**
 * Gives the tests, and all processes that they start, one folder for what is temporary, and removes it after the
 * last of them. Some of it is still in use when the test that made it ends.
 */
export default function setup(): () => void {
  const folder = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'offprint-test-'));
  chmodSync(folder, 0o755); // Some tests run a service as another user.
  process.env['TMPDIR'] = folder;
  process.env['NODE_COMPILE_CACHE'] = COMPILED;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}
