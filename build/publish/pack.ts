import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { objectAt, type ObjectHash, objectPath } from '../../contract/object-name.ts';
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
  rarelyNeeded,
  zippedNameInPack,
} from '../../contract/pack.ts';
import type { Publication } from '../../contract/pointer.ts';
import { objectsIn } from '../history/reachable.ts';
import { IMMUTABLE } from './bucket.ts';
import type { BucketStorage } from './bucket-storage.ts';

/** The gateway's `gunzip` decompresses it. */
const compress = promisify(gzip);

/**
 * Uploads the pack of a snapshot if the blog is small enough. It is made from the output's objects, which must already
 * be in the bucket.
 *
 * @throws BucketError, SnapshotIncomplete
 */
export async function uploadPack(storage: BucketStorage, publication: Publication): Promise<void> {
  if (!hasPack(publication)) return;
  const { snapshot } = publication;
  const objects = Array.from(await objectsIn(storage, snapshot), objectAt).filter(
    (object) => object !== null,
  );
  const pack = await buildPack(
    storage,
    objects.filter(({ kind }) => isPacked(kind)),
  );
  if (pack) await storage.bucket.put(packPath(snapshot), pack, IMMUTABLE);
}

/** The pack next to the pointer; null: it would be too large. @throws ObjectDamaged */
export function firstPack(storage: BucketStorage, snapshot: ObjectHash): Promise<Uint8Array | null> {
  const directory = parseDirectory(storage.readLocal(objectPath('directory', snapshot)).toString());
  return buildPack(storage, firstNeeded(snapshot, directory), rarelyNeeded(directory));
}

/** A pack of some objects; null: they are too large. @param zipped objects to compress in it @throws ObjectDamaged */
async function buildPack(
  storage: BucketStorage,
  objects: readonly NamedObject[],
  zipped: readonly NamedObject[] = [],
): Promise<Uint8Array | null> {
  const pack = new Map<string, Buffer>();
  let bytes = 0;
  for (const { kind, hash } of objects) {
    const name = nameInPack(kind, hash);
    if (pack.has(name)) continue;
    const object = storage.readLocal(objectPath(kind, hash));
    pack.set(name, object);
    if ((bytes += object.length) > PACK_BYTES) return null;
  }
  for (const { kind, hash } of zipped) {
    pack.set(zippedNameInPack(kind, hash), await compress(storage.readLocal(objectPath(kind, hash))));
  }
  return encodePack(pack);
}
