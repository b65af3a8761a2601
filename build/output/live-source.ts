/** The source of a build: Offprint's own database, or the mirror of a live database (data/live/live.ts). */
import type { LiveDatabase } from '../../data/live/live.ts';
import { mirrorPath } from '../../data/live/mirror-path.ts';
import { readWithdrawnSlugs } from '../../data/withdrawals.ts';
import type { SkippedRow } from '../../data/skipped-row.ts';
import type { SiteOverrides } from '../snapshot/site.ts';

export interface SourceOptions {
  /** The database. */
  readonly db: string;
  /** A file with SQL views, for a live database, which has another schema. */
  readonly source?: string | undefined;
  readonly out: string;
  readonly site: SiteOverrides;
  /** The database that records withdrawn articles; it may not exist. */
  readonly keys?: string;
}

/** A database that a build can read, and the rows of the live database that it lacks. */
export interface ReadableDatabase {
  readonly db: string;
  readonly leftOut: readonly SkippedRow[];
}

/**
 * Updates the mirror, if the database is a live one. The caller holds the build lock.
 *
 * @param full read everything again
 * @param check throws to refuse a live database, by its site's address (null: it has none). It is called before the
 *   mirror is overwritten with another database
 * @throws DatabaseError, and the errors of `check`
 */
export async function readableDatabase(
  options: SourceOptions,
  full: boolean,
  check: (address: string | null) => void,
): Promise<ReadableDatabase> {
  const live = liveDatabase(options);
  if (live === undefined) return { db: options.db, leftOut: [] };
  const { refreshMirror } = await liveModule();
  return { db: mirrorPath(options.out), leftOut: refreshMirror(live, full, check) };
}

/** The path of the database that builds read; it may be missing or out of date. */
export function readPath({ db, source, out }: Pick<SourceOptions, 'db' | 'source' | 'out'>): string {
  return source === undefined ? db : mirrorPath(out);
}

/** Whether the mirror of a live database is up to date. Cheap. */
export async function isReadableCurrent(options: SourceOptions): Promise<boolean> {
  const live = liveDatabase(options);
  return live === undefined || (await liveModule()).isMirrorCurrent(live);
}

/**
 * The site's address in a live database; null: it has none; undefined: the database is Offprint's own. Does not need
 * the build lock.
 *
 * @throws DatabaseError, OutputUnwritable
 */
export async function readLiveAddress(options: SourceOptions): Promise<string | null | undefined> {
  const live = liveDatabase(options);
  return live && (await liveModule()).siteAddress(live);
}

/** Loaded on demand: its functions for views bring the Markdown renderer and the sanitiser. */
const liveModule = () => import('../../data/live/live.ts');

function liveDatabase({ db, source, out, site, keys }: SourceOptions): LiveDatabase | undefined {
  if (source === undefined) return undefined;
  const siteUrl = site.url?.replace(/\/+$/, '') ?? null;
  // Under the build lock, so that no build publishes an article that was withdrawn before it.
  return { db, source, out, siteUrl, withdrawn: readWithdrawnSlugs(keys) };
}
