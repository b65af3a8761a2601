import { ExplainedError } from '../../common/errors.ts';

/** What can keep usage from being told. */
export abstract class UsageError extends ExplainedError {}

export class UsageUnreadable extends UsageError {
  constructor(path: string, detail: string) {
    super(
      `${path} cannot be read (${detail}). Look who may read it; if it is damaged, delete it: nothing needs it.`,
    );
  }
}

export class ReportUnwritable extends UsageError {
  constructor(path: string, detail: string) {
    super(`The report cannot be written (${detail}). Name another file than ${path} with --html.`);
  }
}

/** Cloudflare did not tell. */
export class UsageUnavailable extends UsageError {}
