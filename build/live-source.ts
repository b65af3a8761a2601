/** Where a build reads from, where the database is not Offprint's own: its mirror (data/live/live.ts). */
import { existsSync } from 'node:fs';
import {
  isMirrorCurrent,
  type LiveDatabase,
  mirrorPath,
  refreshMirror,
  siteAddress,
} from '../data/live/live.ts';
import { readingFrom } from '../data/database.ts';
import { listWithdrawals } from '../data/withdrawals.ts';
import type { SkippedRow } from '../data/skipped-row.ts';
import type { SiteOverrides } from './site.ts';

export interface SourceOptions {
  /** The database. */
  readonly db: string;
  /** A file of views, for a database that is not of Offprint's own schema. */
  readonly source?: string | undefined;
  readonly out: string;
  readonly site: SiteOverrides;
  /** The database that notes which articles are withdrawn; it may not be there. */
  readonly keys?: string;
}

/** A database that a build can read, and what of the original did not come into it. */
export interface ReadableDatabase {
  readonly db: string;
  readonly leftOut: readonly SkippedRow[];
}

/**
 * Brings the mirror up to the database, where there is one. The caller holds the lock of the build.
 *
 * @param full take nothing of an earlier mirror on trust
 * @param check refuses a live database, by throwing, by the site's address; null where it has none. Called before the
 *   mirror becomes that of another database
 * @throws DatabaseError, and what `check` throws
 */
export function readableDatabase(
  options: SourceOptions,
  full: boolean,
  check: (address: string | null) => void,
): ReadableDatabase {
  const live = liveDatabase(options);
  if (live === undefined) return { db: options.db, leftOut: [] };
  return { db: mirrorPath(options.out), leftOut: refreshMirror(live, full, check) };
}

/** The path of the database that builds read; it may not be there, or not be up to date. */
export function readPath({ db, source, out }: Pick<SourceOptions, 'db' | 'source' | 'out'>): string {
  return source === undefined ? db : mirrorPath(out);
}

/** Whether the database holds nothing that its mirror does not. Cheap. */
export function isReadableCurrent(options: SourceOptions): boolean {
  const live = liveDatabase(options);
  return live === undefined || isMirrorCurrent(live);
}

/**
 * The site's address as a live database has it; null where it has none, undefined where the database is Offprint's
 * own. It does not need the lock of the build.
 *
 * @throws DatabaseError, OutputUnwritable
 */
export function readLiveAddress(options: SourceOptions): string | null | undefined {
  const live = liveDatabase(options);
  return live && siteAddress(live);
}

function liveDatabase({ db, source, out, site, keys }: SourceOptions): LiveDatabase | undefined {
  if (source === undefined) return undefined;
  const siteUrl = site.url?.replace(/\/+$/, '') ?? null;
  return { db, source, out, siteUrl, withdrawn: withdrawnSlugs(keys) };
}

/** Read under the build's lock, so that no build publishes what was withdrawn before it. */
function withdrawnSlugs(keys: string | undefined): string[] {
  if (keys === undefined || !existsSync(keys)) return [];
  return readingFrom(keys, (db) => listWithdrawals(db).map(({ slug }) => slug));
}
