import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { readLastBuild } from '../../build/output/last-build.ts';
import { readPointer } from '../../build/output/pointer-file.ts';
import { UNKNOWN_ADDRESS } from '../../build/snapshot/source.ts';
import { type BlogDatabase, checkOurs, readingDatabase, refuseLocked } from '../../data/database.ts';
import { DatabaseMissing } from '../../data/errors.ts';
import { hasSample } from '../../data/sample-origin.ts';
import { schemaVersion } from '../../data/migrations.ts';
import { refuseUnreadable } from '../../common/errors.ts';
import { denial } from '../../common/permissions.ts';
import { commandLine } from '../command-line.ts';
import { counted } from '../terminal.ts';
import { readerAddress } from './configuration.ts';
import { error, type Finding, type Installation, ok, warning } from './check.ts';

/** Whether the database exists, is intact and has this version's schema. */
export async function* findDatabase(installation: Installation): AsyncIterable<Finding> {
  const { db, out } = installation;
  if (!existsSync(db)) {
    refuseUnreadable(db); // It may be in a folder that this user may not enter.
    const isServedOnly = readPointer(out) !== undefined && readLastBuild(out) === null;
    if (!isServedOnly) throw new DatabaseMissing(db);
    yield ok(`no database at ${db}: this machine serves a snapshot built elsewhere`);
  } else {
    yield await examined(installation);
    if (existsSync(`${db}-wal`) && denial(db, 'write') === null) refuseLocked(db); // Readers are not locked out.
  }
}

function examined({ db: path, settings, configFault }: Installation): Promise<Finding> {
  return examining(path, (db) => {
    const [damage] = db.prepare<[], string>('PRAGMA quick_check(1)').pluck().all();
    if (damage !== 'ok')
      return error(
        `${path} is damaged: ${damage}.`,
        `Restore a backup: ${commandLine('restore FILE --force')}`,
      );
    const url = db.prepare<[], string>('SELECT url FROM site').pluck().get() ?? UNKNOWN_ADDRESS;
    const isGiven = configFault !== null || settings.site.url !== undefined;
    const [judged] = isGiven || hasSample(db) ? [] : siteAddress(url);
    if (judged) return judged;
    const posts = db.prepare<[], number>('SELECT count(*) FROM posts').pluck().get() ?? 0;
    return ok(`${path}: ${counted(posts, 'post')}, intact, schema ${schemaVersion(db)}`);
  });
}

function siteAddress(url: string): Iterable<Finding> {
  if (url !== UNKNOWN_ADDRESS) return readerAddress("the site's URL", url);
  return [
    warning(
      `The site's URL is not set, so article URLs are placeholders (${UNKNOWN_ADDRESS}/…).`,
      'Set "site": { "url": "https://…" } in offprint.json.',
    ),
  ];
}

/**
 * Opens one of Offprint's databases for `work`, without changes on disk: no migration, and no new WAL file left behind.
 * (SQLite creates a WAL for a reader, and removes it only when the last connection with write access closes.)
 *
 * @throws DatabaseError, and errors of `work`
 */
export async function examining<T>(path: string, work: (db: BlogDatabase) => T | Promise<T>): Promise<T> {
  const readonly = existsSync(`${path}-wal`) || denial(path, 'write') !== null;
  const db = readingDatabase(path, () => new Database(path, { readonly, fileMustExist: true }));
  try {
    return await readingDatabase(path, () => {
      db.pragma('query_only = ON');
      checkOurs(db, path);
      return work(db);
    });
  } finally {
    db.close();
  }
}
