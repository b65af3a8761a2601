import { existsSync } from 'node:fs';
import { readPointer } from '../../build/output/pointer-file.ts';
import type { Pointer } from '../../contract/pointer.ts';
import type { ReadConfig } from '../settings.ts';

/** The installation to examine: files may be missing, and settings may be wrong. */
export interface Installation {
  /** The blog's database. */
  readonly db: string;
  /** The database of accounts and keys. */
  readonly keys: string;
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

/** The databases, each once. */
export function databasesOf({ db, keys }: Installation): readonly string[] {
  return [...new Set([db, keys])].filter((path) => existsSync(path));
}

/** The current snapshot; undefined if missing or unreadable. */
export function servedSnapshot(out: string): Pointer | undefined {
  try {
    return readPointer(out);
  } catch {
    return undefined;
  }
}
