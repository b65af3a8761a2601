import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { objectHash } from '../../common/object-hash.ts';
import type { Progress } from '../../common/progress.ts';
import { hashInPath } from '../../contract/object-name.ts';
import { ObjectDamaged } from './errors.ts';
import { inParallel } from '../parallel.ts';
import type { PublishOptions } from './publish.ts';

/** A name holds the same for ever. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/**
 * Uploads objects, several at once. The first failure stops it; requests that are under way are waited for.
 *
 * @param paths from the root of the output
 * @param onUploaded is told of each one that is surely there, and its bytes
 * @throws PublishError, ObjectDamaged among them
 */
export async function uploadObjects(
  { out, bucket, connections }: Pick<PublishOptions, 'out' | 'bucket' | 'connections'>,
  paths: readonly string[],
  progress: Progress,
  onUploaded: (path: string, bytes: number) => void,
): Promise<void> {
  await inParallel(paths, connections, async (path) => {
    const bytes = await readWhole(out, path);
    await bucket.put(path, bytes, CACHE_CONTROL);
    onUploaded(path, bytes.length);
    progress.advance(1);
  });
}

/** Nothing that is damaged may take a name that will be believed for ever. */
async function readWhole(out: string, path: string): Promise<Buffer> {
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
