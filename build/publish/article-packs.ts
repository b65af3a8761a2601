import { objectHash } from '../../common/object-hash.ts';
import { parseDirectory } from '../../contract/directory.ts';
import { type ObjectHash, objectPath } from '../../contract/object-name.ts';
import { articlePackName, articlePackPath } from '../../contract/pack.ts';
import { PAGE_SIZE } from '../../contract/pages.ts';
import { decodePostHashes } from '../../contract/post-hashes.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { batchesOf, inParallel } from '../snapshot/parallel.ts';
import type { SnapshotStorage } from '../history/storage.ts';
import { IMMUTABLE } from './bucket.ts';
import { compress, packOf } from './pack.ts';
import type { PublishOptions } from './publish.ts';

/** The packs of a snapshot's articles: path → articles. */
type ArticlePacks = ReadonlyMap<string, readonly ObjectHash[]>;

/**
 * Uploads the packs of articles that the bucket's current snapshot does not have. The articles must already be in the
 * bucket and verified.
 *
 * @param current what the bucket serves; undefined: nothing
 * @throws BucketError
 */
export async function uploadArticlePacks(
  { storage, connections, full }: Pick<PublishOptions, 'storage' | 'connections' | 'full'>,
  local: Pointer,
  current: Pointer | undefined,
): Promise<void> {
  const there = new Set<string>();
  if (full || !current) for await (const { path } of storage.list(articlePackPath(''))) there.add(path);
  else for (const path of (await articlePacksOf(storage, current.snapshot)).keys()) there.add(path);
  const packs = await articlePacksOf(storage, local.snapshot);
  await inParallel(
    [...packs].filter(([path]) => !there.has(path)),
    connections,
    async ([path, hashes]) => {
      // Without a pack (it would be too large for a Worker), the articles are read one by one.
      const objects = hashes.map((hash) => ({ kind: 'post', hash }) as const);
      const pack = await packOf(storage.out, objects);
      if (pack) await storage.bucket.put(path, await compress(pack), IMMUTABLE);
    },
  );
}

/** The packs of a snapshot's articles; empty if the snapshot is incomplete. */
export async function articlePacksOf(storage: SnapshotStorage, snapshot: ObjectHash): Promise<ArticlePacks> {
  const directory = await storage.readObject(objectPath('directory', snapshot));
  const { post_hashes: objects } = directory ? parseDirectory(directory.toString()) : { post_hashes: [] };
  const lists = await Promise.all(objects.map((hash) => storage.readObject(objectPath('post_hashes', hash))));
  return articlePacks(lists.flatMap((bytes) => (bytes ? decodePostHashes(bytes.toString()) : [])));
}

/** @param hashes of all objects `post`, by position */
export function articlePacks(hashes: readonly ObjectHash[]): ArticlePacks {
  return new Map(
    Array.from(batchesOf(hashes, PAGE_SIZE), (page) => [
      articlePackPath(objectHash(articlePackName(page))),
      page,
    ]),
  );
}
