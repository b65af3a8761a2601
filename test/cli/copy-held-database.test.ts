/** The copy of a database that a service holds is whole, so `doctor` reports no damage that is none. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { copyHeldDatabase } from '../../cli/doctor/copy-held-database.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';

/** Each commit changes two distant pages; the log is checkpointed after every few. */
const PROGRAM = `
  const Database = require('better-sqlite3');
  const db = new Database(process.argv[1]);
  db.pragma('locking_mode = EXCLUSIVE');
  db.pragma('journal_mode = WAL');
  db.pragma('wal_autocheckpoint = 40');
  db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, filler BLOB)');
  const put = db.prepare('INSERT INTO t VALUES (?, 0, zeroblob(3000))');
  for (let id = 0; id < 300; id++) put.run(id);
  const add = db.prepare('UPDATE t SET n = n + 1 WHERE id = ? OR id = ?');
  let count = 0;
  setInterval(() => {
    for (let i = 0; i < 40; i++) add.run(count % 150, 299 - (count++ % 150));
    console.log(count);
  }, 1);`;

test('a database in use is copied as of one moment, even if its log restarts', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'held.db');
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const child = spawn(process.execPath, ['-e', PROGRAM, path], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  for (let i = 0; i < 40; i++) {
    const copy = join(folder, `held-${i}.db`);
    copyHeldDatabase(path, copy);
    const db = new Database(copy, { readonly: true });
    const odd = 'SELECT sum(a.n <> b.n) FROM t a JOIN t b ON b.id = 299 - a.id WHERE a.id < 150';
    expect(db.prepare(odd).pluck().get()).toBe(0);
    db.close();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  child.kill('SIGKILL');
});
