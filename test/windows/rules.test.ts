/** The rules of Windows, which rules.mjs imitates on Linux: otherwise the project `windows` would test nothing. */
import fs from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeJson } from '../../client/source/files/json-file.ts';
import { flush } from '../../common/flush.ts';
import { inRealFolder } from '../../common/real-folder.ts';
import { rename } from '../../common/rename.ts';
import { readingDatabase } from '../../import/sql/database.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';

/** A folder with the files `a` and `b`. */
let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
  for (const name of ['a', 'b']) fs.writeFileSync(at(name), name);
});
const at = (name: string) => join(folder, name);

/** The code of the error. */
function codeOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
}

function whileOpen(name: string, work: (file: number) => void): void {
  const file = fs.openSync(at(name), 'r');
  try {
    work(file);
  } finally {
    fs.closeSync(file);
  }
}

function makeDatabase(): Database.Database {
  return new Database(at('x.db')).exec('CREATE TABLE t (a)');
}

/** A thread has the file open for a moment. */
async function readBriefly(name: string): Promise<void> {
  const code = `
    const { openSync, closeSync } = require('node:fs');
    const { parentPort, workerData } = require('node:worker_threads');
    const file = openSync(workerData);
    parentPort.postMessage('open');
    setTimeout(() => closeSync(file), 50);`;
  const reader = new Worker(code, { eval: true, workerData: at(name) });
  await new Promise((resolve) => reader.once('message', resolve));
}

describe.skipIf(platform() === 'darwin')('by the rules', () => {
  test.each<[string, () => unknown, unknown]>([
    ['flushes no folder', () => whileOpen('.', fs.fsyncSync), 'EPERM'],
    ['renames over no open file', () => whileOpen('a', () => fs.renameSync(at('b'), at('a'))), 'EPERM'],
    ['renames over a file', () => fs.renameSync(at('b'), at('a')), undefined],
    ['creates no file with the name of a device', () => fs.writeFileSync(at('con.json'), ''), 'ENOENT'],
    ['has no user ids', () => process.getuid, undefined],
  ])('Node %s', (_, work, result) => {
    expect(codeOf(work)).toBe(result);
  });

  test('Node deletes no open database', () => {
    const db = makeDatabase();
    expect(codeOf(() => fs.rmSync(at('x.db')))).toBe('EBUSY');
    db.close();
  });

  test('Offprint flushes files and folders', () => {
    flush('file', at('a'));
    flush('folder', folder);
  });

  test('Offprint and the client wait with a rename until a reader has closed the file', async () => {
    await readBriefly('a');
    rename(at('b'), at('a'));
    await readBriefly('a');
    await writeJson(at('a'), {});
    expect(fs.readFileSync(at('a'), 'utf8')).toBe('{}');
  });

  test('Offprint reads a private copy of a database, and deletes it', async () => {
    makeDatabase().close();
    const tables = async function* (db: Database.Database) {
      yield* db.prepare('SELECT name FROM sqlite_schema').pluck().all();
    };
    for await (const read of readingDatabase(at('x.db'), at('copies'), tables)) expect(read).toBe('t');
    expect(fs.existsSync(at('copies'))).toBe(false);
  });

  test('Offprint writes through no link', () => {
    fs.mkdirSync(at('c'));
    fs.symlinkSync(at('c'), at('link'));
    expect(() => inRealFolder(folder, ['link'], () => 'written')).toThrow(/link/);
  });
});
