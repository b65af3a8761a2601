import { ExplainedError } from '../../common/errors.ts';

export class UsageUnreadable extends ExplainedError {
  constructor(path: string, detail: string) {
    super(
      `The usage counts in ${path} cannot be read (${detail}). Check its permissions. If it is damaged, delete it: only this report uses it.`,
    );
  }
}

export class ReportUnwritable extends ExplainedError {
  constructor(path: string, detail: string) {
    super(`The report cannot be written to ${path} (${detail}). Choose another file with --html.`);
  }
}
