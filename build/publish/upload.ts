import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { objectHash } from '../../common/object-hash.ts';
import type { Progress } from '../../common/progress.ts';
import { hashInPath } from '../../contract/object-name.ts';
import { ObjectDamaged } from './errors.ts';
import { inParallel } from '../snapshot/parallel.ts';
import type { PublishOptions } from './publish.ts';

/** The content of a name never changes. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/**
 * Uploads objects in parallel. After the first failure it starts no more uploads, and waits for those in progress.
 *
 * @param paths from the root of the output
 * @param onUploaded called after each confirmed upload, with its size in bytes
 * @throws BucketError, including ObjectDamaged
 */
export async function uploadObjects(
  { out, bucket, connections }: Pick<PublishOptions, 'out' | 'bucket' | 'connections'>,
  paths: readonly string[],
  progress: Progress,
  onUploaded: (path: string, bytes: number) => void,
): Promise<void> {
  await inParallel(paths, connections, async (path) => {
    const bytes = await readIntact(out, path);
    await bucket.put(path, bytes, CACHE_CONTROL);
    onUploaded(path, bytes.length);
    progress.advance(1);
  });
}

/** Checks the hash, because a damaged object would be cached forever under its name. @throws ObjectDamaged */
export async function readIntact(out: string, path: string): Promise<Buffer> {
  let bytes: Buffer;
  try {
    bytes = await readFile(join(out, path));
  } catch {
    throw new ObjectDamaged(path, 'is missing');
  }
  if (objectHash(bytes) !== hashInPath(path)) {
    throw new ObjectDamaged(path, 'does not match the hash in its name');
  }
  return bytes;
}
