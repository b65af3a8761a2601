import { renameSync } from 'node:fs';
import { pause } from './pause.ts';
import { denial } from './permissions.ts';
import { codeOf } from './thrown.ts';

/** How Windows refuses a rename while a program has one of the files open. */
const IN_USE = /^(?:EPERM|EACCES|EBUSY)$/;

/** A reader has a file open for a millisecond, a virus scanner for up to some seconds. */
const LIMIT_MS = 5_000;
const LONGEST_PAUSE_MS = 100;

/**
 * Renames a file or folder, also over an existing file. On Windows this fails while another program reads one of them, or
 * scans or indexes it. So it is retried for 5 seconds, as by graceful-fs, unless this user's permissions are the reason.
 *
 * @throws Error of the file system
 */
export function rename(from: string, to: string): void {
  for (let waited = 0, next = 1; ; waited += next, next = Math.min(2 * next, LONGEST_PAUSE_MS)) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      if (!IN_USE.test(codeOf(error) ?? '') || waited >= LIMIT_MS || denial(to, 'write') !== null)
        throw error;
    }
    pause(next);
  }
}
