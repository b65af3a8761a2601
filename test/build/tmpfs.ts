import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A file system in memory, of adjustable size. */
export interface SmallDisk {
  readonly folder: string;
  /** In bytes. Fails below the space in use. */
  resize(bytes: number): void;
  setReadOnly(readOnly: boolean): void;
}

/** Whether this user may mount file systems; most may not. */
export const CAN_MOUNT = canMount();

/** Mounts a disk of `bytes` bytes, which is removed after the test. */
export function smallDisk(bytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-disk-'));
  run('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]);
  onTestFinished(() => {
    run('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true });
  });
  const remount = (options: string) => run('mount', ['-o', `remount,${options}`, folder]);
  return {
    folder,
    resize: (size) => remount(`size=${size}`),
    setReadOnly: (readOnly) => remount(readOnly ? 'ro' : 'rw'),
  };
}

/** Fills a disk to the last block, with the file `filler`. */
export function fill(folder: string): void {
  const file = openSync(join(folder, 'filler'), 'w');
  const { bsize } = statfsSync(folder);
  try {
    for (const block of [Buffer.alloc(2 ** 20), Buffer.alloc(bsize)])
      try {
        for (;;) writeSync(file, block);
      } catch {
        // Full, for blocks of this size.
      }
  } finally {
    closeSync(file);
  }
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
}

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-disk-'));
  try {
    run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
    run('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
