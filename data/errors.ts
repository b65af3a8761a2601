import { ExplainedError } from '../common/errors.ts';
import { denial } from '../common/permissions.ts';

/**
 * An error about the blog's database. Each message says what failed, on which file, and what to do; the command line
 * prints it unchanged.
 */
export class DatabaseError extends ExplainedError {}

export class DatabaseMissing extends DatabaseError {
  constructor(path: string) {
    super(`There is no database at ${path}. Create one with "import ~/blog", or pass another with --db.`);
  }
}

export class DatabaseForeign extends DatabaseError {
  constructor(path: string) {
    super(
      `${path} is a SQLite database, but not Offprint's. ` +
        `Pass another with --db, or create one with "import". ` +
        `To publish from this database, import it: docs/owners/import-sql.md.`,
    );
  }
}

export class DatabaseCorrupt extends DatabaseError {
  constructor(path: string, detail: string) {
    super(`${path} cannot be read as a database (${detail}). Restore it from a backup.`);
  }
}

export class DatabaseUnreadable extends DatabaseError {
  constructor(path: string, detail: string) {
    const denied = denial(path, 'write');
    super(
      denied === null
        ? `${path} cannot be read as a database (${detail}). Check that it is a file, and its permissions.`
        : `Cannot use the database ${path}: ${denied}.`,
    );
  }
}

/** Nothing is wrong with the database. */
export class DatabaseFull extends DatabaseError {
  constructor(path: string) {
    super(`${path} cannot be used, since its disk is full. Free some space, then try again.`);
  }
}

export class DatabaseLocked extends DatabaseError {
  constructor(path: string, seconds: number) {
    super(
      `${path} stayed locked by another program for ${seconds} seconds. ` +
        `Wait until that program ends its transaction, then try again.`,
    );
  }
}

/** Whether a database is the right one, as far as is known, and cannot be used. */
export function isUnusableNow(error: unknown): boolean {
  const kinds = [DatabaseFull, DatabaseLocked, DatabaseCorrupt, DatabaseUnreadable];
  return kinds.some((kind) => error instanceof kind);
}

/** There is no such account or key. */
export class NotKnown extends DatabaseError {}

/** The state of an account or a key does not allow the change. */
export class ChangeRefused extends DatabaseError {}
