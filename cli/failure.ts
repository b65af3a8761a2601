import { ExplainedError, PermissionDenied } from '../common/errors.ts';
import { ObjectUnreadable } from '../gateway/snapshot/objects.ts';
import { PointerUnreadable } from '../contract/pointer.ts';
import { printable, printableLines } from './printable.ts';

/** Wrong usage of the command line. Commander prints most of these errors itself. */
export class WrongUsage extends ExplainedError {}

/** A command in a child process failed, with its error message. */
export class ChildCommandFailed extends Error {
  override name = 'ChildCommandFailed';
}

/** Ends a command, which has printed everything, with an exit code of its own. */
export class EndsWith extends Error {
  override name = 'EndsWith';
  readonly code: number;
  constructor(code: number) {
    super(`Exit code ${code}`);
    this.code = code;
  }
}

/** `start` has no blog to serve, since every import failed. */
export class NothingImported extends ExplainedError {
  constructor() {
    super('Nothing was imported, so there is nothing to serve. The reasons are above.');
  }
}

/** `start --import` could not import the new blog. */
export class ImportNotAdded extends ExplainedError {
  constructor() {
    super(
      'The configuration is unchanged, since the import that --import names failed. The reason is above.',
    );
  }
}

/** `snapshots verify` found damage. */
export class SnapshotFaulty extends ExplainedError {
  /** @param bucket the damaged bucket; without it, the output */
  constructor(snapshot: string, faults: number, bucket?: string) {
    const remedy =
      bucket === undefined ? 'Repair it with "build --full"' : 'Upload what is missing with "publish --full"';
    super(
      `Snapshot ${snapshot} has ${faults === 1 ? 'a fault' : `${faults} faults`}. ` +
        `${remedy}, or go back with "snapshots rollback".`,
    );
  }
}

/** `withdraw` could not reach every bucket and folder, and has named those that failed. */
export class WithdrawalIncomplete extends ExplainedError {
  constructor(slug: string, places: number) {
    super(
      `"${slug}" is still in ${places === 1 ? 'one place' : `${places} places`}. Run the commands above; ` +
        'they are safe to repeat.',
    );
  }
}

/** The gateway's core has separate error classes, since it does not print errors. */
const EXPLAINED = [ExplainedError, ObjectUnreadable, PointerUnreadable];

/** One line for an expected failure; the stack trace for an unexpected one. */
export function describeFailure(thrown: unknown): string {
  const denied = PermissionDenied.of(thrown instanceof ObjectUnreadable ? thrown.cause : thrown);
  const error = denied instanceof PermissionDenied ? denied : thrown;
  if (!(error instanceof Error)) return printable(String(error));
  if (error instanceof ChildCommandFailed) return printableLines(error.message); // It may contain a stack trace.
  if (EXPLAINED.some((kind) => error instanceof kind)) {
    const output = error instanceof ExplainedError ? error.output : undefined;
    return printable(error.message) + (output ? `\n${printableLines(output)}` : '');
  }
  return printableLines(error.stack ?? error.message);
}

/** Reports a repeated failure once, until the next success: not at every scheduled run. */
export function reportOnce(report: (message: string) => void) {
  let last = '';
  return {
    failed(error: unknown): void {
      const message = describeFailure(error);
      if (message !== last) report(message);
      last = message;
    },
    succeeded: () => void (last = ''),
  };
}
