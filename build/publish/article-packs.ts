import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { objectHash } from '../../common/object-hash.ts';
import { parseDirectory } from '../../contract/directory.ts';
import { type ObjectHash, objectPath } from '../../contract/object-name.ts';
import type { ObjectKind } from '../../contract/object-kinds.ts';
import { articlePackName, articlePackPath, encodePack, nameInPack, PACK_BYTES } from '../../contract/pack.ts';
import { PAGE_SIZE } from '../../contract/pages.ts';
import { decodePostHashes } from '../../contract/post-hashes.ts';
import type { Pointer, Publication } from '../../contract/pointer.ts';
import { batchesOf, inParallel } from '../parallel.ts';
import type { Bucket, BucketFile } from './bucket.ts';
import type { PublishOptions } from './publish.ts';

/** The same articles have the same pack for ever. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** The packs of a snapshot's articles by their paths, each with the articles in it. */
type ArticlePacks = ReadonlyMap<string, readonly ObjectHash[]>;

/**
 * Uploads the packs of articles that the bucket's current snapshot has not. The articles must be there already, and be
 * known to be right.
 *
 * @param current what the bucket serves; undefined: nothing
 * @param journalled paths that are there for certain
 * @param onUploaded is told of each that is surely there
 * @throws PublishError, or an error of the file system
 */
export async function uploadArticlePacks(
  { out, bucket, connections, full }: Pick<PublishOptions, 'out' | 'bucket' | 'connections' | 'full'>,
  local: Pointer,
  current: Pointer | undefined,
  journalled: ReadonlySet<string>,
  onUploaded: (path: string) => void,
): Promise<void> {
  const there = new Set(journalled);
  if (full) for await (const { path } of bucket.list(FOLDER)) there.add(path);
  else if (current)
    for (const path of (await articlePacksOf(bucket, out, current.snapshot)).keys()) there.add(path);
  const packs = await articlePacksOf(bucket, out, local.snapshot);
  await inParallel(
    [...packs].filter(([path]) => !there.has(path)),
    connections,
    async ([path, hashes]) => {
      const pack = await packOf(out, hashes);
      if (pack) await bucket.put(path, pack, CACHE_CONTROL);
      onUploaded(path);
    },
  );
}

/** The packs of articles that none of the kept snapshots has, if they are old enough. */
export async function oldArticlePacks(
  bucket: Bucket,
  out: string,
  kept: readonly Publication[],
  isOld: (file: BucketFile) => boolean,
): Promise<BucketFile[]> {
  const needed = new Set<string>();
  for (const { snapshot } of kept) {
    for (const path of (await articlePacksOf(bucket, out, snapshot)).keys()) needed.add(path);
  }
  const old: BucketFile[] = [];
  for await (const file of bucket.list(FOLDER)) if (!needed.has(file.path) && isOld(file)) old.push(file);
  return old;
}

const FOLDER = articlePackPath('');

/** None where the snapshot is not whole, or of version 0.1. */
async function articlePacksOf(bucket: Bucket, out: string, snapshot: ObjectHash): Promise<ArticlePacks> {
  const read = async (kind: ObjectKind, hash: ObjectHash): Promise<string | undefined> => {
    const path = objectPath(kind, hash);
    if (existsSync(join(out, path))) return readFile(join(out, path), 'utf8');
    return (await bucket.get(path)).file?.bytes.toString();
  };
  const directory = await read('directory', snapshot);
  if (directory === undefined) return new Map();
  const { post_hashes: objects = [] } = parseDirectory(directory);
  const lists = await Promise.all(objects.map((hash) => read('post_hashes', hash)));
  const hashes = lists.flatMap((text) => (text === undefined ? [] : decodePostHashes(text)));
  return new Map(
    Array.from(batchesOf(hashes, PAGE_SIZE), (page) => [
      articlePackPath(objectHash(articlePackName(page))),
      page,
    ]),
  );
}

const compressed = promisify(gzip);

/** Null: a Worker would have no room for it, and reads the articles one by one. */
async function packOf(out: string, hashes: readonly ObjectHash[]): Promise<Buffer | null> {
  const pack = new Map<string, Buffer>();
  let bytes = 0;
  for (const hash of hashes) {
    const object = await readFile(join(out, objectPath('post', hash)));
    if ((bytes += object.length) > PACK_BYTES) return null;
    pack.set(nameInPack('post', hash), object);
  }
  return compressed(encodePack(pack));
}
