import { ExplainedError } from '../common/errors.ts';
import { denial } from '../common/permissions.ts';
import { BASE_VERSION, LAST_MIGRATING_COMMIT } from './migrations.ts';

/**
 * An error about the blog's database. Each message says what failed, on which file, and what to do; the command line
 * prints it unchanged.
 */
export class DatabaseError extends ExplainedError {}

export class DatabaseMissing extends DatabaseError {
  constructor(path: string) {
    super(`There is no database at ${path}. Create one with "import ~/blog", or name another with --db.`);
  }
}

export class DatabaseForeign extends DatabaseError {
  constructor(path: string) {
    super(
      `${path} is a SQLite database, but not Offprint's. ` +
        `Name another with --db, or create one with "import". ` +
        `To publish from this database, import it: docs/owners/import-sql.md.`,
    );
  }
}

export class DatabaseNewer extends DatabaseError {
  constructor(path: string, version: number, known: number) {
    super(
      `${path} was made by a newer Offprint (schema ${version}; this version knows up to ${known}). ` +
        `Upgrade Offprint, or name another database with --db.`,
    );
  }
}

/** Earlier versions of the schema are not migrated any more. */
export class DatabaseOlder extends DatabaseError {
  constructor(path: string, version: number) {
    super(
      `${path} has schema ${version}, and this version reads schema ${BASE_VERSION} and later. ` +
        `Open or restore it once with Offprint of commit ${LAST_MIGRATING_COMMIT}, which migrates it.`,
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

/** Protects against a wrong database of keys, which would replace all keys that callers have. */
export class KeysOfOther extends DatabaseError {
  constructor(out: string, records: number) {
    super(
      `${out} has ${records === 1 ? '1 key' : `${records} keys`}, but this database has none of them. ` +
        `Name the database that has them with --db; if they are not needed, delete the folder ${out}/keys.`,
    );
  }
}
