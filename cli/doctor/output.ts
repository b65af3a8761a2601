import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FolderStorage } from '../../build/history/folder-storage.ts';
import { objectsIn } from '../../build/history/reachable.ts';
import { requirePointer } from '../../build/output/pointer-file.ts';
import { messageOf } from '../../common/thrown.ts';
import { commandLine } from '../command-line.ts';
import { count } from '../terminal.ts';
import { error, type Finding } from './check.ts';
import type { Installation } from './installation.ts';

/** Whether the published snapshot is there. `snapshots verify` reads its objects too. */
export async function* findOutput({ out }: Installation): AsyncIterable<Finding> {
  if (statSync(out, { throwIfNoEntry: false })?.isFile()) {
    yield error(`${out} is a file, and the output must be a folder.`, 'Name another with --out.');
    return;
  }
  const damage = await damageOf(out, requirePointer(out).snapshot);
  const remedy = `Run ${commandLine('build --full')}, or go back: ${commandLine('snapshots rollback ID')}`;
  if (damage !== null) yield error(damage, remedy);
}

/** What is missing of the snapshot, as a sentence; null: nothing. */
async function damageOf(out: string, snapshot: string): Promise<string | null> {
  try {
    const named = await objectsIn(new FolderStorage(out), snapshot);
    const missing = [...named].filter((path) => !existsSync(join(out, path)));
    return missing.length === 0
      ? null
      : `${count(missing.length)} of the snapshot's files are missing, such as ${missing[0]}.`;
  } catch (thrown) {
    return `The snapshot is damaged: ${messageOf(thrown)}.`;
  }
}
