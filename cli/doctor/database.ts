import { existsSync } from 'node:fs';
import { readLastBuild } from '../../build/output/last-build.ts';
import { readPointer } from '../../build/output/pointer-file.ts';
import { UNKNOWN_ADDRESS } from '../../build/snapshot/source.ts';
import { DatabaseMissing } from '../../data/errors.ts';
import { hasSample } from '../../data/sample-origin.ts';
import { schemaVersion } from '../../data/migrations.ts';
import { refuseUnreadable } from '../../common/errors.ts';
import { commandLine } from '../command-line.ts';
import { counted } from '../terminal.ts';
import { readerAddress } from './configuration.ts';
import { error, failed, type Finding, ok, warning } from './check.ts';
import { type Installation, databasesOf } from './installation.ts';
import { examining } from './read-database.ts';

/** Whether the databases exist, are intact and have this version's schema. */
export function* findDatabases(installation: Installation): Iterable<Finding> {
  const { db, out } = installation;
  if (!existsSync(db)) {
    refuseUnreadable(db); // It may be in a folder that this user may not enter.
    const isServedOnly = readPointer(out) !== undefined && readLastBuild(out).success === null;
    if (!isServedOnly) throw new DatabaseMissing(db);
    yield ok(`no database at ${db}: this machine serves what another has built`);
    return;
  }
  for (const path of databasesOf(installation)) yield orFailed(() => examined(path, installation));
}

/** One of several databases: the others are examined too. */
function orFailed(examine: () => Finding): Finding {
  try {
    return examine();
  } catch (thrown) {
    return failed(thrown);
  }
}

function examined(path: string, { settings, configFault }: Installation): Finding {
  return examining(path, (db) => {
    const [damage] = db.prepare<[], string>('PRAGMA quick_check(1)').pluck().all();
    if (damage !== 'ok')
      return error(
        `${path} is damaged: ${damage}.`,
        `Restore a backup: ${commandLine('restore FILE --force')}`,
      );
    const dangling = db.prepare<[], DanglingRow>('PRAGMA foreign_key_check').all();
    if (dangling.length > 0) return danglingRows(path, dangling);
    const url = db.prepare<[], string>('SELECT url FROM site').pluck().get() ?? UNKNOWN_ADDRESS;
    if (configFault === null && settings.site.url === undefined && !hasSample(db)) {
      const [judged] =
        url === UNKNOWN_ADDRESS ? [unknownAddress()] : readerAddress("the site's address", url);
      if (judged) return judged;
    }
    const posts = db.prepare<[], number>('SELECT count(*) FROM posts').pluck().get() ?? 0;
    return ok(`${path}: ${counted(posts, 'post')}, whole, schema ${schemaVersion(db)}`);
  });
}

interface DanglingRow {
  readonly table: string;
  readonly rowid: number;
  readonly parent: string;
}

function danglingRows(path: string, rows: readonly DanglingRow[]): Finding {
  const [row] = rows;
  return warning(
    `${path} has ${counted(rows.length, 'row')} that name a missing row, such as ${row?.table} ${row?.rowid} (${row?.parent}).`,
    'Correct them: builds leave such posts out.',
  );
}

function unknownAddress(): Finding {
  return warning(
    `Nothing says what the site's address is, so addresses of articles are made up (${UNKNOWN_ADDRESS}/…).`,
    'Set "site": { "url": "https://…" } in offprint.json.',
  );
}
