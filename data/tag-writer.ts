import type { BlogDatabase } from './database.ts';

/** Sets a post's tags, in order; returns whether anything changed. */
export function tagWriter(db: BlogDatabase): (postId: number, tagIds: readonly number[]) => boolean {
  interface Row {
    tag_id: number;
    place: number;
  }
  const select = db.prepare<[number], Row>('SELECT tag_id, place FROM post_tags WHERE post_id = ?');
  const remove = db.prepare('DELETE FROM post_tags WHERE post_id = ? AND tag_id = ?');
  const insert = db.prepare('INSERT INTO post_tags (post_id, tag_id, place) VALUES (?, ?, ?)');
  const move = db.prepare('UPDATE post_tags SET place = ? WHERE post_id = ? AND tag_id = ?');
  return (postId, tagIds) => {
    const before = new Map(select.all(postId).map((row) => [row.tag_id, row.place]));
    let hasChanged = false;
    for (const [place, tagId] of tagIds.entries()) {
      const was = before.get(tagId);
      before.delete(tagId);
      if (was === place) continue;
      hasChanged = true;
      if (was === undefined) insert.run(postId, tagId, place);
      else move.run(place, postId, tagId);
    }
    for (const tagId of before.keys()) remove.run(postId, tagId);
    return hasChanged || before.size > 0;
  };
}
