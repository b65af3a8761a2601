/** What follows the rules of Windows, which rules.mjs imitates on Linux, and that they are in force. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { platform } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, test, vi } from 'vitest';
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

/** Does something while a thread has the file open, which closes it once a rename was refused. */
async function whileRead(name: string, action: () => unknown): Promise<void> {
  const code = `
    const { openSync, closeSync } = require('node:fs');
    const { parentPort, workerData } = require('node:worker_threads');
    const file = openSync(workerData);
    parentPort.once('message', () => closeSync(file));
    parentPort.postMessage('open');`;
  const reader = new Worker(code, { eval: true, workerData: at(name) });
  await new Promise((resolve) => reader.once('message', resolve));
  const refused = (error: unknown): never => {
    reader.postMessage('close');
    throw error;
  };
  const { renameSync, promises } = fs;
  const { rename: renameLater } = promises;
  const spies = [
    vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      try {
        renameSync(from, to);
      } catch (error) {
        refused(error);
      }
    }),
    vi.spyOn(promises, 'rename').mockImplementation((from, to) => renameLater(from, to).catch(refused)),
  ];
  syncBuiltinESMExports();
  try {
    await action();
    expect(spies.flatMap((spy) => spy.mock.calls).length).toBeGreaterThan(1);
  } finally {
    for (const spy of spies) spy.mockRestore();
    syncBuiltinESMExports();
  }
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
    await whileRead('a', () => rename(at('b'), at('a')));
    await whileRead('a', () => writeJson(at('a'), {}));
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
