import Database from 'better-sqlite3';
import { blogSchema, openForReading } from '../../data/database.ts';
import { DatabaseChanged } from '../../data/errors.ts';
import { schemaChanges } from '../../data/schema-changes.ts';
import { COUNTS_SCHEMA } from '../../gateway/node/sqlite-quota-counter.ts';
import { USAGE_SCHEMA } from '../usage/usage-log.ts';
import type { BackupPart } from './parts.ts';

/**
 * Checks the schema of a database in a backup, after bringing it up to date.
 *
 * @param copy where the database is now
 * @param shown its name for people
 * @throws DatabaseChanged, DatabaseError
 */
export function checkSchema(kind: BackupPart['kind'], copy: string, shown: string): void {
  if (kind === 'configuration') return;
  const db = kind === 'ours' ? openForReading(copy) : new Database(copy);
  try {
    const schema = { ours: blogSchema(), held: COUNTS_SCHEMA, database: USAGE_SCHEMA }[kind];
    if (kind !== 'ours') db.exec(schema); // As at each start: a file may have been made, but no table in it.
    const changes = schemaChanges(db, schema);
    if (changes.length > 0) throw new DatabaseChanged(shown, changes);
  } finally {
    db.close();
  }
}
