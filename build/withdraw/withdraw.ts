import type { Pointer } from '../../contract/pointer.ts';
import { ExplainedError } from '../../common/errors.ts';
import { build, type BuildOptions } from '../build.ts';
import { SnapshotHeld, WithdrawalsLost, WithdrawalStopped } from '../errors.ts';
import { FolderStorage, retryWhileBuilding } from '../history/folder-storage.ts';
import { prune } from '../history/prune.ts';
import type { SnapshotStorage } from '../history/storage.ts';
import { readLastBuild } from '../output/last-build.ts';
import { publish, type PublishOptions } from '../publish/publish.ts';
import { BuildMemory } from '../snapshot/memory.ts';
import { clearStaging } from '../snapshot/staging.ts';

/** The result of a withdrawal from an output or a bucket. */
export interface WithdrawnFrom {
  readonly snapshot: string;
  readonly posts: number;
  /** Earlier snapshots: a rollback to them is no longer possible. */
  readonly dropped: readonly string[];
  /** Removed files, and their bytes. */
  readonly removed: number;
  readonly bytes: number;
}

/** How long to wait for a running build. */
const MAX_WAIT_MS = 120_000;

/**
 * Removes an article from an output, after the database has withdrawn it.
 *
 * @param switched resolves when all gateways have read the pointer
 * @returns undefined: nothing is published
 * @throws SnapshotHeld, ExplainedError, including WithdrawalStopped
 */
export function withdrawFromOutput(
  options: BuildOptions,
  slug: string,
  switched: () => Promise<unknown>,
): Promise<WithdrawnFrom | undefined> {
  const { out } = options;
  const publishWithout = async () => {
    try {
      await retryWhileBuilding(() => build({ ...options, withdrawing: true }), MAX_WAIT_MS);
    } catch (error) {
      if (!(error instanceof ExplainedError)) throw error;
      // A new database lacks several withdrawals, and each is repeated there. Those articles are not served.
      const isRepeated = readLastBuild(out)?.withdrawn.includes(slug) === true;
      if (error instanceof WithdrawalsLost && isRepeated) return;
      throw new WithdrawalStopped(slug, out, error.message);
    }
    await retryWhileBuilding(() => forgetArticle(out, slug), MAX_WAIT_MS);
  };
  return withdrawFrom(new FolderStorage(out, { waitMs: MAX_WAIT_MS }), publishWithout, switched);
}

/**
 * Removes an article from a bucket. Call withdrawFromOutput first: the bucket gets the output's snapshot.
 *
 * @returns undefined: nothing is published in the bucket
 * @throws SnapshotHeld, BucketError, BuildError
 */
export function withdrawFromBucket(
  options: PublishOptions,
  switched: () => Promise<unknown>,
): Promise<WithdrawnFrom | undefined> {
  return withdrawFrom(options.storage, () => publish({ ...options, withdrawing: true }), switched);
}

/**
 * Removes an article from a storage. After each step the storage can be served. If it is interrupted, run it again:
 *
 *   publish  a snapshot without the article becomes current
 *   drop     all earlier snapshots are dropped from the history
 *   wait     until gateways have switched
 *   remove   all files that the current snapshot does not need are removed, without a grace period
 */
async function withdrawFrom(
  storage: SnapshotStorage,
  publishWithout: () => Promise<unknown>,
  switched: () => Promise<unknown>,
): Promise<WithdrawnFrom | undefined> {
  const before = await storage.readPointer();
  if (!before) return undefined;
  if (before.held) throw new SnapshotHeld(before.snapshot, storage.flags);
  await publishWithout();
  let dropped: Pointer['previous'] = [];
  await storage.changePointer((pointer) => {
    dropped = pointer.previous;
    return dropped.length === 0 ? pointer : { ...pointer, previous: [] };
  });
  if (dropped.length > 0) await switched();
  const { removed, bytes } = await prune(storage, 0);
  const { snapshot, posts } = await storage.requirePointer();
  return { snapshot, posts, dropped: dropped.map((earlier) => earlier.snapshot), removed, bytes };
}

/** Removes what a killed build may have left of an article. */
function forgetArticle(out: string, slug: string): void {
  const memory = BuildMemory.open(out);
  try {
    clearStaging(out);
    memory.forgetIfKnown(slug);
  } finally {
    memory.close();
  }
}
