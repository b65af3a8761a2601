import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { programFile } from '../common/program-files.ts';
import type { BlogDatabase } from './database.ts';

/**
 * What others changed in a database and could undo what commands write, such as a revoked key: missing or changed parts
 * of Offprint's schema, and further triggers, views and virtual tables.
 *
 * @param isOurs whether it has the current schema; otherwise one of tables alone
 * @returns their names
 */
export function schemaChanges(db: BlogDatabase, isOurs: boolean): string[] {
  const fresh = new Database(':memory:');
  if (isOurs) fresh.exec(readFileSync(programFile('data/schema.sql'), 'utf8'));
  const [ours, found] = [definitionsIn(fresh), definitionsIn(db)];
  fresh.close();
  const names = new Set(ours.values());
  const isHarmless = (sql: string, name: string) =>
    !names.has(name) && /^create (?:table|(?:unique )?index) /i.test(sql);
  const changed = [
    ...[...ours].filter(([sql]) => !found.has(sql)),
    ...[...found].filter(([sql, name]) => !ours.has(sql) && !isHarmless(sql, name)),
  ];
  return [...new Set(changed.map(([, name]) => name))];
}

/** Strings, in which nothing is a comment, and comments. */
const STRING_OR_COMMENT = /'[^']*'|"[^"]*"|--[^\n]*/g;

/** Definition → name, without comments and layout, which differ in migrated databases. */
function definitionsIn(db: BlogDatabase): Map<string, string> {
  const rows = db
    .prepare<[], { name: string; sql: string }>('SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL')
    .all();
  const plain = (sql: string) =>
    sql
      .replaceAll(STRING_OR_COMMENT, (text) => (text.startsWith('--') ? '' : text))
      .replaceAll(/[ \t\r\n]+/g, ' ')
      .replaceAll(/ ?([(),;]) ?/g, '$1');
  return new Map(rows.map(({ name, sql }) => [plain(sql), name]));
}
