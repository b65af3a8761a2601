import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readingFrom } from '../database.ts';
import { openWithoutHolding } from './copy.ts';
import { fileState, type FileState } from './file-state.ts';
import { mirroring, readLeftOut, readState, writeLeftOut, writeState } from './mirror.ts';
import { syncMirror } from './sync.ts';
import { readAddress } from './sync-site.ts';
import type { SkippedRow } from '../skipped-row.ts';
import { Views } from './views.ts';

/**
 * A live database as source: another program's, seen through a file of views. Its posts are brought
 * into a mirror, a database of Offprint's own schema in the output's state, and from there everything goes
 * its usual way: triggers tell the build what changed. The way of a build:
 *
 *     fileState     has anything been written since the last time?           file-state.ts
 *     openWithoutHolding   it, or a copy: its owner goes on writing        copy.ts
 *     Views         the database, read only, and its views                   views.ts, statements.ts,
 *                                                                            functions.ts
 *     parsePost     each row by itself: what it must hold, and its date      rows.ts
 *     syncMirror    what differs, found by a hash of each post               sync.ts
 *     mirroring     the mirror, rebuilt if it might not match                mirror.ts
 */
export interface LiveDatabase {
  /** Path of the database; it is only read. */
  readonly db: string;
  /** Path of the file of views. */
  readonly source: string;
  /** The output folder. */
  readonly out: string;
  /** The public site's address, where the settings say it. */
  readonly siteUrl: string | null;
  /** Slugs of articles that are not to be shown. */
  readonly withdrawn: readonly string[];
}

export function mirrorPath(out: string): string {
  return join(out, 'state', 'mirror.db');
}

/** While the database is copied. */
function copyPath(out: string): string {
  return join(out, 'state', 'source.db');
}

/**
 * Brings the mirror up to the database, in one transaction on either side. Only one at a time: whoever
 * calls holds the lock of the build.
 *
 * @param full rebuild the mirror
 * @returns what cannot be exported
 * @throws DatabaseError
 */
export function refreshMirror(live: LiveDatabase, full: boolean): readonly SkippedRow[] {
  const before = stateOf(live);
  return mirroring(mirrorPath(live.out), full, (mirror) => {
    if (readState(mirror) === before.signature) return readLeftOut(mirror);
    const views = new Views(live.db, live.source, live.siteUrl, (path) =>
      openWithoutHolding(path, copyPath(live.out)),
    );
    try {
      views.begin();
      return mirror
        .transaction(() => {
          const leftOut = syncMirror(views, mirror, new Set(live.withdrawn));
          writeLeftOut(mirror, leftOut);
          // The state of before: whatever was written since makes another, and is looked for once more.
          writeState(mirror, before.isSettled ? before.signature : null);
          return leftOut;
        })
        .immediate();
    } finally {
      views.close();
    }
  });
}

/** Whether nothing was written to the database since the mirror was brought up to it. Cheap. */
export function isMirrorCurrent(live: LiveDatabase): boolean {
  const path = mirrorPath(live.out);
  if (!existsSync(path) || !existsSync(live.source)) return false;
  try {
    return readingFrom(path, readState) === stateOf(live).signature;
  } catch {
    return false; // The build will see what is wrong with it.
  }
}

/**
 * The site's address by the views, without the mirror; null where they have none.
 *
 * @throws DatabaseError
 */
export function siteAddress({ db, source, siteUrl }: LiveDatabase): string | null {
  const views = new Views(db, source, siteUrl);
  try {
    return readAddress(views);
  } finally {
    views.close();
  }
}

/** The state of all that the mirror depends on. */
function stateOf({ db, source, siteUrl, withdrawn }: LiveDatabase): FileState {
  const { signature, isSettled } = fileState(db);
  const views = existsSync(source) ? readFileSync(source, 'utf8') : null;
  const all = JSON.stringify([rulesFingerprint(), resolve(db), views, siteUrl, withdrawn, signature]);
  return { signature: createHash('sha256').update(all).digest('base64url'), isSettled };
}

let rules: string | undefined;

/**
 * A hash of the rules by which rows are read: this program's files, so that no version has to be raised by hand, and
 * the list of packages with their versions.
 */
function rulesFingerprint(): string {
  if (rules !== undefined) return rules;
  const hash = createHash('sha256');
  for (const folder of ['./', '../content/']) {
    const path = fileURLToPath(new URL(folder, import.meta.url));
    for (const file of readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()) {
      if (file.endsWith('.ts')) hash.update(file).update(readFileSync(path + file));
    }
  }
  hash.update(readFileSync(new URL('../../package.json', import.meta.url)));
  rules = hash.digest('base64url');
  return rules;
}
