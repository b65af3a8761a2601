import { join } from 'node:path';

/** The mirror of a live database. */
export function mirrorPath(out: string): string {
  return join(out, 'state', 'mirror.db');
}
