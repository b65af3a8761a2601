import type { Command } from 'commander';
import { join } from 'node:path';
import { exportTree, type ExportReport } from '../../build/export/export.ts';
import { requirePointer } from '../../build/output/pointer-file.ts';
import { refuseUnreadable } from '../../common/errors.ts';
import { PER_PAGE_DEFAULT, PER_PAGE_MAX } from '../../contract/api.ts';
import { DiskSnapshotStore } from '../../gateway/node/disk-snapshot-store.ts';
import { colours } from '../colours.ts';
import { recordingExport } from '../exports.ts';
import { type CommandFlags, mainCommand, numberFrom } from '../options.ts';
import { count, counted, megabytes, printResult } from '../terminal.ts';

interface Options extends CommandFlags {
  readonly perPage: number;
  readonly full?: boolean;
}

export function exportCommand(): Command {
  return mainCommand('export', ['out', 'json'], 'export public/api')
    .argument('<folder>', 'where to write the files: a new or empty folder, or one with an earlier export')
    .option('--per-page <number>', 'articles per archive file', numberFrom(1, PER_PAGE_MAX), PER_PAGE_DEFAULT)
    .option('--full', 'write every file again')
    .action(run);
}

async function run(folder: string, { out, perPage, full = false, json }: Options): Promise<void> {
  const { blog } = requirePointer(out);
  refuseUnreadable(join(out, 'state')); // "withdraw" knows the folder from there.
  const report = await recordingExport(out, folder, perPage, () =>
    exportTree({ store: new DiskSnapshotStore(out), blog, folder, perPage, full }),
  );
  printResult(json, report, describeExport(folder, report));
}

/** `exported snapshot abc to public/api: 39 posts, 12 of 205 files written (34 kB), 1 removed, in 0.20 s` */
function describeExport(folder: string, report: ExportReport): string {
  const { snapshot, posts, files, written, bytes, removed, seconds } = report;
  const work = [
    ...(written === 0
      ? []
      : [`${count(written)} of ${counted(files, 'file')} written (${megabytes(bytes)})`]),
    ...(removed === 0 ? [] : [`${count(removed)} removed`]),
  ];
  const summary = work.length === 0 ? 'nothing new' : work.join(', ');
  return `${colours.green('exported')} snapshot ${snapshot} to ${folder}: ${counted(posts, 'post')}, ${summary}, in ${seconds.toFixed(2)} s`;
}
