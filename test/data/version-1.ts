import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';

/** data/schema.sql of Offprint 0.1.0. */
const SCHEMA_1 = readFileSync(new URL('schema-1.sql', import.meta.url), 'utf8');

/** Creates a database like Offprint 0.1.0; `rows` is SQL. */
export function writeVersion1(path: string, rows = '', journal: 'DELETE' | 'WAL' = 'WAL'): void {
  const db = new Database(path);
  db.pragma(`journal_mode = ${journal}`);
  db.exec(SCHEMA_1);
  db.exec(rows);
  db.close();
}
