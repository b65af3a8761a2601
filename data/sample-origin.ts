import type { BlogDatabase } from './database.ts';

/** Identifies the sample blog. */
export const SAMPLE = {
  origin: 'sample',
  name: 'The Offprint Press',
  url: 'https://press.example',
  /** Where its pictures are: at the service itself, by default. */
  pictures: 'http://127.0.0.1:8787/',
} as const;

/** Lets the addresses of its pictures begin with a service's address. @param url with a slash at the end */
export function placePictures(db: BlogDatabase, url: string): void {
  const before = db
    .prepare<[], string>(
      "SELECT substr(cover, 1, instr(cover, '/covers/')) FROM posts WHERE instr(cover, '/covers/') > 0 LIMIT 1",
    )
    .pluck()
    .get();
  if (before === undefined || before === url) return;
  for (const [table, column] of [
    ['posts', 'cover'],
    ['posts', 'body'],
    ['authors', 'avatar'],
  ] as const)
    db.prepare(`UPDATE ${table} SET ${column} = replace(${column}, ?, ?) WHERE instr(${column}, ?)`).run(
      before,
      url,
      before,
    );
}

/** Whether a database holds the sample blog. */
export function hasSample(db: BlogDatabase): boolean {
  return sampleOrigin(db) !== undefined;
}

/**
 * Removes the sample blog from a database, so that it is never published together with a real one.
 *
 * @returns whether the database had it
 */
export function removeSample(db: BlogDatabase): boolean {
  const origin = sampleOrigin(db);
  if (origin === undefined) return false;
  db.prepare('DELETE FROM posts WHERE id IN (SELECT post_id FROM post_origins WHERE origin_id = ?)').run(
    origin,
  );
  db.prepare('DELETE FROM origins WHERE id = ?').run(origin);
  db.exec(`
    DELETE FROM categories WHERE id NOT IN (SELECT category_id FROM posts WHERE category_id IS NOT NULL);
    DELETE FROM tags WHERE id NOT IN (SELECT tag_id FROM post_tags);
    DELETE FROM authors WHERE id NOT IN (SELECT author_id FROM posts WHERE author_id IS NOT NULL);
    UPDATE site SET name = 'Blog', url = 'https://blog.example';
  `);
  return true;
}

function sampleOrigin(db: BlogDatabase): number | undefined {
  return db
    .prepare<[string, string], number>(
      `SELECT origins.id FROM origins, site WHERE format = 'markdown' AND origins.name = ? AND url = ?`,
    )
    .pluck()
    .get(SAMPLE.origin, SAMPLE.url);
}
