import { readPointer } from '../../build/output/pointer-file.ts';
import type { Pointer } from '../../contract/pointer.ts';
import type { ReadConfig } from '../settings.ts';

/** The installation to examine: files may be missing, and settings may be wrong. */
export interface Installation {
  /** The database; it may be missing. */
  readonly db: string;
  readonly out: string;
  /** Where several processes count; absent: in the output. */
  readonly counts?: string | undefined;
  /** The configuration file; it may be missing. */
  readonly config: string;
  /** The defaults, if the file cannot be used. */
  readonly settings: ReadConfig;
  /** Why the configuration file cannot be used; null: it can. */
  readonly configFault: unknown;
  /** Whether to check buckets over the network. */
  readonly remote?: boolean | undefined;
}

/** The current snapshot; undefined if missing or unreadable. */
export function servedSnapshot(out: string): Pointer | undefined {
  try {
    return readPointer(out);
  } catch {
    return undefined;
  }
}
