import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FolderStorage } from '../../build/history/folder-storage.ts';
import { objectsIn, logPaths, slugsIn } from '../../build/history/reachable.ts';
import type { SnapshotStorage } from '../../build/history/storage.ts';
import { publications, requirePointer } from '../../build/output/pointer-file.ts';
import { shellQuoted } from '../../common/shell.ts';
import { inlineMessage } from '../../common/thrown.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { listWithdrawals } from '../../data/withdrawals.ts';
import { commandLine } from '../command-line.ts';
import { printable } from '../printable.ts';
import { counted } from '../terminal.ts';
import { examining } from './database.ts';
import { error, type Finding, type Installation } from './check.ts';

/** Whether the published snapshot is there, without withdrawn articles. `snapshots verify` reads its objects too. */
export async function* findOutput(installation: Installation): AsyncIterable<Finding> {
  const { out } = installation;
  if (statSync(out, { throwIfNoEntry: false })?.isFile()) {
    yield error(`${out} is a file, and the output must be a folder.`, 'Choose another with --out.');
    return;
  }
  const damage = await findDamage(out, requirePointer(out));
  const remedy = `Run ${commandLine('build --full')}, or go back: ${commandLine('snapshots rollback ID')}`;
  if (damage !== null) yield error(damage, remedy);
  yield* await withdrawnIn(new FolderStorage(out), installation);
}

/** Withdrawn articles that a place has in a snapshot: of a withdrawal that was not finished, or a build that did not know it. */
export async function withdrawnIn(storage: SnapshotStorage, { db }: Installation): Promise<Finding[]> {
  const read = examining(db, (blog) => listWithdrawals(blog).map(({ slug }) => slug));
  const withdrawn = await read.catch(() => []); // Another check reports why.
  const found = new Set<string>();
  for (const { snapshot } of withdrawn.length === 0 ? [] : publications(await storage.requirePointer())) {
    const slugs = new Set(await slugsIn(storage, snapshot));
    for (const slug of withdrawn.filter((one) => slugs.has(one))) found.add(slug);
  }
  return [...found].map((slug) =>
    error(
      `The article "${printable(slug)}" is withdrawn, but ${storage.place.name} still has it.`,
      commandLine(`withdraw ${printable(shellQuoted(slug))}${storage.flags}`),
    ),
  );
}

/** What is missing from the snapshot, as a sentence; null: nothing. */
async function findDamage(out: string, pointer: Pointer): Promise<string | null> {
  try {
    const named = await objectsIn(new FolderStorage(out), pointer.snapshot);
    const missing = [...named, ...logPaths(pointer)].filter((path) => !existsSync(join(out, path)));
    return missing.length === 0
      ? null
      : `The snapshot lacks ${counted(missing.length, 'file')}, such as ${missing[0]}.`;
  } catch (thrown) {
    return `The snapshot is damaged: ${inlineMessage(thrown)}.`;
  }
}
