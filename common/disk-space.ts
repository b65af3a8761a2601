import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** With less, SQLite cannot make the files that it needs next to a database, and reports other errors than a full disk. */
const LEAST_BYTES = 65_536;

/** Whether the disk of a path, which need not exist, is full for this user. */
export function isDiskFull(path: string): boolean {
  if (!existsSync(path) && dirname(path) !== path) return isDiskFull(dirname(path));
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize < LEAST_BYTES;
}
