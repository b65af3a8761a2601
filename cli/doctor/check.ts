import { readPointer } from '../../build/output/pointer-file.ts';
import { ExplainedError, PermissionDenied } from '../../common/errors.ts';
import { type Pointer, PointerUnreadable } from '../../contract/pointer.ts';
import { describeFailure } from '../failure.ts';
import type { CommandFlags, Configured, DatabaseFlags } from '../options.ts';
import { printable } from '../printable.ts';

/** The installation to examine: files may be missing, and settings may be wrong. */
export interface Installation extends DatabaseFlags, CommandFlags, Configured {
  /** Where several processes count; absent: in the output. */
  readonly counts?: string;
  /** The configuration file; it may be missing. */
  readonly config: string;
  /** Why the configuration file cannot be used, and `settings` are the defaults; null: it can. */
  readonly configFault: unknown;
  /** Whether to check buckets over the network. */
  readonly remote?: boolean;
}

/** The current snapshot; undefined if missing or unreadable. */
export function servedSnapshot(out: string): Pointer | undefined {
  try {
    return readPointer(out);
  } catch {
    return undefined;
  }
}

/** `error`: something does not work, or other users can read it. `warning`: it works, but needs attention. */
export type Severity = 'ok' | 'warning' | 'error';

export interface Finding {
  readonly level: Severity;
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
  if (!(thrown instanceof ExplainedError || thrown instanceof PointerUnreadable)) {
    const [firstLine = ''] = describeFailure(thrown).split('\n');
    return error(firstLine, 'This is a bug in Offprint, unless the disk has a fault. Please report it.');
  }
  const message = printable(thrown.message);
  const [, first = message, rest = ''] = /^(.*?[.)])\s+(?=["A-Z])(.*)$/s.exec(message) ?? [];
  return error(first, rest === '' ? 'See docs/operators/troubleshooting.md, "Messages".' : rest);
}
