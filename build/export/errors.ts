import { ExplainedError } from '../../common/errors.ts';

/** The folder has files that no export wrote. */
export class ForeignFiles extends ExplainedError {
  constructor(folder: string) {
    super(
      `${folder} has files that are not from an export, so nothing was written. Choose an empty or new folder.`,
    );
  }
}

/** The folder has the files of another blog. */
export class ExportOfOther extends ExplainedError {
  constructor(folder: string, there: string, blog: string) {
    super(
      `${folder} has the files of another blog (${there}, not ${blog}), so nothing was written. ` +
        'Choose another folder, or empty this one.',
    );
  }
}

export class ExportRunning extends ExplainedError {
  constructor(folder: string) {
    super(`Another export is writing to ${folder}. Wait until it has finished, then try again.`);
  }
}

/** A folder is where the export has a file. */
export class PathTaken extends ExplainedError {
  constructor(path: string) {
    super(
      `${path} is a folder, but an export needs a file with this name. Move the folder, then export again.`,
    );
  }
}

/** The list of exported files cannot be read. */
export class ExportListUnreadable extends ExplainedError {
  constructor(path: string) {
    super(
      `${path} cannot be read, so nothing was written: it lists the files that an export may replace. ` +
        'Restore it, or empty the folder, then export again.',
    );
  }
}
