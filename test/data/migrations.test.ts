/**
 * A database of an earlier version is opened by this one, with all its content.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { blogUid, openForReading, openForWriting } from '../../data/database.ts';
import { DatabaseForeign, DatabaseNewer } from '../../data/errors.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';
import { CAN_MOUNT, smallDisk } from '../build/tmpfs.ts';
import { offprint, offprintJson } from '../service/command.ts';
import { writeVersion1 } from './version-1.ts';
import { lacks } from '../lacks.ts';

const SHA256 = 'a'.repeat(64);
const ROWS = `
  INSERT INTO authors (username, name) VALUES ('ada', 'Ada');
  INSERT INTO tags (slug, name) VALUES ('sql', 'SQL');
  INSERT INTO posts (slug, title, status, published_at, author_id, body)
    VALUES ('a', 'A', 'published', '2026-01-01T00:00:00Z', 1, '<p>Text</p>');
  INSERT INTO post_tags (post_id, tag_id) VALUES (1, 1);
  INSERT INTO accounts (name) VALUES ('ada');
  INSERT INTO api_keys (account_id, name, prefix, sha256, scopes)
    VALUES (1, 'site', 'opk_AAAAAAAA', '${SHA256}', '["blog:read"]');
`;

/** The whole schema, without comments and layout. */
function schemaOf(db: Database.Database): string[] {
  return db
    .prepare<[], string>('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL')
    .pluck()
    .all()
    .map((sql) =>
      sql
        .replaceAll(/--.*$/gm, '')
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/ ?([(),;]) ?/g, '$1'),
    )
    .sort();
}

/** All rows of the tables of version 1. */
function rowsOf(db: Database.Database): unknown {
  const tables = ['revision', 'site', 'authors', 'tags', 'posts', 'post_tags', 'api_keys'];
  return tables.map((table) => db.prepare(`SELECT * FROM ${table}`).all());
}

function versionOf(path: string): unknown {
  const db = new Database(path, { readonly: true });
  try {
    return db.pragma('user_version', { simple: true });
  } finally {
    db.close();
  }
}

const CURRENT = 7;

