import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type ObjectHash, objectPath } from '../../contract/object-name.ts';
import { parseDirectory } from '../../contract/directory.ts';
import type { NamedObject } from '../../contract/object-kinds.ts';
import {
  encodePack,
  firstNeeded,
  hasPack,
  isPacked,
  nameInPack,
  PACK_BYTES,
  packPath,
  seldomNeeded,
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

/**
 * Uploads the pack of a snapshot if the blog is small enough. It is made from the output's objects, which must already
 * be in the bucket.
 *
 * @throws BucketError, or an error of the file system
 */
export async function uploadPack(bucket: Bucket, out: string, publication: Publication): Promise<void> {
  if (!hasPack(publication)) return;
  const { snapshot } = publication;
  const pack = await packOf(
    out,
    [...objectsOf(out, snapshot)].filter(({ kind }) => isPacked(kind)),
  );
  if (pack) await bucket.put(packPath(snapshot), pack, CACHE_CONTROL);
}

/** The pack next to the pointer; null: it would be too large. @throws an error of the file system */
export function firstPack(out: string, snapshot: ObjectHash): Promise<Uint8Array | null> {
  const directory = parseDirectory(readObject(out, 'directory', snapshot));
  return packOf(out, firstNeeded(snapshot, directory), seldomNeeded(directory));
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
