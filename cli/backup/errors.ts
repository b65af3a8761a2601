import { ExplainedError } from '../../common/errors.ts';

/** A file cannot be copied, so no backup was written. */
export class BackupFailed extends ExplainedError {
  readonly reason: string;

  /** @param reason without a full stop */
  constructor(path: string, reason: string) {
    super(`No backup was made, since ${path} cannot be copied: ${reason}.`);
    this.reason = reason;
  }
}

/** The file named for a backup is something else, which is not replaced. */
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

/** Existing files would be replaced. */
export class RestoreRefused extends ExplainedError {
  constructor(paths: readonly string[]) {
    super(
      `${paths.join(', ')} ${paths.length === 1 ? 'exists' : 'exist'} already. Nothing was changed. ` +
        'To replace, add --force: the old files are kept, with .before-restore in their names.',
    );
  }
}

/** A backup has places, programs or addresses that the owner has not confirmed. */
export class RestoreUntrusted extends ExplainedError {
  override readonly output: string;

  /** @param list of these, in lines */
  constructor(file: string, list: string) {
    super(
      `${file} has places, programs or addresses that it may use only with your trust. Nothing was changed. ` +
        'If you know all of these, add --trust:',
    );
    this.output = list;
  }
}
