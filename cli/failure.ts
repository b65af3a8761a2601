import { ExplainedError, PermissionDenied } from '../common/errors.ts';
import { codeOf } from '../common/thrown.ts';
import { ObjectUnreadable } from '../gateway/snapshot/objects.ts';
import { PointerUnreadable } from '../contract/pointer.ts';
import { printable, printableLines } from './printable.ts';

/** Wrong usage of the command line. Commander prints most of these errors itself. */
export class WrongUsage extends ExplainedError {}

/** A command in a child process failed, with its error message. */
export class ChildCommandFailed extends Error {
  override name = 'ChildCommandFailed';
}

/** Ends a command, which has already printed its output, with an exit code. */
export class EndsWith extends Error {
  override name = 'EndsWith';
  readonly code: number;
  constructor(code: number) {
    super(`Exit code ${code}`);
    this.code = code;
  }
}

/** The gateway's core has separate error classes, since it does not print errors. */
const EXPLAINED = [ExplainedError, ObjectUnreadable, PointerUnreadable];

/** One line for an expected failure; the stack trace for an unexpected one. */
export function describeFailure(thrown: unknown): string {
  const cause = thrown instanceof ObjectUnreadable ? thrown.cause : thrown;
  if (/^E[MN]FILE$/.test(codeOf(cause) ?? ''))
    return 'Too many files are open. Allow more (ulimit -n; LimitNOFILE of systemd), or limit connections in a reverse proxy.';
  const denied = PermissionDenied.of(cause);
  const error = denied instanceof PermissionDenied ? denied : thrown;
  if (!(error instanceof Error)) return printable(String(error));
  if (error instanceof ChildCommandFailed) return printableLines(error.message); // It may contain a stack trace.
  if (EXPLAINED.some((kind) => error instanceof kind)) {
    const output = error instanceof ExplainedError ? error.output : undefined;
    return printable(error.message) + (output ? `\n${printableLines(output)}` : '');
  }
  return printableLines(error.stack ?? error.message);
}
