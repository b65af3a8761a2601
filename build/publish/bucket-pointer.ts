import { BucketEmpty } from '../../common/bucket/errors.ts';
import { encodeBucketPointer, splitBucketPointer } from '../../contract/bucket-pointer.ts';
import { isRecord, isText, recordOf } from '../../contract/json.ts';
import { parsePointer, type Pointer, POINTER_PATH, PointerUnreadable } from '../../contract/pointer.ts';
import type { Bucket, Condition } from './bucket.ts';
import { BucketPointerUnreadable, ChangedMeanwhile } from './errors.ts';

/** Prunes of a bucket, as recorded in its pointer. */
export interface PruneMark {
  /** Prunes so far. Each one changes the pointer, so publishers that read it before must read it again. */
  readonly number: number;
  /** The prune in progress; null: none. */
  readonly running: RunningPrune | null;
}

export interface RunningPrune {
  /** Start time, by the service's clock (RFC 3339). */
  readonly since: string;
  /** Random, to distinguish two prunes that start in the same second. */
  readonly by: string;
}

const isRunningPrune = recordOf<RunningPrune>({ since: isText, by: isText });

export interface BucketPointer {
  readonly pointer: Pointer;
  readonly prune: PruneMark;
  /** The pack next to it; null: none. */
  readonly pack: Uint8Array | null;
}

/** The pointer of a bucket, at one moment. */
export interface ReadPointer {
  /** Undefined: nothing is published. */
  readonly published: BucketPointer | undefined;
  /** The condition for replacing it. */
  readonly condition: Condition;
  /** By the service's clock. */
  readonly date: Date;
}

/** The mark of a bucket that was never pruned. */
export const NEVER_PRUNED: PruneMark = { number: 0, running: null };

/** Gateways must not read it from a cache. */
const CACHE_CONTROL = 'no-cache';

/**
 * Reads the pointer.
 *
 * @param ignoreInvalid treat an invalid pointer as missing, to rewrite it
 * @throws BucketError
 */
export async function readBucketPointer(bucket: Bucket, ignoreInvalid = false): Promise<ReadPointer> {
  const { file, date } = await bucket.get(POINTER_PATH);
  if (!file) return { published: undefined, condition: null, date };
  const condition = file.etag;
  try {
    const { text, pack } = splitBucketPointer(file.bytes);
    return { published: { pointer: parsePointer(text), prune: pruneMarkIn(text), pack }, condition, date };
  } catch (error) {
    if (!(error instanceof PointerUnreadable)) throw error;
    if (ignoreInvalid) return { published: undefined, condition, date };
    throw new BucketPointerUnreadable(bucket.name, error.detail);
  }
}

/**
 * Replaces the pointer, if it has not changed since it was read.
 *
 * @returns false: another command was faster, and nothing was changed
 * @throws BucketError
 */
export async function replaceBucketPointer(
  bucket: Bucket,
  { condition }: Pick<ReadPointer, 'condition'>,
  next: BucketPointer,
): Promise<boolean> {
  const bytes = encodeBucketPointer(textOf(next), next.pack);
  if ((await bucket.put(POINTER_PATH, bytes, CACHE_CONTROL, condition)) !== undefined) return true;
  // If an answer was lost and the request was retried, the retry finds what the first request wrote.
  const { file } = await bucket.get(POINTER_PATH);
  return file?.bytes.equals(bytes) ?? false;
}

/** A pointer with its prune mark. */
type Marked = Pick<BucketPointer, 'pointer' | 'prune'>;

/** Enough, because a prune changes the pointer only twice. */
const ATTEMPTS = 5;

/**
 * Changes the pointer by a function, and keeps the pack of its snapshot. After a change of the snapshot there is none until
 * the next publish: a cold gateway needs one more round of reads.
 *
 * If a prune starts or ends meanwhile, it retries; if another command changed what is served, it fails.
 *
 * @throws BucketEmpty, ChangedMeanwhile, BucketError, and the errors of `change`
 */
export async function changeBucketPointer(
  bucket: Bucket,
  change: (published: BucketPointer) => Marked | Promise<Marked>,
): Promise<void> {
  let first: BucketPointer | undefined;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const read = await readBucketPointer(bucket);
    if (!read.published) throw new BucketEmpty(bucket.name);
    if (!servesTheSame((first ??= read.published), read.published)) break;
    const { pack, pointer } = read.published;
    const next = await change(read.published);
    const isSame = next.pointer.snapshot === pointer.snapshot;
    if (await replaceBucketPointer(bucket, read, { ...next, pack: isSame ? pack : null })) return;
  }
  throw new ChangedMeanwhile(bucket.name);
}

/** Whether two pointers differ at most in their prune marks. */
export function servesTheSame(a: BucketPointer | undefined, b: BucketPointer | undefined): boolean {
  return a !== undefined && b !== undefined && JSON.stringify(a.pointer) === JSON.stringify(b.pointer);
}

/** In the format of a local build, with the prune mark if the bucket was ever pruned. */
function textOf({ pointer, prune }: Marked): string {
  return `${JSON.stringify(prune.number === 0 ? pointer : { ...pointer, prune }, null, 2)}\n`;
}

function pruneMarkIn(text: string): PruneMark {
  const pointer: unknown = JSON.parse(text);
  const prune = isRecord(pointer) ? pointer['prune'] : undefined;
  if (!isRecord(prune) || typeof prune['number'] !== 'number') return NEVER_PRUNED;
  const { number, running } = prune;
  return { number, running: isRunningPrune(running) ? running : null };
}
