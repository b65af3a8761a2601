import { isRecord, isText, recordOf } from '../../contract/json.ts';
import { parsePointer, type Pointer, POINTER_PATH, PointerUnreadable } from '../../contract/pointer.ts';
import type { Bucket, Condition } from './bucket.ts';
import { BucketEmpty, BucketPointerUnreadable, ChangedMeanwhile } from './errors.ts';

/** What the pointer of a bucket says about pruning, in addition to what every pointer says. */
export interface PruneMark {
  /** Prunes that were begun: with each the pointer changes, so that anyone who read it before must read it again. */
  readonly number: number;
  /** The one that is under way; null: none is. */
  readonly running: RunningPrune | null;
}

export interface RunningPrune {
  /** When it began, by the service's clock (RFC 3339). */
  readonly since: string;
  /** Random, so that of two that begin in the same second neither takes the other's mark for its own. */
  readonly by: string;
}

const isRunningPrune = recordOf<RunningPrune>({ since: isText, by: isText });

export interface BucketPointer {
  readonly pointer: Pointer;
  readonly prune: PruneMark;
}

/** The pointer of a bucket as it was at one moment. */
export interface ReadPointer {
  /** Undefined: nothing is published. */
  readonly published: BucketPointer | undefined;
  /** What must still hold for it to be replaced. */
  readonly condition: Condition;
  /** By the service's clock. */
  readonly date: Date;
}

/** The mark of a bucket that was never pruned. */
export const NEVER_PRUNED: PruneMark = { number: 0, running: null };

/** A gateway must not take it from a cache. */
const CACHE_CONTROL = 'no-cache';

/**
 * Reads the pointer.
 *
 * @param orNone whether one that cannot be read counts as none, to be rewritten
 * @throws PublishError
 */
export async function readBucketPointer(bucket: Bucket, orNone = false): Promise<ReadPointer> {
  const { file, date } = await bucket.get(POINTER_PATH);
  if (!file) return { published: undefined, condition: null, date };
  const condition = file.etag;
  try {
    const text = file.bytes.toString();
    return { published: { pointer: parsePointer(text), prune: pruneMarkIn(text) }, condition, date };
  } catch (error) {
    if (!(error instanceof PointerUnreadable)) throw error;
    if (orNone) return { published: undefined, condition, date };
    throw new BucketPointerUnreadable(bucket.name, error.detail);
  }
}

/**
 * Replaces the pointer, if it still is as it was read.
 *
 * @returns whether it was; false: another command was faster, and nothing has changed
 * @throws PublishError
 */
export async function replaceBucketPointer(
  bucket: Bucket,
  { condition }: Pick<ReadPointer, 'condition'>,
  next: BucketPointer,
): Promise<boolean> {
  const bytes = Buffer.from(textOf(next));
  if ((await bucket.put(POINTER_PATH, bytes, CACHE_CONTROL, condition)) !== undefined) return true;
  // A request that was sent again, since its answer was lost, meets what the first one wrote.
  const { file } = await bucket.get(POINTER_PATH);
  return file?.bytes.equals(bytes) ?? false;
}

/** Often enough, since a prune changes the pointer but twice. */
const ATTEMPTS = 5;

/**
 * Changes the pointer by a rule. A prune that begins or ends at the same moment does not matter; whoever
 * changes what is served goes first.
 *
 * @throws BucketEmpty, ChangedMeanwhile, PublishError, and what `change` throws
 */
export async function changeBucketPointer(
  bucket: Bucket,
  change: (published: BucketPointer) => BucketPointer | Promise<BucketPointer>,
): Promise<void> {
  let first: BucketPointer | undefined;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const read = await readBucketPointer(bucket);
    if (!read.published) throw new BucketEmpty(bucket.name);
    if (!servesTheSame((first ??= read.published), read.published)) break;
    if (await replaceBucketPointer(bucket, read, await change(read.published))) return;
  }
  throw new ChangedMeanwhile(bucket.name);
}

/** Whether two pointers differ in nothing but their marks of pruning. */
export function servesTheSame(a: BucketPointer | undefined, b: BucketPointer | undefined): boolean {
  return a !== undefined && b !== undefined && JSON.stringify(a.pointer) === JSON.stringify(b.pointer);
}

/** As a local build writes it; a bucket that was never pruned does not speak of it. */
function textOf({ pointer, prune }: BucketPointer): string {
  return `${JSON.stringify(prune.number === 0 ? pointer : { ...pointer, prune }, null, 2)}\n`;
}

function pruneMarkIn(text: string): PruneMark {
  const pointer: unknown = JSON.parse(text);
  const prune = isRecord(pointer) ? pointer['prune'] : undefined;
  if (!isRecord(prune) || typeof prune['number'] !== 'number') return NEVER_PRUNED;
  const { number, running } = prune;
  return { number, running: isRunningPrune(running) ? running : null };
}
