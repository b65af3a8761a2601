import type { BlogDatabase } from '../../data/database.ts';
import type { GeneratedPost } from './post.ts';

/**
 * Inserts posts with their tags, and returns the id of each. Call it inside a transaction.
 *
 * With `id`, tags are inserted before the post, which needs `PRAGMA defer_foreign_keys`. The triggers on tags then
 * find no post to update, which saves writing each body a second time.
 */
export function postInserter(db: BlogDatabase): (post: GeneratedPost, id?: number) => number {
  const insertPost = db.prepare<Omit<GeneratedPost, 'tagIds'> & { id: number | null }>(`
    INSERT INTO posts (id, slug, title, body, description, cover, meta_title, meta_description, url, status,
      published_at, views, category_id, author_id)
    VALUES (@id, @slug, @title, @body, @description, @cover, @metaTitle, @metaDescription, @url, @status,
      @publishedAt, @views, @categoryId, @authorId)`);
  const insertTag = db.prepare<[number, number, number]>(
    'INSERT INTO post_tags (post_id, tag_id, place) VALUES (?, ?, ?)',
  );
  const insertTags = (id: number, tagIds: readonly number[]) => {
    tagIds.forEach((tagId, place) => insertTag.run(id, tagId, place));
  };

  return ({ tagIds, ...post }, id) => {
    if (id === undefined) {
      const inserted = Number(insertPost.run({ ...post, id: null }).lastInsertRowid);
      insertTags(inserted, tagIds);
      return inserted;
    }
    insertTags(id, tagIds);
    insertPost.run({ ...post, id });
    return id;
  };
}
