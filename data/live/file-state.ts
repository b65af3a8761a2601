import { statSync } from 'node:fs';

/** The coarsest clock of a file system, with a margin. */
const COARSEST_CLOCK_MS = 3000;

/** The state of a database's files, without opening them. */
export interface FileState {
  /** Changes whenever something is written. */
  readonly signature: string;
  /**
   * False if the last write is so recent that another one might not change the signature: file system clocks are
   * coarse.
   */
  readonly isSettled: boolean;
}

/**
 * The current state of the database at `path`, from the metadata of its file and its write-ahead log, without their
 * content: opening and closing a database's file outside SQLite releases SQLite's own locks on it.
 */
export function fileState(path: string): FileState {
  const files = [path, `${path}-wal`].map((file) => statSync(file, { bigint: true, throwIfNoEntry: false }));
  let newest = 0n;
  const signature = files.map((file) => {
    if (file === undefined || file.size === 0n) return 'none'; // Readers create an empty log, and remove it.
    if (file.mtimeMs > newest) newest = file.mtimeMs;
    return [file.dev, file.ino, file.size, file.mtimeNs, file.ctimeNs].join(' ');
  });
  return { signature: signature.join(', '), isSettled: Number(newest) < Date.now() - COARSEST_CLOCK_MS };
}
