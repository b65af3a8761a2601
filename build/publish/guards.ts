/** Guards against a publish that replaces a blog by something else. */
import type { Pointer } from '../../contract/pointer.ts';
import { TooManyPostsGone } from '../errors.ts';
import type { SnapshotStorage } from '../history/storage.ts';
import { guardBlog, guardLimits, isMostlyGone, limitsIn } from '../output/guards.ts';
import { readLastBuild } from '../output/last-build.ts';

/**
 * Compares the snapshot to publish with the one that the bucket serves.
 *
 * @param configured whether there is a configuration; used only if the last build did not record it
 * @throws OtherBlog, TooManyPostsGone, LimitsLost, BucketError
 */
export async function guardBucket(
  storage: SnapshotStorage,
  configured: boolean,
  local: Pointer,
  served: Pointer,
): Promise<void> {
  const { place } = storage;
  const last = readLastBuild(storage.out);
  guardBlog(place, served, knownIds(local, last?.blogs), () => local.posts);
  if (served.snapshot === local.snapshot) return;
  if (isMostlyGone(served.posts, local.posts)) throw new TooManyPostsGone(place, served.posts, local.posts);
  if (last?.configured ?? configured) return;
  const limits = await limitsIn(storage, local.snapshot);
  if (limits) guardLimits(place, await limitsIn(storage, served.snapshot), limits);
}

/** The blog may have been published under another of its ids. */
function knownIds({ blog }: Pointer, built: readonly string[] = []): string[] {
  if (blog === null) return [];
  return blog === built[0] ? [...built] : [blog];
}
