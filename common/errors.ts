import { denial } from './permissions.ts';

/**
 * Failures with a message for the operator: what failed, on what, why, and what to do next. The command line prints
 * only the message. Any other error is a bug, printed with its stack trace.
 */
export abstract class ExplainedError extends Error {
  override name = this.constructor.name;
  /** Output of another program, in several lines, shown below the message. */
  readonly output?: string;
}

export class NothingPublished extends ExplainedError {
  constructor(out: string) {
    super(`Nothing is published in ${out}. Run "build" first, or name another folder with --out.`);
  }
}

export class OutputUnwritable extends ExplainedError {
  readonly path: string;
  /** The error code of the operating system: `ENOSPC`. */
  readonly code: string;

  /** @param refused the path that the operating system refused, if it is another */
  constructor(path: string, code: string, refused: string = path) {
    const reason =
      (/^(?:EACCES|EPERM)$/.test(code) ? denial(refused, 'write') : null) ?? REASONS[code] ?? code;
    super(`Cannot write ${path}: ${reason}. The published snapshot is untouched.`);
    this.path = path;
    this.code = code;
  }

  /** The code of a file system error that the operator can fix; undefined for others. */
  static codeOf(error: unknown): string | undefined {
    return error instanceof Error &&
      'code' in error &&
      typeof error.code === 'string' &&
      error.code in REASONS
      ? error.code
      : undefined;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space, then try again',
  EDQUOT: 'the disk quota is used up; free some space, then try again',
  EROFS: 'the file system is read-only; name another folder with --out',
  EACCES: 'permission denied; give this user write access to the folder, or name another with --out',
  EPERM: 'permission denied; give this user write access to the folder, or name another with --out',
  EIO: 'the disk reports an error; check the disk, then try again',
  ENOENT: 'its folder cannot be created; name another with --out',
  ENOTDIR: 'a part of the path is a file, not a folder; name another with --out',
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
    const path = deniedPath(error);
    return path === null || error instanceof ExplainedError ? error : new PermissionDenied(path);
  }
}

/** The path that the file system refused for want of a permission; null for any other error. */
function deniedPath(error: unknown): string | null {
  const isDenied = /^(?:EACCES|EPERM)$/.test(codeOf(error) ?? '');
  return isDenied && error instanceof Error && 'path' in error && typeof error.path === 'string'
    ? error.path
    : null;
}

/** Refuses to go on without files that are there, but closed to this user. @throws PermissionDenied */
export function refuseUnreadable(path: string): void {
  if (denial(path, 'read') !== null) throw new PermissionDenied(path);
}

/** The code of a Node or SQLite error: `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
