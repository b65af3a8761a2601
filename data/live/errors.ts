import { DatabaseError } from '../errors.ts';
import { tidyLine } from '../../common/content/text.ts';

/** Errors in a file of views, or in another program's database. */
const HELP = 'docs/owners/live-database.md explains how to write one.';

export class ViewsMissing extends DatabaseError {
  constructor(path: string) {
    super(`There is no file of views at ${path}. Name one with --source; ${HELP}`);
  }
}

export class ViewsAreDatabase extends DatabaseError {
  constructor(path: string) {
    super(
      `${path} is a database, not a file of views. Name the database with --db, and the views with --source.`,
    );
  }
}

export class ViewsForbidden extends DatabaseError {
  constructor(path: string, statement: string) {
    super(
      `${path} may contain only CREATE TEMP VIEW statements, because Offprint only reads the database. ` +
        `Remove this: "${tidyLine(statement).slice(0, 80)}".`,
    );
  }
}

/** SQL that SQLite rejects, or that fails when read. */
export class ViewFails extends DatabaseError {
  constructor(path: string, view: string, detail: string) {
    super(`${path}: ${view} cannot be read from this database: ${detail}. Correct the view; ${HELP}`);
  }
}

export class ViewLacking extends DatabaseError {
  constructor(path: string, view: string, lacking: string) {
    super(`${path}: ${view} ${lacking}. ${HELP}`);
  }
}

/** A database with a rollback journal that never stays unchanged long enough to be copied. */
export class DatabaseBusy extends DatabaseError {
  constructor(path: string, seconds: number) {
    super(
      `${path} was written to again and again for ${seconds} seconds, each time before it was read to its end. ` +
        `Try again when less is written. With "PRAGMA journal_mode = WAL", run once by its owner, it can be read ` +
        `at any time.`,
    );
  }
}
