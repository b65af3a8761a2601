import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { replacePrivateFile } from '../../common/output-files.ts';

/** Time of the output's last prune: the modification time of `out/state/last-prune`. Null: never. */
export function readLastPrune(out: string): Date | null {
  try {
    return statSync(pathIn(out)).mtime;
  } catch {
    return null;
  }
}

export function writeLastPrune(out: string, now: Date): void {
  replacePrivateFile(pathIn(out), '');
  utimesSync(pathIn(out), now, now);
}

function pathIn(out: string): string {
  return join(out, 'state', 'last-prune');
}
