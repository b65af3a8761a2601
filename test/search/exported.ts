import { join } from 'node:path';
import { exportTree } from '../../build/export/export.ts';
import { DiskSnapshotStore } from '../../gateway/node/disk-snapshot-store.ts';

/** Exports the published blog of an output. Returns the folder of its search files. */
export async function exportSearch(out: string, folder: string): Promise<string> {
  const store = new DiskSnapshotStore(out);
  await exportTree({ store, blog: null, folder, perPage: 50, full: false });
  return join(folder, 'search');
}
