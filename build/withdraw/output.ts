import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { objectPath } from '../../contract/object-name.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { withoutVersions } from '../change-log.ts';
import { build, type BuildOptions } from '../build.ts';
import { ExplainedError } from '../../common/errors.ts';
import { BuildRunning } from '../errors.ts';
import { readPointer, writePointer } from '../pointer-file.ts';
import { prune } from '../snapshots/prune.ts';
import { readObject } from '../snapshots/reachable.ts';
import { changingPointer, rollBack } from '../snapshots/rollback.ts';
import { clearStaging } from '../staging.ts';
import { type ArticleTraits, type FindObject, publishedWith } from './article.ts';
import { StillServed, WithdrawalStopped } from './errors.ts';

/** What became of an output, or of a bucket. */
export interface WithdrawnFrom {
  readonly snapshot: string;
  readonly posts: number;
  /** Snapshots that held the article, and can no longer be rolled back to. */
  readonly dropped: readonly string[];
  /** Objects that were removed, and their bytes. */
  readonly removed: number;
  readonly bytes: number;
}

/** A build that is under way is waited for so long, and asked for so often. */
const PATIENCE_MS = 120_000;
const INTERVAL_MS = 250;

/**
 * Takes an article out of an output. The database has withdrawn it already. Each step leaves an output that can be
 * served, so after an interruption the same again finishes it:
 *
 *   serve    another snapshot becomes the current one, if the current one holds the article
 *   drop     those that hold it leave the history
 *   remove   every object that no kept snapshot names goes, however young
 *
 * @param traits what is known of the article from the database
 * @returns undefined where nothing is published
 * @throws ExplainedError, WithdrawalStopped and StillServed among them
 */
export async function withdrawFromOutput(
  options: BuildOptions,
  slug: string,
  traits: readonly ArticleTraits[],
): Promise<WithdrawnFrom | undefined> {
  const { out } = options;
  const find = findIn(out);
  const before = readPointer(out);
  if (!before) return undefined;
  const holding = await publishedWith(before, slug, find, traits);
  if (holding.has(before.snapshot)) {
    const earlier = before.held ? earlierWithout(before, holding) : undefined;
    if (earlier !== undefined) await patiently(() => rollBack(out, earlier, options.now));
    else await rebuild(options, slug);
  }

  const after = readPointer(out);
  if (!after) return undefined;
  const stillHolding = await publishedWith(after, slug, find, traits);
  if (stillHolding.has(after.snapshot)) throw new StillServed(slug, out);
  await patiently(() =>
    changingPointer(out, (pointer) => {
      clearStaging(out); // A build that was killed may have left the article there.
      const without = pointerWithout(pointer, stillHolding);
      if (without !== pointer) writePointer(out, without);
    }),
  );
  const { removed, bytes } = await patiently(() => prune(out, new Date(), 0));
  const { snapshot, posts } = after;
  return { snapshot, posts, dropped: [...stillHolding], removed, bytes };
}

/** @throws WithdrawalStopped */
async function rebuild(options: BuildOptions, slug: string): Promise<void> {
  try {
    await patiently(() => build({ ...options, withdrawing: true }));
  } catch (error) {
    if (!(error instanceof ExplainedError)) throw error;
    throw new WithdrawalStopped(slug, options.out, error.message);
  }
}

/**
 * The newest snapshot before a held one that does not hold the article: what came after it is what the owner rolled
 * back from.
 */
export function earlierWithout(pointer: Pointer, holding: ReadonlySet<string>): string | undefined {
  const [earlier] = pointer.previous
    .filter(({ snapshot, built_at }) => built_at < pointer.built_at && !holding.has(snapshot))
    .sort((a, b) => b.built_at.localeCompare(a.built_at));
  return earlier?.snapshot;
}

/** A pointer without some earlier snapshots, and without all earlier versions of articles. */
export function pointerWithout(pointer: Pointer, snapshots: ReadonlySet<string>): Pointer {
  const previous = pointer.previous.filter(({ snapshot }) => !snapshots.has(snapshot));
  const { changes } = pointer;
  const hasVersions = changes?.parts.some(({ versions }) => versions > 0) ?? false;
  if (previous.length === pointer.previous.length && !hasVersions) return pointer;
  return { ...pointer, previous, ...(changes ? { changes: withoutVersions(changes) } : {}) };
}

/** Objects of an output. */
export function findIn(out: string): FindObject {
  return async (kind, hash) =>
    existsSync(join(out, objectPath(kind, hash))) ? readObject(out, kind, hash) : undefined;
}

/** Waits for a build of the schedule to end. @throws BuildRunning where that takes too long */
async function patiently<T>(work: () => T | Promise<T>): Promise<T> {
  for (let waited = 0; ; waited += INTERVAL_MS) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BuildRunning) || waited >= PATIENCE_MS) throw error;
      await delay(INTERVAL_MS);
    }
  }
}
