import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openWithoutBlocking, type Pace } from '../../data/live/copy.ts';
import { DatabaseBusy } from '../../data/live/errors.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';
import { changing } from './ghost-database.ts';

const ROWS = 2000;

/** A database of some MB whose rows all have the same number, so that a mix of two states is visible. */
function numbered(journal = 'delete') {
  const folder = temporaryFolder();
  const [path, copy] = [join(folder, 'theirs.db'), join(folder, 'copy.db')];
  changing(path, (db) => {
    db.pragma(`journal_mode = ${journal}`);
    db.exec(`CREATE TABLE entry (nr INTEGER PRIMARY KEY, number INTEGER, text);
      WITH RECURSIVE n (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < ${ROWS})
      INSERT INTO entry SELECT n, 0, hex(zeroblob(1000)) FROM n`);
  });
  const open = (pace: Partial<Pace> = {}) => {
    const db = openWithoutBlocking(path, copy, pace);
    onTestFinished(() => void db.close());
    return db;
  };
  return { path, copy, open };
}

/** A writer without a timeout: it fails if someone reads at this moment. */
function write(path: string, number: number): void {
  changing(path, (db) => {
    db.pragma('busy_timeout = 0');
    db.prepare('UPDATE entry SET number = ?').run(number);
  });
}

function numbersIn(db: Database.Database): unknown[] {
  return db.prepare('SELECT number, count(*) AS rows FROM entry GROUP BY number').all();
}

describe("another program's database", () => {
  test.each(['delete', 'wal'])('can be written to while it is read (journal: %s)', (journal) => {
    const { path, open } = numbered(journal);
    const db = open();
    const rows = db.prepare<[], { number: number }>('SELECT number FROM entry').iterate();
    expect(rows.next().value).toEqual({ number: 0 });
    write(path, 1);
    expect([...rows].every(({ number }) => number === 0)).toBe(true);
  });

  test('can be written to between any two reads, and is copied once it is unchanged', () => {
    const { path, open } = numbered();
    let reads = 0;
    const released = () => {
      reads += 1;
      if (reads % 3 === 0 && reads <= 12) write(path, reads);
    };
    const db = open({ lockMs: 0, released });
    expect(reads).toBeGreaterThan(30);
    expect(numbersIn(db)).toEqual([{ number: 12, rows: ROWS }]);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  test('is copied while it is written to, if comparing takes too long', () => {
    const { path, open } = numbered();
    let writes = 0;
    const db = open({ lockMs: 60_000, timeoutMs: 0, released: () => write(path, ++writes) });
    expect(numbersIn(db)).toEqual([{ number: 1, rows: ROWS }]);
    expect(writes).toBe(1);
  });

  test('is read correctly if its owner switches to a write-ahead log during the copy', () => {
    const { path, copy, open } = numbered();
    const owner = new Database(path);
    onTestFinished(() => void owner.close());
    let reads = 0;
    const released = () => {
      if (++reads !== 3) return;
      expect(owner.pragma('journal_mode = WAL', { simple: true })).toBe('wal');
      owner.exec('UPDATE entry SET number = 7 WHERE nr = 1'); // The change is only in the log.
    };
    const db = open({ lockMs: 0, released });
    expect(numbersIn(db)).toEqual([
      { number: 0, rows: ROWS - 1 },
      { number: 7, rows: 1 },
    ]);
    expect(existsSync(copy)).toBe(false);
  });

  test('is copied completely if it grows during the copy', () => {
    const { path, open } = numbered();
    let reads = 0;
    const released = () => {
      if (++reads !== 5) return;
      changing(path, (db) => db.exec('INSERT INTO entry SELECT nr + 10000, number, text FROM entry'));
    };
    const db = open({ lockMs: 0, released });
    expect(numbersIn(db)).toEqual([{ number: 0, rows: 2 * ROWS }]);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  test('is copied again if it shrinks during the copy', () => {
    const { path, open } = numbered();
    let reads = 0;
    const released = () => {
      if (++reads === 5) changing(path, (db) => db.exec('DELETE FROM entry WHERE nr > 10; VACUUM'));
    };
    const db = open({ lockMs: 0, released });
    expect(numbersIn(db)).toEqual([{ number: 0, rows: 10 }]);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  test('that changes all the time fails the copy, not the writes', () => {
    const { path, copy, open } = numbered();
    let writes = 0;
    const released = () => write(path, ++writes);
    expect(() => open({ lockMs: 0, timeoutMs: 0, released })).toThrow(DatabaseBusy);
    expect(writes).toBeGreaterThan(0);
    expect(existsSync(copy)).toBe(false);
  });

  test('leaves no copy behind, even if a build is killed', () => {
    const { path, copy, open } = numbered();
    writeFileSync(copy, 'left by a build that was killed');
    const before = readFileSync(path);
    expect(numbersIn(open())).toEqual([{ number: 0, rows: ROWS }]);
    expect(existsSync(copy)).toBe(false);
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});
