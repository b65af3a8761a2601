import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessAlive } from '../process-alive.ts';

/** The name of a backup until it is whole. */
export function unfinishedPath(file: string): string {
  return `${file}.backup-${process.pid}`;
}

/** What killed backups left in a folder. It holds keys. */
export function killedBackups(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => {
      const [, pid] = /\.backup-(\d+)(?:-journal)?$/.exec(name) ?? [];
      return pid !== undefined && !isProcessAlive(Number(pid));
    })
    .map((name) => join(folder, name));
}
