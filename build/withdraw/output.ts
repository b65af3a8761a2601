import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { objectPath } from '../../contract/object-name.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { build, type BuildOptions } from '../build.ts';
import { ExplainedError } from '../../common/errors.ts';
import { BuildRunning } from '../errors.ts';
import { readPointer, writePointer } from '../output/pointer-file.ts';
import { prune } from '../history/prune.ts';
import { readObject } from '../history/reachable.ts';
import { changingPointer, rollBack } from '../history/rollback.ts';
import { clearStaging } from '../snapshot/staging.ts';
import { type ArticleTraits, type FindObject, publishedWith } from './article.ts';
import { StillServed, WithdrawalStopped } from './errors.ts';

/** The result of a withdrawal from an output or a bucket. */
export interface WithdrawnFrom {
  readonly snapshot: string;
  readonly posts: number;
  /** Snapshots that contained the article: a rollback to them is no longer possible. */
  readonly dropped: readonly string[];
  /** Removed objects, and their bytes. */
  readonly removed: number;
  readonly bytes: number;
}

/** How long to wait for a running build, and how often to check. */
const MAX_WAIT_MS = 120_000;
const INTERVAL_MS = 250;

/**
 * Removes an article from an output, after the database has withdrawn it. After each step the output can be served. If
 * it is interrupted, run it again:
 *
 *   serve    if the current snapshot contains the article, another one becomes current
 *   drop     snapshots with the article are dropped from the history
 *   wait     until gateways have switched
 *   remove   all unreferenced objects are removed, without a grace period
 *
 * @param traits of the article, from the database
 * @param switched resolves when all gateways have looked at the pointer
 * @returns undefined: nothing is published
 * @throws ExplainedError, including WithdrawalStopped and StillServed
 */
export async function withdrawFromOutput(
  options: BuildOptions,
  slug: string,
  traits: readonly ArticleTraits[],
  switched: () => Promise<unknown>,
): Promise<WithdrawnFrom | undefined> {
  const { out } = options;
  const find = findIn(out);
  const before = readPointer(out);
  if (!before) return undefined;
  const holding = await publishedWith(before, slug, find, traits);
  if (holding.has(before.snapshot)) {
    const earlier = before.held ? earlierSnapshotWithout(before, holding) : undefined;
    if (earlier !== undefined) await retryWhileBuilding(() => rollBack(out, earlier, options.now));
    else await rebuild(options, slug);
  }

  const after = readPointer(out);
  if (!after) return undefined;
  const stillHolding = await publishedWith(after, slug, find, traits);
  if (stillHolding.has(after.snapshot)) throw new StillServed(slug, out);
  await retryWhileBuilding(() =>
    changingPointer(out, (pointer, memory) => {
      clearStaging(out); // A killed build may have left the article there.
      const without = pointerWithout(pointer, stillHolding);
      if (without !== pointer) writePointer(out, without);
      memory.forgetIfKnown(slug); // Of a rollback, or of a build that was killed before it committed.
    }),
  );
  if (holding.size > 0) await switched();
  const { removed, bytes } = await retryWhileBuilding(() => prune(out, new Date(), 0));
  const { snapshot, posts } = after;
  return { snapshot, posts, dropped: [...stillHolding], removed, bytes };
}

/** @throws WithdrawalStopped */
async function rebuild(options: BuildOptions, slug: string): Promise<void> {
  try {
    await retryWhileBuilding(() => build({ ...options, withdrawing: true }));
  } catch (error) {
    if (!(error instanceof ExplainedError)) throw error;
    throw new WithdrawalStopped(slug, options.out, error.message);
  }
}

/**
 * The newest snapshot without the article that is older than the held one. The owner rolled back from the newer ones.
 */
export function earlierSnapshotWithout(pointer: Pointer, holding: ReadonlySet<string>): string | undefined {
  const [earlier] = pointer.previous
    .filter(({ snapshot, built_at }) => built_at < pointer.built_at && !holding.has(snapshot))
    .sort((a, b) => b.built_at.localeCompare(a.built_at));
  return earlier?.snapshot;
}

/** A pointer without some earlier snapshots. */
export function pointerWithout(pointer: Pointer, snapshots: ReadonlySet<string>): Pointer {
  const previous = pointer.previous.filter(({ snapshot }) => !snapshots.has(snapshot));
  return previous.length === pointer.previous.length ? pointer : { ...pointer, previous };
}

/** Objects of an output. */
export function findIn(out: string): FindObject {
  return async (kind, hash) =>
    existsSync(join(out, objectPath(kind, hash))) ? readObject(out, kind, hash) : undefined;
}

/** Retries work while a build is running. @throws BuildRunning if that takes too long */
async function retryWhileBuilding<T>(work: () => T | Promise<T>): Promise<T> {
  for (let waited = 0; ; waited += INTERVAL_MS) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BuildRunning) || waited >= MAX_WAIT_MS) throw error;
      await delay(INTERVAL_MS);
    }
  }
}
