import { denial } from './permissions.ts';
import { codeOf, errorPath, isDenied } from './thrown.ts';

/**
 * Failures with a message for the operator: what failed, on what, why, and what to do next. The command line prints
 * only the message. Any other error is a bug, printed with its stack trace.
 */
export class ExplainedError extends Error {
  override name = this.constructor.name;
  /** Output of another program, in several lines, shown below the message. */
  readonly output?: string;
}

export class NothingPublished extends ExplainedError {
  constructor(out: string) {
    super(`Nothing is published in ${out}. Run "build" first, or choose another folder with --out.`);
  }
}

export class OutputUnwritable extends ExplainedError {
  readonly path: string;
  /** The error code of the operating system: `ENOSPC`. */
  readonly code: string;

  /** @param refused the path that the operating system refused, if it is another */
  constructor(path: string, code: string, refused: string = path) {
    const reason =
      (/^(?:EACCES|EPERM)$/.test(code) ? denial(refused, 'write', path) : null) ?? REASONS[code] ?? code;
    super(`Cannot write ${path}: ${reason}. The published snapshot is untouched.`);
    this.path = path;
    this.code = code;
  }

  /** The code of an error of the file system that the operator can fix, also if SQLite names it; undefined for others. */
  static codeOf(error: unknown): string | undefined {
    const code = codeOf(error) ?? '';
    const known = OF_SQLITE.find(([codes]) => codes.test(code))?.[1] ?? code;
    return known in REASONS ? known : undefined;
  }
}

/** SHMSIZE: the shared-memory file of the write-ahead log could not grow (sqlite.org/rescode.html#ioerr_shmsize). */
const OF_SQLITE: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_(?:FULL|IOERR_SHMSIZE)/, 'ENOSPC'],
  [/^SQLITE_(?:READONLY|CANTOPEN|PERM)/, 'EACCES'],
  [/^SQLITE_IOERR/, 'EIO'],
];

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space, then try again',
  EDQUOT: 'the disk quota is used up; free some space, then try again',
  EXDEV:
    'a folder in it is a separate file system; mount the whole folder as one, or choose another with --out',
  EROFS: 'the file system is read-only; choose another folder with --out',
  EACCES: 'permission denied; give this user write access to the folder, or choose another with --out',
  EBUSY: 'a program has it open, or it is a mount point; close that program, or mount its parent folder',
  EPERM:
    'permission denied, or a program has it open; close that program, give this user write access to the folder, or choose another with --out',
  EIO: 'the disk reports an error; check the disk, then try again',
  ENOENT: 'its folder cannot be created; choose another with --out',
  ENOTDIR: 'a part of the path is a file, not a folder; choose another with --out',
};

/** This user may not use a file. */
export class PermissionDenied extends ExplainedError {
  constructor(path: string) {
    const reason =
      denial(path, 'read') ?? denial(path, 'write') ?? `permission denied; give this user access to it`;
    super(`Cannot use ${path}: ${reason}.`);
  }

  /** An error of the file system as this one; any other error as it is. */
  static of(error: unknown): unknown {
    const path = isDenied(error) ? errorPath(error) : undefined;
    return path === undefined || error instanceof ExplainedError ? error : new PermissionDenied(path);
  }
}

/** Refuses to go on without files that are there, but closed to this user. @throws PermissionDenied */
export function refuseUnreadable(path: string): void {
  if (denial(path, 'read') !== null) throw new PermissionDenied(path);
}
