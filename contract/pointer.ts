import { type ChangeLog, isChangeLog } from './change-log.ts';
import { isFlag, isNumber, isRecord, isText, listOf, nullOr, recordOf } from './json.ts';
import { FORMAT } from './snapshot.ts';
import { isObjectHash, type ObjectHash } from './object-hash.ts';

/** The pointer's file name, from the root of the output. */
export const POINTER_PATH = 'snapshot.json';

/** A published snapshot, in the pointer's history. */
export interface Publication {
  /** The hash of the snapshot's directory. */
  readonly snapshot: ObjectHash;
  /** RFC 3339, UTC. */
  readonly built_at: string;
  readonly posts: number;
}

/**
 * The one mutable file. Only it records when and by which program a snapshot was built, so the same database always
 * gives the same objects.
 */
export interface Pointer extends Publication {
  /** FORMAT: other formats cannot be read. */
  readonly format: number;
  /** The blog's identity; null: unknown. */
  readonly blog: string | null;
  /** The program and version that built it. */
  readonly built_by: string;
  /** Set by a rollback: builds do not change the pointer until the owner releases it. */
  readonly held: boolean;
  /** Earlier snapshots, kept for rollback, newest first. */
  readonly previous: readonly Publication[];
  /** Which articles changed with which publish. Absent: unknown. */
  readonly changes?: ChangeLog;
}

/** The pointer is invalid. */
export class PointerUnreadable extends Error {
  override name = 'PointerUnreadable';
  /** What is wrong with it. */
  readonly detail: string;

  constructor(detail: string, remedy = 'Run "build" to write it again; for a bucket, "publish --full".') {
    super(`The pointer ${POINTER_PATH} cannot be read: ${detail}. ${remedy}`);
    this.detail = detail;
  }
}

/** A newer version wrote the pointer. An older one must not replace it. */
export class PointerNewer extends PointerUnreadable {
  override name = 'PointerNewer';

  constructor(format: number) {
    super(wrongFormat(format), 'Upgrade Offprint, or choose another output.');
  }
}

function wrongFormat(format: number): string {
  return `it has format ${format}, and this version reads format ${FORMAT}`;
}

/** Reads a pointer. @throws PointerUnreadable, PointerNewer */
export function parsePointer(text: string): Pointer {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new PointerUnreadable('it is not valid JSON');
  }
  const format = isRecord(value) ? value['format'] : undefined;
  if (!isNumber(format)) throw new PointerUnreadable('it has no format');
  if (format > FORMAT) throw new PointerNewer(format);
  if (format < FORMAT) throw new PointerUnreadable(wrongFormat(format));
  if (!isPointer(value)) throw new PointerUnreadable('a field is missing or has another type');
  const { blog, snapshot, built_at, posts, built_by, held, previous, changes } = value;
  const pointer = { format, blog, snapshot, built_at, posts, built_by, held, previous };
  // An invalid record of changes is dropped, and the next build starts a new one.
  return isChangeLog(changes) ? { ...pointer, changes } : pointer;
}

const PUBLICATION = { snapshot: isObjectHash, built_at: isText, posts: isNumber } as const;

const isPointer = recordOf<Omit<Pointer, 'changes'> & { readonly changes?: unknown }>({
  ...PUBLICATION,
  format: isNumber,
  blog: nullOr(isText),
  built_by: isText,
  held: isFlag,
  previous: listOf(recordOf<Publication>(PUBLICATION)),
  changes: (_): _ is unknown => true,
});
