/** What follows the rules of Windows, which rules.mjs imitates on Linux, and that they are in force. */
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
import { readingSource } from '../../import/sql/database.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';

/** A folder with the files `a` and `b`. */
let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
  for (const name of ['a', 'b']) fs.writeFileSync(at(name), name);
});
const at = (name: string) => join(folder, name);

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
  test('Node flushes no folder', () => {
    const file = fs.openSync(folder, 'r');
    expect(() => fs.fsyncSync(file)).toThrow('EPERM');
    fs.closeSync(file);
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
    new Database(at('x.db')).exec('CREATE TABLE t (a)').close();
    const tables = async function* (db: Database.Database) {
      yield* db.prepare('SELECT name FROM sqlite_schema').pluck().all();
    };
    for await (const read of readingSource(at('x.db'), at('copies'), tables)) expect(read).toBe('t');
    expect(fs.existsSync(at('copies'))).toBe(false);
  });

  test('Offprint writes through no link', () => {
    fs.mkdirSync(at('c'));
    fs.symlinkSync(at('c'), at('link'));
    expect(() => inRealFolder(folder, ['link'], () => 'written')).toThrow(/link/);
  });
});
