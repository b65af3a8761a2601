import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { objectPath } from '../../contract/object-name.ts';
import { parseDirectory } from '../../contract/directory.ts';
import type { NamedObject } from '../../contract/object-kinds.ts';
import {
  CURRENT_PACK,
  encodePack,
  firstNeeded,
  hasPack,
  isPacked,
  nameInPack,
  olderViews,
  PACK_BYTES,
  packPath,
  zippedNameInPack,
} from '../../contract/pack.ts';
import type { Publication } from '../../contract/pointer.ts';
import { objectsOf, readObject } from '../history/reachable.ts';
import type { Bucket, BucketFile } from './bucket.ts';
import { readIntact } from './upload.ts';

/** The gateway's `gunzip` decompresses it. */
export const compress = promisify(gzip);

/** The pack of a snapshot never changes. */
export const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** The next publish replaces it. */
const CURRENT_CACHE_CONTROL = 'no-cache';

/**
 * Uploads the packs of a snapshot: the current pack, and its own pack if the blog is small enough. They are made from
 * the output's objects, which must already be in the bucket.
 *
 * @throws BucketError, or an error of the file system
 */
export async function uploadPacks(bucket: Bucket, out: string, publication: Publication): Promise<void> {
  const { snapshot } = publication;
  if (hasPack(publication)) {
    const objects = [...objectsOf(out, snapshot)].filter(({ kind }) => isPacked(kind));
    const pack = await packOf(out, objects);
    if (pack) await bucket.put(packPath(snapshot), pack, CACHE_CONTROL);
  }
  const directory = parseDirectory(readObject(out, 'directory', snapshot));
  const current = await packOf(out, firstNeeded(snapshot, directory), olderViews(directory));
  if (current) await bucket.put(CURRENT_PACK, current, CURRENT_CACHE_CONTROL);
  else await removeCurrentPack(bucket);
}

/**
 * Removes the current pack, which does not follow rollbacks and may contain a withdrawn article. Until the next
 * publish, a cold gateway needs one more round of reads.
 *
 * @throws BucketError
 */
export async function removeCurrentPack(bucket: Bucket): Promise<void> {
  await bucket.remove(CURRENT_PACK);
}

/** A pack of some objects; null: they are too large. @param zipped objects to compress in it @throws ObjectDamaged */
export async function packOf(
  out: string,
  objects: readonly NamedObject[],
  zipped: readonly NamedObject[] = [],
): Promise<Uint8Array | null> {
  const pack = new Map<string, Buffer>();
  let bytes = 0;
  for (const { kind, hash } of objects) {
    const name = nameInPack(kind, hash);
    if (pack.has(name)) continue;
    const object = await readIntact(out, objectPath(kind, hash));
    pack.set(name, object);
    if ((bytes += object.length) > PACK_BYTES) return null;
  }
  for (const { kind, hash } of zipped) {
    pack.set(zippedNameInPack(kind, hash), await compress(await readIntact(out, objectPath(kind, hash))));
  }
  return encodePack(pack);
}

/** The packs of snapshots that are no longer kept, if they are old enough. */
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
