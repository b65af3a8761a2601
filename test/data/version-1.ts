import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';

/** data/schema.sql as Offprint 0.1.0 had it. */
const SCHEMA_1 = readFileSync(new URL('schema-1.sql', import.meta.url), 'utf8');

/** Makes a database as Offprint 0.1.0 made it; `rows` is SQL. */
export function writeVersion1(path: string, rows = '', journal: 'DELETE' | 'WAL' = 'WAL'): void {
  const db = new Database(path);
  db.pragma(`journal_mode = ${journal}`);
  db.exec(SCHEMA_1);
  db.exec(rows);
  db.close();
}
