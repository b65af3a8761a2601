import Database from 'better-sqlite3';

/**
 * What could undo or prevent what Offprint writes to a database, such as a revoked key: definitions of Offprint's that are
 * missing or changed, others' triggers and indexes on its tables, others' tables that refer to these, and numbers of rows that are used up. Further tables,
 * of a CMS that shares the file, are allowed.
 *
 * @param schema SQL that makes Offprint's tables in an empty database
 * @returns the names of these definitions
 */
export function schemaChanges(db: Database.Database, schema: string): string[] {
  const fresh = new Database(':memory:');
  fresh.exec(schema);
  const [ours, found] = [definitionsIn(fresh), definitionsIn(db)];
  fresh.close();
  const tables = new Set(ours.map(({ table }) => table));
  const missingIn = (others: readonly Definition[]) => {
    const texts = new Set(others.map(({ text }) => text));
    return ({ text }: Definition) => !texts.has(text);
  };
  const added = found.filter(missingIn(ours)).filter(({ table }) => tables.has(table));
  const names = new Set([...ours.filter(missingIn(found)), ...added].map(({ name }) => name));
  return names.size > 0 ? [...names] : usedUpIn(db);
}

/** The tables that can hardly have another row: SQLite would call the disk full. And revisions that cannot rise, as each change makes them. */
function usedUpIn(db: Database.Database): string[] {
  return db
    .prepare<[], string>(
      `SELECT name FROM sqlite_sequence WHERE seq > ${Number.MAX_SAFE_INTEGER} UNION ALL
       SELECT 'revision' WHERE NOT EXISTS (SELECT 1 FROM revision WHERE max(content, views) < ${2 ** 52})`,
    )
    .pluck()
    .all();
}

/** A definition, and a table that it concerns. */
interface Definition {
  readonly name: string;
  readonly text: string;
  /** In lower case: the one that it makes, is on, or refers to. */
  readonly table: string;
}

/** SQLite itself refuses a file whose names of definitions and tables differ from their texts. */
function definitionsIn(db: Database.Database): Definition[] {
  return db
    .prepare<[], Definition>(
      `SELECT name, sql AS text, lower(tbl_name) AS "table" FROM sqlite_schema WHERE sql IS NOT NULL
       UNION ALL
       SELECT name, sql, lower(key."table") FROM sqlite_schema, pragma_foreign_key_list(name) AS key WHERE type = 'table'`,
    )
    .all()
    .map(({ text, ...definition }) => ({ ...definition, text: withoutLayout(text) }));
}

/** Comments, strings, words, and other characters but those that SQLite takes for space. For it, a text ends at a zero. */
const TOKEN = /--[^\n\0]*|'[^']*'|"[^"]*"|\w+|[^ \t\n\f\r]/g;

/** A definition without comments and layout, which differ in migrated databases. */
function withoutLayout(sql: string): string {
  return (sql.match(TOKEN) ?? []).filter((token) => !token.startsWith('--')).join(' ');
}
