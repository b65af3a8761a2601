import { join } from 'node:path';
import type { ObjectHash } from '../../contract/object-name.ts';
import {
  parsePointer,
  type Pointer,
  POINTER_PATH,
  PointerNewer,
  PointerUnreadable,
  type Publication,
} from '../../contract/pointer.ts';
import { FORMAT } from '../../contract/snapshot.ts';
import { NothingPublished } from '../../common/errors.ts';
import { readTextFile, replaceFile } from '../../common/output-files.ts';
import { codeOf } from '../../common/thrown.ts';

/** Earlier snapshots that are kept for rollback. */
const HISTORY_LENGTH = 5;

/**
 * The pointer of an output folder; undefined: nothing is published yet, or it is invalid or of an earlier format, and a
 * build makes a new one.
 *
 * @throws PointerNewer: a build must not replace the pointer of a newer version
 */
export function readPointer(out: string): Pointer | undefined {
  try {
    return requirePointer(out);
  } catch (error) {
    const isReplaceable = error instanceof PointerUnreadable && !(error instanceof PointerNewer);
    if (isReplaceable || error instanceof NothingPublished) return undefined;
    throw error;
  }
}

/** The pointer of an output folder. @throws NothingPublished, PointerUnreadable */
export function requirePointer(out: string): Pointer {
  try {
    return parsePointer(readTextFile(join(out, POINTER_PATH)));
  } catch (error) {
    // ENOTDIR: the output is a file. The first write to it reports this.
    throw /^(?:ENOENT|ENOTDIR)$/.test(codeOf(error) ?? '') ? new NothingPublished(out) : error;
  }
}

/**
 * Makes a snapshot the current one, atomically: the last step of a publish. If it is already current, only a different
 * blog id or record of changes is written.
 *
 * @throws OutputUnwritable
 */
export function publishPointer(
  { out, now, builtBy }: { readonly out: string; readonly now: Date; readonly builtBy: string },
  current: Pointer | undefined,
  { snapshot, posts, blog, changes }: Pick<Required<Pointer>, 'snapshot' | 'posts' | 'blog' | 'changes'>,
): void {
  if (snapshot === current?.snapshot) {
    if (blog !== current.blog || changes.epoch !== current.changes?.epoch)
      writePointer(out, { ...current, blog, changes });
    return;
  }
  writePointer(out, {
    format: FORMAT,
    blog,
    snapshot,
    built_at: now.toISOString(),
    posts,
    built_by: builtBy,
    held: current?.held ?? false,
    previous: historyWithout(snapshot, current),
    changes,
  });
}

/** @throws OutputUnwritable */
export function writePointer(out: string, pointer: Pointer): void {
  replaceFile(join(out, POINTER_PATH), `${JSON.stringify(pointer, null, 2)}\n`);
}

/** The history after a snapshot becomes current: all kept snapshots except that one, newest first. */
export function historyWithout(snapshot: ObjectHash, current: Pointer | undefined): Publication[] {
  if (!current) return [];
  return publications(current)
    .filter((publication) => publication.snapshot !== snapshot)
    .slice(0, HISTORY_LENGTH);
}

/** All snapshots that a pointer names; the current one is first. */
export function publications({ snapshot, built_at, posts, previous }: Pointer): Publication[] {
  return [{ snapshot, built_at, posts }, ...previous];
}
