import type { Progress } from '../../common/progress.ts';
import { readIntactCopy } from '../history/folder-storage.ts';
import { inParallel } from '../snapshot/parallel.ts';
import { IMMUTABLE } from './bucket.ts';
import { ObjectDamaged } from './errors.ts';
import type { PublishOptions } from './publish.ts';

/**
 * Uploads objects in parallel. After the first failure it starts no more uploads, and waits for those in progress.
 *
 * @param paths from the root of the output
 * @returns their bytes
 * @throws BucketError, including ObjectDamaged
 */
export async function uploadObjects(
  { storage: { bucket, out }, connections }: Pick<PublishOptions, 'storage' | 'connections'>,
  paths: readonly string[],
  progress: Progress,
): Promise<number> {
  let uploaded = 0;
  await inParallel(paths, connections, async (path) => {
    const bytes = readIntact(out, path);
    await bucket.put(path, bytes, IMMUTABLE);
    uploaded += bytes.length;
    progress.advance(1);
  });
  return uploaded;
}

/** A damaged object would be cached forever under its name. @throws ObjectDamaged */
export function readIntact(out: string, path: string): Buffer {
  const bytes = readIntactCopy(out, path);
  if (!bytes) throw new ObjectDamaged(path);
  return bytes;
}
