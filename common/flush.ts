/** Makes files durable, and the entries of folders (fsync(2)). */
import { closeSync, fsync, fsyncSync, openSync } from 'node:fs';
import { codeOf } from './thrown.ts';

type Kind = 'file' | 'folder';

/** Windows flushes only files that were opened to be written. */
const FLAGS: Readonly<Record<Kind, string>> = { file: 'r+', folder: 'r' };

/** @throws Error of the file system */
export function flush(kind: Kind, path: string): void {
  const opened = openSync(path, FLAGS[kind]);
  try {
    fsyncSync(opened);
  } catch (error) {
    if (!isNeedless(kind, error)) throw error;
  } finally {
    closeSync(opened);
  }
}

/** The same in the background. */
export async function flushInBackground(kind: Kind, path: string): Promise<void> {
  const opened = openSync(path, FLAGS[kind]);
  try {
    await new Promise<void>((resolve, reject) =>
      fsync(opened, (error) => (error ? reject(error) : resolve())),
    );
  } catch (error) {
    if (!isNeedless(kind, error)) throw error;
  } finally {
    closeSync(opened);
  }
}

/** Windows refuses to flush folders, since the journal of NTFS has their changes. Some file systems of networks and in user space do too. */
function isNeedless(kind: Kind, error: unknown): boolean {
  return (
    kind === 'folder' && /^(?:EPERM|EISDIR|EINVAL|ENOTSUP|EOPNOTSUPP|ENOSYS|EBADF)$/.test(codeOf(error) ?? '')
  );
}
