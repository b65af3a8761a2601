import { existsSync } from 'node:fs';
import type { ReadConfig } from '../settings.ts';
import type { Finding } from './finding.ts';

/** The installation to examine: files may be missing, and settings may be wrong. */
export interface Installation {
  /** The blog's database; with `source`, another program's. */
  readonly db: string;
  /** The file of views over a live database. */
  readonly source: string | undefined;
  /** The database of accounts and keys. */
  readonly keys: string;
  readonly out: string;
  /** The configuration file; it may be missing. */
  readonly config: string;
  /** The defaults, if the file cannot be used. */
  readonly settings: ReadConfig;
  /** Why the configuration file cannot be used; null: it can. */
  readonly configFault: unknown;
  readonly host: string;
  readonly port: number;
  /** The bucket that `start` publishes to: `s3://BUCKET/PREFIX`. */
  readonly publishTo: string | undefined;
  readonly endpoint: string | undefined;
  /** Whether to check buckets over the network. */
  readonly remote: boolean;
  readonly now: Date;
}

/** Examines one thing, and changes nothing. A thrown error becomes a finding. */
export type Check = (installation: Installation) => readonly Finding[] | Promise<readonly Finding[]>;

/** The databases of Offprint's own schema, each once. */
export function ownDatabases({ db, source, keys }: Installation): readonly string[] {
  return [...new Set(source === undefined ? [db, keys] : [keys])].filter((path) => existsSync(path));
}
