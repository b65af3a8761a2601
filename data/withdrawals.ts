import { existsSync } from 'node:fs';
import { type BlogDatabase, readingFrom } from './database.ts';

/** An article that was withdrawn. */
interface Withdrawal {
  readonly slug: string;
  /** The id of its row in `posts`; null: it had none. */
  readonly post_id: number | null;
  /** The earlier status; null: it had no row. */
  readonly status: string | null;
  /** RFC 3339, UTC. */
  readonly withdrawn_at: string;
}

/** All withdrawn articles, by slug. */
export function listWithdrawals(db: BlogDatabase): Withdrawal[] {
  return db.prepare<[], Withdrawal>('SELECT * FROM withdrawals ORDER BY slug').all();
}

/** The slugs of withdrawn articles in a database, which may not exist. @throws DatabaseError */
export function readWithdrawnSlugs(path: string): string[] {
  if (!existsSync(path)) return [];
  return readingFrom(path, (db) => listWithdrawals(db).map(({ slug }) => slug));
}

/**
 * Returns a check whether a post is withdrawn: by its row, whatever its current slug, or by the slug that it prefers.
 */
export function withdrawnPosts(db: BlogDatabase): (slug: string, id: number | null) => boolean {
  const rows = listWithdrawals(db);
  const slugs = new Set(rows.map(({ slug }) => slug));
  const ids = new Set(rows.map(({ post_id }) => post_id));
  return (slug, id) => slugs.has(slug) || (id !== null && ids.has(id));
}

/**
 * Archives the post with a slug, if there is one, and records that it stays archived. Idempotent.
 *
 * @returns whether it was not withdrawn before
 */
export function withdrawPost(db: BlogDatabase, slug: string, now: Date): boolean {
  return db
    .transaction(() => {
      const post = db
        .prepare<[string], { id: number; status: string }>('SELECT id, status FROM posts WHERE slug = ?')
        .get(slug);
      const known = db
        .prepare<[string], number>('SELECT 1 FROM withdrawals WHERE slug = ?')
        .pluck()
        .get(slug);
      // The row may have been added later, or published again by hand.
      db.prepare(
        `INSERT INTO withdrawals VALUES (?, ?, ?, ?)
         ON CONFLICT (slug) DO UPDATE SET post_id = coalesce(excluded.post_id, post_id)`,
      ).run(slug, post?.id ?? null, post?.status ?? null, now.toISOString());
      db.prepare("UPDATE posts SET status = 'archived' WHERE slug = ? AND status <> 'archived'").run(slug);
      return known === undefined;
    })
    .immediate();
}

/** Lifts a withdrawal: the post gets its earlier status again. @returns whether it was withdrawn */
export function restorePost(db: BlogDatabase, slug: string): boolean {
  return db
    .transaction(() => {
      const [known] = db
        .prepare<[string], Withdrawal>('DELETE FROM withdrawals WHERE slug = ? RETURNING *')
        .all(slug);
      if (known === undefined) return false;
      db.prepare("UPDATE posts SET status = ? WHERE id = ? AND status = 'archived'").run(
        known.status ?? 'archived',
        known.post_id,
      );
      // Raises the revision of a row that another program published, which builds left out.
      db.prepare('UPDATE posts SET slug = slug WHERE slug = ?').run(slug);
      return true;
    })
    .immediate();
}
