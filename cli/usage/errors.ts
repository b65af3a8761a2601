import { ExplainedError } from '../../common/errors.ts';

export class UsageUnreadable extends ExplainedError {
  constructor(path: string, detail: string) {
    super(
      `${path} cannot be read (${detail}). Look who may read it; if it is damaged, delete it: nothing needs it.`,
    );
  }
}

export class ReportUnwritable extends ExplainedError {
  constructor(path: string, detail: string) {
    super(`The report cannot be written (${detail}). Name another file than ${path} with --html.`);
  }
}

/** Cloudflare did not tell. */
export class UsageUnavailable extends ExplainedError {}
