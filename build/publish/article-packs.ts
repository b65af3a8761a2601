import { objectHash } from '../../common/object-hash.ts';
import { parseDirectory } from '../../contract/directory.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { articlePackName, articlePackPath } from '../../contract/pack.ts';
import { PAGE_SIZE } from '../../contract/pages.ts';
import { decodePostHashes } from '../../contract/post-hashes.ts';
import type { Pointer, Publication } from '../../contract/pointer.ts';
import { batchesOf, inParallel } from '../snapshot/parallel.ts';
import type { Bucket, BucketFile } from './bucket.ts';
import { CACHE_CONTROL, compress, packOf } from './pack.ts';
import type { PublishOptions } from './publish.ts';
import { findInBucket } from './snapshot-objects.ts';

/** The packs of a snapshot's articles: path → articles. */
type ArticlePacks = ReadonlyMap<string, readonly ObjectHash[]>;

/**
 * Uploads the packs of articles that the bucket's current snapshot does not have. The articles must already be in the
 * bucket and verified.
 *
 * @param current what the bucket serves; undefined: nothing of this format
 * @param journalled paths that are certainly there
 * @param onUploaded called after each confirmed upload
 * @throws BucketError, or an error of the file system
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
      // Without a pack (it would be too large for a Worker), the articles are read one by one.
      const objects = hashes.map((hash) => ({ kind: 'post', hash }) as const);
      const pack = await packOf(out, objects);
      if (pack) await bucket.put(path, await compress(pack), CACHE_CONTROL);
      onUploaded(path);
    },
  );
}

/** The packs of articles that are in no kept snapshot, if they are old enough. */
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

/** Empty if the snapshot is incomplete. */
async function articlePacksOf(bucket: Bucket, out: string, snapshot: ObjectHash): Promise<ArticlePacks> {
  const find = findInBucket(bucket, out);
  const directory = await find('directory', snapshot);
  if (directory === undefined) return new Map();
  const { post_hashes: objects } = parseDirectory(directory);
  const lists = await Promise.all(objects.map((hash) => find('post_hashes', hash)));
  return articlePacks(lists.flatMap((text) => (text === undefined ? [] : decodePostHashes(text))));
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
