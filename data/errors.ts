/**
 * What can be wrong with the blog's database. Each message says what failed, on which file, and what
 * to do; the command line prints it as it is.
 */
export abstract class DatabaseError extends Error {
  override name = this.constructor.name;
}

export class DatabaseMissing extends DatabaseError {
  constructor(path: string) {
    super(`There is no database at ${path}. Make one with "import", or name another with --db.`);
  }
}

export class DatabaseForeign extends DatabaseError {
  constructor(path: string) {
    super(
      `${path} is a SQLite database, but not one of this version of Offprint. ` +
        `Name another with --db; a new file is made from data/schema.sql. ` +
        `To publish from this one, see docs/live-database.md.`,
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
    super(`${path} cannot be read as a database (${detail}). See that it is a file, and who may use it.`);
  }
}

export class DatabaseLocked extends DatabaseError {
  constructor(path: string, seconds: number) {
    super(
      `${path} stayed locked by another program for ${seconds} seconds. ` +
        `Let that program finish its transaction, then try again.`,
    );
  }
}

export class AccountHasOtherRole extends DatabaseError {
  constructor(account: string) {
    super(
      `The account "${account}" exists and is no administrator's. Name another account with --account, ` +
        `or leave --admin out.`,
    );
  }
}

export class UnknownKey extends DatabaseError {
  constructor(prefix: string) {
    super(`There is no key ${prefix} to be changed. "keys list" shows the prefixes of all keys.`);
  }
}

/** The address of a database server, where a file is meant. */
export class DatabaseServer extends DatabaseError {
  /** @param scheme such as `mysql`; the rest of the address may hold a password, and is not shown */
  constructor(scheme: string) {
    super(
      `--db names a file of SQLite, and ${scheme}: is a database server, which cannot be read. ` +
        'Name a file with --db; a blog on such a server comes in by its export: see "import --help".',
    );
  }
}
