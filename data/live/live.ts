import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureStateFolder } from '../../common/output-files.ts';
import { readingFrom } from '../database.ts';
import { openWithoutBlocking, removeUnlessOpen } from './copy.ts';
import { fileState, type FileState } from './file-state.ts';
import { mirrorPath } from './mirror-path.ts';
import { mirroring, readLeftOut, readState, writeLeftOut, writeState } from './mirror.ts';
import { syncMirror } from './sync.ts';
import { rulesFingerprint } from './rules.ts';
import { readAddress } from './sync-site.ts';
import type { SkippedRow } from '../skipped-row.ts';
import { Views } from './views.ts';

/**
 * A live database as source: another program's, read through a file of views. Its posts are synchronised to a mirror, a
 * database with Offprint's own schema in the output's state. From there the build works as usual: triggers record
 * changes. The steps:
 *
 *     fileState            was anything written since the last time?         file-state.ts
 *     openWithoutBlocking  it, or a copy, so that its owner can write        copy.ts
 *     Views                the database, read only, and its views            views.ts, statements.ts,
 *                                                                            functions.ts
 *     parsePost            checks each row, and reads its date               rows.ts
 *     syncMirror           writes differences, by a hash of each post        sync.ts
 *     mirroring            the mirror, rebuilt if it might not match         mirror.ts
 */
export interface LiveDatabase {
  /** Path of the database; it is only read. */
  readonly db: string;
  /** Path of the file of views. */
  readonly source: string;
  /** The output folder. */
  readonly out: string;
  /** The public site's address, if it is in the settings. */
  readonly siteUrl: string | null;
  /** Slugs of articles to hide. */
  readonly withdrawn: readonly string[];
}

/** For the copy of the database, while it is made. */
function copyPath(out: string, name: string): string {
  return join(out, 'state', `${name}.db`);
}

/**
 * Removes copies left by killed processes. A copy that `siteAddress` is making may go too. Then its caller fails, and
 * continues without: this build makes the same check.
 */
function removeCopies(out: string): void {
  const state = join(out, 'state');
  for (const file of readdirSync(state)) {
    if (/^source(?:-\d+)?\.db$/.test(file)) removeUnlessOpen(join(state, file));
  }
}

/**
 * Synchronises the mirror with the database, in one transaction on either side. The caller holds the build's lock, so
 * only one runs at a time.
 *
 * @param full write all posts of the mirror again
 * @param check throws to refuse the database, by the site's address in its views (null: none); called before the mirror
 * is changed
 * @returns rows that cannot be exported
 * @throws DatabaseError, and what `check` throws
 */
export function refreshMirror(
  live: LiveDatabase,
  full: boolean,
  check: (address: string | null) => void,
): readonly SkippedRow[] {
  const before = stateOf(live);
  const known = full ? null : knownLeftOut(live, before);
  if (known !== null) return known;
  removeCopies(live.out);
  const views = openViews(live, copyPath(live.out, 'source'));
  try {
    views.begin();
    check(readAddress(views));
    return mirroring(mirrorPath(live.out), full, (mirror) =>
      mirror
        .transaction(() => {
          const leftOut = syncMirror(views, mirror, new Set(live.withdrawn));
          writeLeftOut(mirror, leftOut);
          // The state from before reading: later writes change it, and are found next time.
          writeState(mirror, before.isSettled ? before.signature : null);
          return leftOut;
        })
        .immediate(),
    );
  } finally {
    views.close();
  }
}

/** Whether the mirror is up to date with the database. Cheap. */
export function isMirrorCurrent(live: LiveDatabase): boolean {
  return existsSync(live.source) && knownLeftOut(live) !== null;
}

/** The rows missing from the mirror, if it is of this state; null if it is not, or cannot be read. */
function knownLeftOut(live: LiveDatabase, state?: FileState): readonly SkippedRow[] | null {
  const path = mirrorPath(live.out);
  if (!existsSync(path)) return null;
  try {
    const { signature } = state ?? stateOf(live);
    return readingFrom(path, (mirror) => (readState(mirror) === signature ? readLeftOut(mirror) : null));
  } catch {
    return null; // A build will report the error.
  }
}

/**
 * The site's address from the views, without the mirror; null if they have none. Does not need the build's lock.
 *
 * @throws DatabaseError, OutputUnwritable
 */
export function siteAddress(live: LiveDatabase): string | null {
  ensureStateFolder(live.out);
  const views = openViews(live, copyPath(live.out, `source-${process.pid}`));
  try {
    return readAddress(views);
  } finally {
    views.close();
  }
}

/** @param copy path for a temporary copy of the database */
function openViews({ db, source, siteUrl }: LiveDatabase, copy: string): Views {
  return new Views(db, source, siteUrl, (path) => openWithoutBlocking(path, copy));
}

/** The state of everything that the mirror depends on. */
function stateOf({ db, source, siteUrl, withdrawn }: LiveDatabase): FileState {
  const { signature, isSettled } = fileState(db);
  const views = existsSync(source) ? readFileSync(source, 'utf8') : null;
  const all = JSON.stringify([rulesFingerprint(), resolve(db), views, siteUrl, withdrawn, signature]);
  return { signature: createHash('sha256').update(all).digest('base64url'), isSettled };
}
