import { statSync } from 'node:fs';

/** How fine clocks of file systems are, at the coarsest, and then some. */
const COARSEST_CLOCK_MS = 3000;

/** The state of a database's files, as far as it can be told without opening them. */
export interface FileState {
  /** Differs wherever something was written between two moments. */
  readonly signature: string;
  /**
   * False while the last write is so recent that a further one might leave all as it is here: the clocks
   * of file systems go in steps.
   */
  readonly isSettled: boolean;
}

/**
 * The state of the database at `path` at this moment. It is told by what the file system says of its file
 * and of its write-ahead log, and not by what is in them: whoever opens and closes a database's file beside
 * SQLite takes SQLite's own locks on it away.
 */
export function fileState(path: string): FileState {
  const files = [path, `${path}-wal`].map((file) => statSync(file, { bigint: true, throwIfNoEntry: false }));
  let newest = 0n;
  const signature = files.map((file) => {
    if (file === undefined || file.size === 0n) return 'none'; // Readers make an empty log, and remove it.
    if (file.mtimeMs > newest) newest = file.mtimeMs;
    return [file.dev, file.ino, file.size, file.mtimeNs, file.ctimeNs].join(' ');
  });
  return { signature: signature.join(', '), isSettled: Number(newest) < Date.now() - COARSEST_CLOCK_MS };
}
