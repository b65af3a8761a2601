import type { AdminAddress } from '../admin/address.ts';
import type { DatabaseFlags, LogForm } from '../options.ts';

/** Options of `start`, as commander returns them. */
export interface StartOptions extends DatabaseFlags {
  readonly out: string;
  readonly host: string;
  readonly port: number;
  readonly cron?: string;
  readonly config?: string;
  readonly publishTo?: string;
  readonly endpoint?: string;
  readonly log: LogForm;
  readonly admin?: AdminAddress;
  /** A format and a path. */
  readonly import?: readonly string[];
}
