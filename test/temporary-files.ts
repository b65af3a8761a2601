import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Linux keeps these files in memory, where a flush costs nothing. A build flushes each file it writes. */
const MEMORY = '/dev/shm';

/** More than all tests use together. */
const ROOM_BYTES = 2 ** 30;

/** The command's cache of compiled modules (cli/offprint.mjs), here also for the tests' own modules. */
const COMPILED = fileURLToPath(new URL('../node_modules/.cache/offprint', import.meta.url));

/**
 * Provides one temporary folder for the tests and all their processes, and removes it at the end. Some files are
 * still in use after the test that made them.
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
