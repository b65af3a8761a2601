import { existsSync, statfsSync, statSync } from 'node:fs';
import { count, megabytes } from '../terminal.ts';
import { type Finding, type Installation, warning } from './check.ts';
import { entriesOf, lstatOf } from './permissions.ts';

/** Bytes and files (inodes). */
interface Usage {
  readonly bytes: number;
  readonly files: number;
}

/** Database logs can fill less than this within a day. */
const LEAST = { bytes: 50e6, files: 1000 };

/** Whether there is space for a full build and a backup, which write as much as the output and the databases contain. */
export function* findDisks({ db, out }: Installation): Iterable<Finding> {
  for (const path of [out, db].filter((one) => existsSync(one))) {
    const { bavail, bsize, files, ffree } = statfsSync(path);
    // Btrfs creates inodes on demand.
    const finding = judgeDisk(
      path,
      { bytes: bavail * bsize, files: files === 0 ? Infinity : ffree },
      usage(path),
    );
    if (finding !== null) yield finding;
  }
}

/** Null: there is space. */
export function judgeDisk(path: string, free: Usage, used: Usage): Finding | null {
  if (free.bytes >= LEAST.bytes + used.bytes && free.files >= LEAST.files + used.files) return null;
  const needed = `${megabytes(used.bytes)} in ${count(used.files)} files`;
  const left = free.files < LEAST.files + used.files ? `${count(free.files)} files` : megabytes(free.bytes);
  return warning(
    `Only ${left} are left on the disk of ${path}: a full build or a backup may write ${needed}.`,
    'Free some space, or move it to a larger disk.',
  );
}

/** Of what this user can read; another check tells of the rest. */
function usage(path: string): Usage {
  const files = [statSync(path), ...entriesOf(path).map(lstatOf)];
  const bytes = files.reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0);
  return { bytes, files: files.length };
}
