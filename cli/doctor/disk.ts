import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { count, megabytes } from '../terminal.ts';
import { error, type Finding, ok, warning } from './check.ts';
import { type Installation, databasesOf } from './installation.ts';

/** Free space of a disk, and Offprint's use of it. */
export interface Disk {
  readonly path: string;
  /** Free bytes for this user. */
  readonly available: number;
  /** Free inodes; null if the file system has no limit. */
  readonly files: number | null;
  /** Bytes and files of the output and the databases on this disk. */
  readonly used: Usage;
}

interface Usage {
  readonly bytes: number;
  readonly files: number;
}

/** Database logs can fill less than this within a day. */
const LEAST_BYTES = 50e6;
const LEAST_FILES = 1000;

/** Whether there is space for a full build and a backup. */
export function findDisks(installation: Installation): Finding[] {
  return disksOf([installation.out, ...databasesOf(installation)]).map(judgeDisk);
}

/** A full build writes as much as the output contains, and a backup as much as the databases. */
export function judgeDisk({ path, available, files, used }: Disk): Finding {
  const left = `${megabytes(available)} are left on the disk of ${path}`;
  const remedy = 'Free some space, or move the output to a larger disk.';
  if (available < LEAST_BYTES) return error(`Only ${left}.`, remedy);
  if (files !== null && files < LEAST_FILES + used.files)
    return warning(
      `The disk of ${path} has room for ${count(files)} more files, and a full build may write ${count(used.files)}.`,
      'Remove small files there, or move the output to a disk with more inodes.',
    );
  if (available < used.bytes)
    return warning(
      `Only ${left}: less than a full build or a backup may need (${megabytes(used.bytes)}).`,
      remedy,
    );
  return ok(left);
}

/** Groups the paths by file system. */
function disksOf(paths: readonly string[]): Disk[] {
  const disks = new Map<number, Disk>();
  for (const path of paths) {
    const place = existing(path);
    const { dev } = statSync(place);
    const { bavail, bsize, files, ffree } = statfsSync(place);
    const { bytes: before, files: filesBefore } = disks.get(dev)?.used ?? { bytes: 0, files: 0 };
    const { bytes, files: more } = usage(path);
    disks.set(dev, {
      path: disks.get(dev)?.path ?? place,
      available: bavail * bsize,
      files: files === 0 ? null : ffree, // Btrfs creates inodes on demand.
      used: { bytes: before + bytes, files: filesBefore + more },
    });
  }
  return [...disks.values()];
}

function existing(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existing(dirname(path));
}

function usage(path: string): Usage {
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file) return { bytes: 0, files: 0 };
  if (!file.isDirectory()) return { bytes: file.size, files: 1 };
  let [bytes, files] = [0, 0];
  for (const entry of readdirSync(path)) {
    const inside = usage(join(path, entry));
    bytes += inside.bytes;
    files += inside.files;
  }
  return { bytes, files };
}
