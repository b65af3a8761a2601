import type { BlogDatabase } from '../database.ts';

/** How an import that the configuration names was done last. */
export interface LastImport {
  /** Of its files, before they were read. */
  readonly fingerprint: string;
  /** RFC 3339, UTC. */
  readonly importedAt: string;
}

/** @param setting what is imported, as text */
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

/** Forgets those that the configuration names no more. */
export function forgetOtherImports(db: BlogDatabase, settings: readonly string[]): void {
  db.prepare('DELETE FROM imports WHERE setting NOT IN (SELECT value FROM json_each(?))').run(
    JSON.stringify(settings),
  );
}
