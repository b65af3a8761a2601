import Database from 'better-sqlite3';

/** Opens another program's database while `change` runs, as that program does. */
export function changing<T>(path: string, change: (db: Database.Database) => T): T {
  const db = new Database(path);
  try {
    return change(db);
  } finally {
    db.close();
  }
}
