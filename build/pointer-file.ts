import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePointer, type Pointer, POINTER_PATH, PointerUnreadable } from '../contract/pointer.ts';
import { replaceFile } from './object-writer.ts';

/** Earlier snapshots that stay available for rollback (design, "The snapshot"). */
const KEPT = 5;

/** The pointer of an output folder; undefined where nothing was published yet, or it cannot be read. */
export function readPointer(out: string): Pointer | undefined {
  try {
    return parsePointer(readFileSync(join(out, POINTER_PATH), 'utf8'));
  } catch (error) {
    if (error instanceof PointerUnreadable) return undefined;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Makes a snapshot the current one: the last step of a publish, all or nothing.
 *
 * @throws OutputUnwritable
 */
export function switchPointer(out: string, next: Pointer): void {
  replaceFile(join(out, POINTER_PATH), `${JSON.stringify(next, null, 2)}\n`);
}

/** The pointer's history once `current` is no more the current snapshot. */
export function historyAfter(current: Pointer | undefined, snapshot: string): Pointer['previous'] {
  if (!current) return [];
  const { snapshot: id, built_at, posts } = current;
  return [{ snapshot: id, built_at, posts }, ...current.previous]
    .filter((publication) => publication.snapshot !== snapshot)
    .slice(0, KEPT);
}
