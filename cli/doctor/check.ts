/** A check of `doctor`, and what it finds. */
import { ExplainedError, PermissionDenied } from '../../common/errors.ts';
import { describeFailure } from '../failure.ts';
import { printable } from '../printable.ts';
import type { Installation } from './installation.ts';

export interface Check {
  /** As docs/operators/doctor.md says it. */
  readonly examines: string;
  /** Finds what is wrong, and changes nothing. A thrown error becomes a finding. */
  find(installation: Installation): Iterable<Finding> | AsyncIterable<Finding>;
  /** The finding if there is no other; without it, there is none then. */
  readonly fine?: string | ((installation: Installation) => string);
}

/** `error`: something does not work, or other users can read it. `warning`: it works, but needs attention. */
export type Level = 'ok' | 'warning' | 'error';

export interface Finding {
  readonly level: Level;
  /** One sentence. */
  readonly finding: string;
  /** What to do; null: nothing. */
  readonly next: string | null;
}

export function ok(finding: string): Finding {
  return { level: 'ok', finding, next: null };
}

export function warning(finding: string, next: string): Finding {
  return { level: 'warning', finding, next };
}

export function error(finding: string, next: string): Finding {
  return { level: 'error', finding, next };
}

/** A failure as a finding. The last sentence of an expected error's message says what to do. */
export function failed(cause: unknown): Finding {
  const thrown = PermissionDenied.of(cause);
  if (thrown instanceof ExplainedError) return explained(thrown.message);
  const [firstLine = ''] = describeFailure(thrown).split('\n');
  return error(firstLine, 'This is a bug in Offprint, unless the disk has a fault. Please report it.');
}

/** What `work` throws, as a finding. */
export function findingsOf(work: () => unknown): Finding[] {
  try {
    work();
    return [];
  } catch (thrown) {
    return [failed(thrown)];
  }
}

/** The same for a recorded message. */
export function explained(message: string): Finding {
  const [, first = message, rest = ''] = /^(.*?[.)])\s+(?=["A-Z])(.*)$/s.exec(printable(message)) ?? [];
  return error(first, rest === '' ? 'See docs/operators/troubleshooting.md, "Messages".' : rest);
}
