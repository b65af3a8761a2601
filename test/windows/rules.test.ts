import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** The rules of Windows that rules.mjs imitates; otherwise the project `windows` would test nothing. */

const RULES = new URL('rules.mjs', import.meta.url).href;
const SOURCES = new URL('../../', import.meta.url).href;

/** A thread that reads a file for a moment. */
const READER = `
  const { openSync, closeSync } = require('node:fs');
  const { parentPort, workerData } = require('node:worker_threads');
  const file = openSync(workerData);
  parentPort.postMessage('open');
  setTimeout(() => closeSync(file), 50);`;

/** What holds, a program in a folder with the files `a` and `b`, and its result: a value, or the code of an error. */
const CASES: readonly (readonly [what: string, program: string, result: unknown])[] = [
  ['Node flushes no folder', `opened('.', 'r', fs.fsyncSync)`, 'EPERM'],
  ['Node renames over no open file', `opened('a', 'r', () => fs.renameSync(at('b'), at('a')))`, 'EPERM'],
  ['Node renames over a file', `fs.renameSync(at('b'), at('a'))`, 'done'],
  [
    'Node deletes no open database',
    `new Database(at('x.db')).exec('CREATE TABLE t (a)'); fs.rmSync(at('x.db'))`,
    'EBUSY',
  ],
  ['no name is of a device', `fs.writeFileSync(at('con.json'), '')`, 'ENOENT'],
  ['users have no ids', `return typeof process.getuid`, 'undefined'],
  ['Offprint flushes files and folders', `flush('file', at('a')); flush('folder', at('.'))`, 'done'],
  [
    'Offprint waits with a rename until a reader has closed the file',
    `await readBriefly('a'); rename(at('b'), at('a'));`,
    'done',
  ],
  ['so does the client', `await readBriefly('a'); await writeJson(at('a'), {});`, 'done'],
  [
    'Offprint reads a private copy of a database, and deletes it',
    `new Database(at('x.db')).exec('CREATE TABLE t (a)').close();
     const tables = (db) => db.prepare('SELECT name FROM sqlite_schema').pluck().all();
     const read = await Array.fromAsync(readingDatabase(at('x.db'), at('copies'), tables));
     return [read, fs.existsSync(at('copies'))];`,
    [['t'], false],
  ],
  [
    'Offprint writes through no link',
    `fs.mkdirSync(at('c')); fs.symlinkSync(at('c'), at('link'));
     try { inRealFolder(at('.'), ['link'], () => 'written') } catch (error) { return error.name }`,
    'FolderIsLink',
  ],
];

describe('under the rules of Windows', () => {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-rules-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let results: readonly unknown[];

  beforeAll(() => {
    for (const [i] of CASES.entries()) {
      mkdirSync(join(folder, String(i)));
      for (const name of ['a', 'b']) writeFileSync(join(folder, String(i), name), name);
    }
    const script = join(folder, 'script.mjs');
    writeFileSync(
      script,
      `import * as fs from 'node:fs';
       import { join } from 'node:path';
       import { Worker } from 'node:worker_threads';
       import Database from '${SOURCES}node_modules/better-sqlite3/lib/index.js';
       import { flush } from '${SOURCES}common/flush.ts';
       import { inRealFolder } from '${SOURCES}common/real-folder.ts';
       import { rename } from '${SOURCES}common/rename.ts';
       import { writeJson } from '${SOURCES}client/source/files/json-file.ts';
       import { readingDatabase } from '${SOURCES}import/sql/database.ts';
       let at;
       const opened = (name, flags, work) => {
         const file = fs.openSync(at(name), flags);
         try { return work(file); } finally { fs.closeSync(file); }
       };
       const readBriefly = async (name) => {
         const reader = new Worker(${JSON.stringify(READER)}, { eval: true, workerData: at(name) });
         await new Promise((resolve) => reader.once('message', resolve));
       };
       const programs = [${CASES.map(([, program]) => `async () => { ${program} }`).join(',\n')}];
       const results = [];
       for (const [i, program] of programs.entries()) {
         at = (name) => join(import.meta.dirname, String(i), name);
         results.push(await program().then((result) => result ?? 'done', (error) => error.code ?? String(error)));
       }
       console.log(JSON.stringify(results));
       process.exit();`,
    );
    const { stdout, stderr } = spawnSync(process.execPath, ['--import', RULES, script], {
      encoding: 'utf8',
      env: { ...process.env, TMPDIR: folder },
    });
    expect(stderr).toBe('');
    results = JSON.parse(stdout);
  });

  it.each(CASES.map(([what, , result], i) => [what, i, result] as const))('%s', (_, i, result) => {
    expect(results[i]).toEqual(result);
  });
});
