import type { DatabaseFlags, ServiceFlags } from '../options.ts';

/** Options of `start`, as commander returns them. */
export interface StartOptions extends DatabaseFlags, ServiceFlags {
  readonly cron?: string;
  readonly publishTo?: string;
  readonly endpoint?: string;
  /** A format and a path. */
  readonly import?: readonly string[];
}
