import { earlierSnapshotWithout, pointerWithout, type WithdrawnFrom } from './output.ts';
import { changeBucketPointer, readBucketPointer } from '../publish/bucket-pointer.ts';
import { pruneBucket } from '../publish/bucket-prune.ts';
import { serveEarlier } from '../publish/bucket-snapshots.ts';
import { publish, type PublishOptions } from '../publish/publish.ts';
import { findInBucket } from '../publish/snapshot-objects.ts';
import { type ArticleTraits, publishedWith } from './article.ts';
import { StillServed } from './errors.ts';

/**
 * Removes an article from a bucket, by the steps of withdrawFromOutput. Call that first: the bucket gets the output's
 * snapshot.
 *
 * @returns undefined: nothing is published in the bucket
 * @throws BucketError, BuildError, StillServed
 */
export async function withdrawFromBucket(
  options: PublishOptions,
  slug: string,
  traits: readonly ArticleTraits[],
  switched: () => Promise<unknown>,
): Promise<WithdrawnFrom | undefined> {
  const { bucket, out } = options;
  const find = findInBucket(bucket, out);
  const before = (await readBucketPointer(bucket)).published?.pointer;
  if (!before) return undefined;
  const holding = await publishedWith(before, slug, find, traits);
  const mustChange = holding.has(before.snapshot);
  const earlier = mustChange && before.held ? earlierSnapshotWithout(before, holding) : undefined;
  if (mustChange && earlier === undefined) await publish({ ...options, withdrawing: true });
  if (earlier !== undefined) await serveEarlier(bucket, out, earlier);

  const after = (await readBucketPointer(bucket)).published?.pointer;
  if (!after) return undefined;
  const stillHolding = await publishedWith(after, slug, find, traits);
  if (stillHolding.has(after.snapshot)) throw new StillServed(slug, bucket.name);
  if (pointerWithout(after, stillHolding) !== after) {
    await changeBucketPointer(bucket, ({ pointer, prune }) => ({
      pointer: pointerWithout(pointer, stillHolding),
      prune,
    }));
  }
  if (holding.size > 0) await switched();
  const { removed, bytes } = await pruneBucket(bucket, out, 0);
  const { snapshot, posts } = after;
  return { snapshot, posts, dropped: [...stillHolding], removed, bytes };
}
