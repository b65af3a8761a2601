/**
 * Writes the API as plain files, for any static host:
 *
 *   lock      folder.ts       one export at a time into a folder, and only into a folder of its own
 *   snapshot  the published one
 *   files     tree.ts         articles as they are in the snapshot; lists from the gateway's own endpoints
 *               answers.ts      with links to other files
 *               paths.ts        their paths; file-name.ts: names for every file system
 *               search-files.ts  the search index, and the script that searches it
 *               description.ts  `openapi.json`; page.ts: `index.html`
 *   stage     folder.ts       those whose bytes changed
 *   place     folder.ts       by renames, each file after those it links to; then old files are removed
 */
import type { ObjectHash } from '../../contract/object-name.ts';
import type { SnapshotStore } from '../../gateway/home.ts';
import { CurrentSnapshot } from '../../gateway/snapshot/current.ts';
import { ObjectMissing } from '../../gateway/snapshot/objects.ts';
import type { Snapshot } from '../../gateway/snapshot/snapshot.ts';
import { ExportFolder, type Placed } from './folder.ts';
import { buildTree } from './tree.ts';

interface ExportOptions {
  /** Where the snapshot is read from. */
  readonly store: SnapshotStore;
  /** The blog's id; null: unknown. */
  readonly blog: string | null;
  /** The folder of the tree. */
  readonly folder: string;
  /** Articles in each file of an archive, 1 to 50. */
  readonly perPage: number;
  /** Write every file, and ignore the folder's list. */
  readonly full: boolean;
}

export interface ExportReport extends Placed {
  readonly snapshot: ObjectHash;
  readonly posts: number;
  /** All files of the tree. */
  readonly files: number;
  readonly seconds: number;
}

/** Large for decoded objects, such as pages of summaries; small for answers, which are needed only once. */
const CACHE = { objectBytes: 2 ** 28, answerBytes: 2 ** 20 };

/**
 * Exports the published snapshot, and the next one if it is published meanwhile, such as by a withdrawal.
 *
 * @throws ForeignFiles, ExportOfOther, ExportRunning, ExportListUnreadable, PathTaken, OutputUnwritable, ObjectUnreadable, PointerUnreadable
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
      // A withdrawal may remove objects during the export.
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
    for await (const file of buildTree(snapshot, store, perPage)) {
      files.set(file.path, file.hash);
      if (full || !folder.has(file.path, file.hash)) folder.stage(file.path, await file.content());
    }
    return { files: files.size, placed: await folder.place(files) };
  } finally {
    folder.close();
  }
}
