import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { objectPath } from '../../contract/object-name.ts';
import { encodePack, hasPack, isPacked, nameInPack, PACK_BYTES, packPath } from '../../contract/pack.ts';
import type { Publication } from '../../contract/pointer.ts';
import { objectsOf } from '../snapshots/reachable.ts';
import type { Bucket, BucketFile } from './bucket.ts';

/** The same snapshot has the same pack for ever. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/**
 * Puts the pack of a snapshot into the bucket, if it is small enough to have one. Its objects must be there
 * already, and be known to be right: it is made of those of the output.
 *
 * @throws PublishError, or an error of the file system
 */
export async function uploadPack(bucket: Bucket, out: string, publication: Publication): Promise<void> {
  if (!hasPack(publication)) return;
  const { snapshot } = publication;
  const pack = new Map<string, Buffer>();
  let bytes = 0;
  for (const { kind, hash } of objectsOf(out, snapshot)) {
    const name = nameInPack(kind, hash);
    if (!isPacked(kind) || pack.has(name)) continue;
    const object = await readFile(join(out, objectPath(kind, hash)));
    pack.set(name, object);
    if ((bytes += object.length) > PACK_BYTES) return;
  }
  await bucket.put(packPath(snapshot), encodePack(pack), CACHE_CONTROL);
}

/** The packs of snapshots that are not kept, if they are old enough. */
export async function oldPacks(
  bucket: Bucket,
  kept: readonly Publication[],
  isOld: (file: BucketFile) => boolean,
): Promise<BucketFile[]> {
  const needed = new Set(kept.map(({ snapshot }) => packPath(snapshot)));
  const old: BucketFile[] = [];
  for await (const file of bucket.list('packs/')) {
    if (/^packs\/[a-z2-7]{26}$/.test(file.path) && !needed.has(file.path) && isOld(file)) old.push(file);
  }
  return old;
}
