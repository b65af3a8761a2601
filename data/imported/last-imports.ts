import type { BlogDatabase } from '../database.ts';

/** The last import of a configured source. */
export interface LastImport {
  /** The fingerprint of its files before they were read. */
  readonly fingerprint: string;
  /** RFC 3339, UTC. */
  readonly importedAt: string;
}

/** @param setting the source, as text */
export function lastImport(db: BlogDatabase, setting: string): LastImport | null {
  return (
    db
      .prepare<[string], LastImport>(
        'SELECT fingerprint, imported_at AS importedAt FROM imports WHERE setting = ?',
      )
      .get(setting) ?? null
  );
}

export function noteImport(db: BlogDatabase, setting: string, { fingerprint, importedAt }: LastImport): void {
  db.prepare('INSERT OR REPLACE INTO imports VALUES (?, ?, ?)').run(setting, fingerprint, importedAt);
}

/** Removes the entries that are no longer configured. */
export function forgetOtherImports(db: BlogDatabase, settings: readonly string[]): void {
  db.prepare('DELETE FROM imports WHERE setting NOT IN (SELECT value FROM json_each(?))').run(
    JSON.stringify(settings),
  );
}
