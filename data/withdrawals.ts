import type { BlogDatabase } from './database.ts';
import { schemaVersion } from './migrations.ts';

/** An article that was withdrawn. */
export interface Withdrawal {
  readonly slug: string;
  /** Of its row in `posts`; null where there was none. */
  readonly post_id: number | null;
  /** That it had before; null where there was no row. */
  readonly status: string | null;
  /** RFC 3339, UTC. */
  readonly withdrawn_at: string;
}

/** All articles that are withdrawn, by their slugs. */
export function listWithdrawals(db: BlogDatabase): Withdrawal[] {
  if (schemaVersion(db) < 3) return []; // Of a database that cannot be migrated: it knows of none.
  return db.prepare<[], Withdrawal>('SELECT * FROM withdrawals ORDER BY slug').all();
}

/**
 * Says whether a post is withdrawn: its row, whatever slug it has by now, or the slug that it asks for.
 */
export function withdrawnPosts(db: BlogDatabase): (slug: string, id: number | null) => boolean {
  const rows = listWithdrawals(db);
  const slugs = new Set(rows.map(({ slug }) => slug));
  const ids = new Set(rows.map(({ post_id }) => post_id));
  return (slug, id) => slugs.has(slug) || (id !== null && ids.has(id));
}

/**
 * Archives the post of a slug, where there is one, and notes that it stays so. Once more changes nothing.
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
      db.prepare('INSERT OR IGNORE INTO withdrawals VALUES (?, ?, ?, ?)').run(
        ...[slug, post?.id ?? null, post?.status ?? null, now.toISOString()],
      );
      // A row that came later, or that was published again by hand.
      if (post) {
        db.prepare('UPDATE withdrawals SET post_id = ? WHERE slug = ? AND post_id IS NOT ?').run(
          ...[post.id, slug, post.id],
        );
        db.prepare("UPDATE posts SET status = 'archived' WHERE id = ? AND status <> 'archived'").run(post.id);
      }
      return known === undefined;
    })
    .immediate();
}

/**
 * Lifts a withdrawal: the post gets the status back that it had.
 *
 * @returns whether it was withdrawn
 */
export function restorePost(db: BlogDatabase, slug: string): boolean {
  return db
    .transaction(() => {
      const [known] = db
        .prepare<[string], Withdrawal>('DELETE FROM withdrawals WHERE slug = ? RETURNING *')
        .all(slug);
      if (known === undefined) return false;
      db.prepare("UPDATE posts SET status = ? WHERE id = ? AND status = 'archived'").run(
        ...[known.status ?? 'archived', known.post_id],
      );
      return true;
    })
    .immediate();
}