describe('a database of version 1', () => {
  test('gets the schema of a new one', () => {
    const folder = temporaryFolder();
    const [old, fresh] = [join(folder, 'old.db'), join(folder, 'new.db')];
    writeVersion1(old, ROWS);
    const [migrated, made] = [openForWriting(old), openForWriting(fresh)];
    expect(schemaOf(migrated)).toEqual(schemaOf(made));
    expect(schemaOf(made).length).toBeGreaterThan(30);
    for (const pragma of ['user_version', 'application_id'])
      expect(migrated.pragma(pragma, { simple: true })).toBe(made.pragma(pragma, { simple: true }));
    expect(migrated.pragma('user_version', { simple: true })).toBe(CURRENT);
    migrated.close();
    made.close();
  });

  test.each(['WAL', 'DELETE'] as const)('keeps its rows, and its journal mode of %s', (journal) => {
    const path = join(temporaryFolder(), 'blog.db');
    writeVersion1(path, ROWS, journal);
    const plain = new Database(path);
    const before = rowsOf(plain);
    plain.close();
    const db = openForReading(path);
    expect(rowsOf(db)).toMatchObject(Object(before)); // And the new columns.
    expect(db.pragma('journal_mode', { simple: true })).toBe(journal.toLowerCase());
    expect(db.pragma('quick_check', { simple: true })).toBe('ok');
    db.close();
    expect(versionOf(path)).toBe(CURRENT);
  });

  test('is migrated and used by every command that opens it', async () => {
    const folder = temporaryFolder();
    const [made, path, out] = ['made.db', 'blog.db', 'out'].map((name) => join(folder, name));
    if (made === undefined || path === undefined || out === undefined) throw new Error();
    writeVersion1(made, ROWS);
    const files = ['--db', path, '--out', out];
    for (const args of [
      ['build', ...files],
      ['keys', 'list', ...files],
      // With a separate output: each migration gives the database another id.
      ['keys', 'create', '--db', path, '--out', `${out}-2`, '--account', 'ada', '--name', 'two'],
    ]) {
      copyFileSync(made, path);
      await offprintJson(args);
      expect(versionOf(path), args.join(' ')).toBe(CURRENT);
    }
    expect(existsSync(join(out, 'keys', `${SHA256}.json`))).toBe(true);
  });

  test('is migrated once if several processes open it at the same time', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'blog.db');
    writeVersion1(path, ROWS);
    const files = ['--db', path, '--out', join(folder, 'out')];
    const lists = await Promise.all(
      Array.from({ length: 4 }, () => offprintJson(['keys', 'list', ...files])),
    );
    for (const list of lists) expect(list).toMatchObject([{ prefix: 'opk_AAAAAAAA', account: 'ada' }]);
    const db = openForReading(path);
    expect(db.prepare('SELECT count(*) FROM blog').pluck().get()).toBe(1);
    db.close();
  });

  test('is unchanged if the process is killed during the migration', () => {
    const path = join(temporaryFolder(), 'blog.db');
    writeVersion1(path, ROWS);
    const script = fileURLToPath(new URL('killed-migration.ts', import.meta.url));
    expect(spawnSync(process.execPath, [script, path]).signal).toBe('SIGKILL');
    expect(versionOf(path)).toBe(1);
    const old = join(temporaryFolder(), 'old.db');
    writeVersion1(old);
    const [killed, untouched] = [path, old].map((file) => new Database(file));
    if (!killed || !untouched) throw new Error();
    expect(schemaOf(killed)).toEqual(schemaOf(untouched));
    killed.close();
    untouched.close();
    openForReading(path).close();
    expect(versionOf(path)).toBe(CURRENT);
  });

  test('gets an id, which stays the same', () => {
    const folder = temporaryFolder();
    const uids = ['a.db', 'b.db'].map((name) => {
      const path = join(folder, name);
      writeVersion1(path);
      const [first, second] = [0, 1].map(() => {
        const db = openForReading(path);
        const uid = blogUid(db);
        db.close();
        return uid;
      });
      expect(first).toMatch(/^[0-9a-f]{16}$/);
      expect(second).toBe(first);
      return first;
    });
    expect(uids[0]).not.toBe(uids[1]);
  });

  test.skipIf(lacks('permission to mount', CAN_MOUNT))(
    'is built from without a migration if it is read-only',
    async () => {
      const disk = smallDisk(2 ** 22);
      const path = join(disk.folder, 'blog.db');
      writeVersion1(path, ROWS, 'DELETE');
      disk.setReadOnly(true);
      const files = ['--db', path, '--out', join(temporaryFolder(), 'out')];
      expect(await offprintJson(['build', ...files])).toMatchObject({ posts: 1 });
      expect(await offprintJson(['keys', 'list', ...files])).toMatchObject([{ account: 'ada' }]);
      const db = openForReading(path);
      expect(blogUid(db)).toBeNull();
      db.close();
      expect(versionOf(path)).toBe(1);
      const create = await offprint(['keys', 'create', ...files, '--account', 'a', '--name', 'n', '--json']);
      expect(create.code).toBe(1);
      expect(create.stderr).toContain(path);
    },
  );
});

describe('a database of an unknown version', () => {
  test('is rejected by name, and not changed', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'blog.db');
    openForWriting(path).close();
    const raw = new Database(path);
    raw.pragma('user_version = 99');
    raw.close();
    const before = readFileSync(path);
    expect(() => openForReading(path)).toThrow(DatabaseNewer);
    expect(() => openForWriting(path)).toThrow(DatabaseNewer);
    const { code, stderr } = await offprint(['build', '--db', path, '--out', join(folder, 'out')]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/blog\.db was made by a newer Offprint .*Upgrade Offprint/);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('that lacks a table is rejected, whatever its version', () => {
    const path = join(temporaryFolder(), 'blog.db');
    openForWriting(path).close();
    const raw = new Database(path);
    raw.exec('DROP TABLE blog');
    raw.close();
    expect(() => openForReading(path)).toThrow(DatabaseForeign);
    expect(() => openForWriting(path)).toThrow(DatabaseForeign);
  });
});
