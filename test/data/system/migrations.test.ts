/**
 * Databases of other versions: later steps of the schema are applied when a database is opened, all or none; what is older
 * than the first step, or newer than the last, is refused.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { openForReading, openForWriting } from '../../../data/database.ts';
import { DatabaseForeign } from '../../../data/errors.ts';
import { migrate, type Migration, SCHEMA_VERSION, schemaVersion } from '../../../data/migrations.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';
import { offprintInProcess } from '../../service/in-process.ts';

const NEXT = SCHEMA_VERSION + 1;

/** A step to the next version, and one after it. */
const STEPS: readonly Migration[] = [
  { version: NEXT, apply: (db) => void db.exec('ALTER TABLE posts ADD COLUMN subtitle TEXT') },
  { version: NEXT + 1, apply: (db) => void db.exec("UPDATE posts SET subtitle = 'none'") },
];

function newBlog(version = SCHEMA_VERSION): string {
  const path = join(temporaryFolder(), 'blog.db');
  const db = openForWriting(path);
  db.exec("INSERT INTO posts (slug, title) VALUES ('a', 'A')");
  db.pragma(`user_version = ${version}`);
  db.close();
  return path;
}

/** The version of a database, and its posts. */
function stateOf(path: string): unknown {
  const db = new Database(path, { readonly: true });
  try {
    return [schemaVersion(db), ...db.prepare('SELECT * FROM posts').all()];
  } finally {
    db.close();
  }
}

describe('the steps of the schema', () => {
  test('are applied in order, once, to what a database lacks', () => {
    const path = newBlog();
    const db = new Database(path);
    migrate(db, STEPS.slice(0, 1));
    db.exec("UPDATE posts SET subtitle = 'own'");
    migrate(db, STEPS);
    db.exec("UPDATE posts SET subtitle = 'later'");
    migrate(db, STEPS);
    db.close();
    expect(stateOf(path)).toMatchObject([NEXT + 1, { slug: 'a', subtitle: 'later' }]);
  });

  test('are all undone if one fails', () => {
    const path = newBlog();
    const before = stateOf(path);
    const db = new Database(path);
    const failing = { version: NEXT + 2, apply: () => void db.exec('SELECT missing FROM posts') };
    expect(() => migrate(db, [...STEPS, failing])).toThrow('no such column');
    db.close();
    expect(stateOf(path)).toEqual(before);
  });

  test('are not applied again by a process that waited for another', () => {
    const path = newBlog();
    const [first, second] = [new Database(path), new Database(path)];
    const meanwhile: Migration = { version: NEXT, apply: () => expect.unreachable() };
    migrate(first, STEPS.slice(0, 1));
    migrate(second, [meanwhile]);
    for (const db of [first, second]) db.close();
    expect(stateOf(path)).toMatchObject([NEXT, { subtitle: null }]);
  });
});

describe('a database that this version cannot read', () => {
  test.each([
    ['newer', NEXT, /blog\.db was created by a newer Offprint .*Upgrade Offprint/],
    ['older', 6, /blog\.db has schema 6, .* schema 7 and later\. .* commit [0-9a-f]{8}\b/],
  ])('because it is %s is refused in one line, and not changed', async (_, version, message) => {
    const path = newBlog(version);
    const before = readFileSync(path);
    expect(() => openForReading(path)).toThrow(message);
    expect(() => openForWriting(path)).toThrow(message);
    for (const command of ['build', 'keys list', 'accounts list']) {
      const args = [...command.split(' '), '--db', path, '--out', join(temporaryFolder(), 'out')];
      const { code, stderr } = await offprintInProcess(args);
      expect(code).toBe(1);
      expect(stderr.trimEnd().split('\n')).toEqual([expect.stringMatching(message)]);
    }
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('because it lacks a table is refused, whatever its version', () => {
    const path = newBlog();
    const raw = new Database(path);
    raw.exec('DROP TABLE blog');
    raw.close();
    expect(() => openForReading(path)).toThrow(DatabaseForeign);
    expect(() => openForWriting(path)).toThrow(DatabaseForeign);
  });
});
