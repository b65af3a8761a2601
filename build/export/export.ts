/**
 * Writes the whole API as plain files, for any static host:
 *
 *   lock      folder.ts       one export at a time into a folder, and only into a folder of its own
 *   snapshot  the one that is published now
 *   files     tree.ts         articles as they are in the snapshot; lists from the gateway's own endpoints
 *               answers.ts      with links to other files
 *               paths.ts        where each is; file-name.ts: names that every file system can carry
 *               search-files.ts  the search index, and the script that searches it
 *               description.ts  `openapi.json`; page.ts: `index.html`
 *   stage     folder.ts       those whose bytes changed
 *   place     folder.ts       by renames, each file after those it links to; then what is gone is removed
 */
import type { ObjectHash } from '../../contract/object-name.ts';
import type { SnapshotStore } from '../../gateway/home.ts';
import { CurrentSnapshot } from '../../gateway/snapshot/current.ts';
import { ObjectMissing } from '../../gateway/snapshot/objects.ts';
import type { Snapshot } from '../../gateway/snapshot/snapshot.ts';
import { ExportFolder, type Placed } from './folder.ts';
import { treeOf } from './tree.ts';

export interface ExportOptions {
  /** Where the snapshot is read from. */
  readonly store: SnapshotStore;
  /** The blog's id, where it is known. */
  readonly blog: string | null;
  /** The folder of the tree. */
  readonly folder: string;
  /** Records on each page of a list, 1 to 50. */
  readonly perPage: number;
  /** Write every file, whatever the folder's list says. */
  readonly full: boolean;
}

export interface ExportReport extends Placed {
  readonly snapshot: ObjectHash;
  readonly posts: number;
  /** All files of the tree. */
  readonly files: number;
  readonly seconds: number;
}

/** For decoded objects, such as all pages of summaries, and for answers, which are asked for once. */
const CACHE = { objectBytes: 2 ** 28, answerBytes: 2 ** 20 };

/**
 * What is published meanwhile, as by a withdrawal, is in the tree at the end too.
 *
 * @throws NotAnExport, ExportOfOther, ExportRunning, ExportListUnreadable, OutputUnwritable, ObjectUnreadable, PointerUnreadable
 */
export async function exportTree(options: ExportOptions): Promise<ExportReport> {
  const started = performance.now();
  const current = new CurrentSnapshot(options.store, CACHE);
  let [written, bytes, removed] = [0, 0, 0];
  for (;;) {
    const snapshot = await current.refresh();
    const isCurrent = async () => (await current.refresh()).id === snapshot.id;
    try {
      const { files, placed } = await exportSnapshot(snapshot, options);
      [written, bytes, removed] = [written + placed.written, bytes + placed.bytes, removed + placed.removed];
      if (!(await isCurrent())) continue;
      const seconds = Math.round(performance.now() - started) / 1000;
      const { id, directory } = snapshot;
      return { snapshot: id, posts: directory.posts, files, written, bytes, removed, seconds };
    } catch (error) {
      // A withdrawal removes objects that are still being read.
      if (!(error instanceof ObjectMissing) || (await isCurrent())) throw error;
    }
  }
}

async function exportSnapshot(
  snapshot: Snapshot,
  { store, blog, folder: path, perPage, full }: ExportOptions,
): Promise<{ readonly files: number; readonly placed: Placed }> {
  const folder = ExportFolder.open(path, blog);
  try {
    const files = new Map<string, ObjectHash>();
    for await (const file of treeOf(snapshot, store, perPage)) {
      files.set(file.path, file.hash);
      if (full || !folder.has(file.path, file.hash)) folder.stage(file.path, await file.content());
    }
    return { files: files.size, placed: folder.place(files) };
  } finally {
    folder.close();
  }
}
