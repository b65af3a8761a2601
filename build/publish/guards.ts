/** Guards against a publish that replaces a blog by something else. */
import { parseLimits } from '../../contract/directory.ts';
import { type ObjectHash, objectPath } from '../../contract/object-name.ts';
import type { Pointer } from '../../contract/pointer.ts';
import type { Limits } from '../../contract/policy.ts';
import { TooManyPostsGone } from '../errors.ts';
import { guardBlog, guardLimits, isMostlyGone, publishedLimits } from '../output/guards.ts';
import { readLastBuild } from '../output/last-build.ts';
import type { Bucket } from './bucket.ts';

/**
 * Compares the snapshot to publish with the one that the bucket serves.
 *
 * @param configured whether there is a configuration; used only if the last build did not record it
 * @throws OtherBlog, TooManyPostsGone, LimitsLost, BucketError
 */
export async function guardBucket(
  {
    out,
    bucket,
    configured,
  }: { readonly out: string; readonly bucket: Bucket; readonly configured: boolean },
  local: Pointer,
  served: Pointer,
): Promise<void> {
  const place = { name: bucket.name, command: 'publish' } as const;
  const { success } = readLastBuild(out);
  guardBlog(place, served, idsOf(local, success?.blogs), () => local.posts);
  if (served.snapshot === local.snapshot) return;
  if (isMostlyGone(served.posts, local.posts)) throw new TooManyPostsGone(place, served.posts, local.posts);
  if (success?.configured ?? configured) return;
  const limits = publishedLimits(out, local.snapshot);
  if (limits) guardLimits(place, await limitsIn(bucket, out, served.snapshot), limits);
}

/** The blog may have been published under another of its ids. */
function idsOf({ blog }: Pointer, built: readonly string[] = []): string[] {
  if (blog === null) return [];
  return blog === built[0] ? [...built] : [blog];
}

/** The limits of a snapshot in the bucket, from the output if it has the snapshot too. */
export async function limitsIn(
  bucket: Bucket,
  out: string,
  snapshot: ObjectHash,
): Promise<Limits | undefined> {
  const known = publishedLimits(out, snapshot);
  if (known) return known;
  const { file } = await bucket.get(objectPath('directory', snapshot));
  return file && parseLimits(file.bytes.toString());
}
