import { ExplainedError } from '../../common/errors.ts';
import { LAST_MIGRATING_COMMIT } from '../../data/migrations.ts';

/** The file named for a backup cannot be made, or exists. */
export class BackupMisplaced extends ExplainedError {
  /** @param reason without a full stop */
  constructor(file: string, reason: string) {
    super(`No backup was made: ${file} ${reason}. Name another file.`);
  }
}

/** A file is not a backup, or is damaged. */
export class BackupUnusable extends ExplainedError {
  /** @param reason without a full stop */
  constructor(file: string, reason: string) {
    super(`${file} cannot be restored: ${reason}. Nothing was changed.`);
  }
}

/** Until schema 7, a backup was a zip archive with several files. */
export class BackupArchived extends BackupUnusable {
  constructor(file: string) {
    super(
      file,
      `it is an archive of an earlier version. Restore it with Offprint of commit ${LAST_MIGRATING_COMMIT}, or unpack it ` +
        'and restore the blog.db in it',
    );
  }
}

/** The database would be replaced. */
export class RestoreRefused extends ExplainedError {
  constructor(path: string) {
    super(
      `${path} exists already. Nothing was changed. Back it up if you may need it, then add --force to replace it.`,
    );
  }
}
