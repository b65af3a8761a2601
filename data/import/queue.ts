import type { BlogDatabase } from '../database.ts';
import type { ImportedItem, ImportedPost, Skipped } from './post.ts';

/**
 * Where posts wait until all are read. They are written in an order that only the last of them settles,
 * a blog need not fit in memory, and a transaction cannot stay open while files are read: so they wait
 * in a temporary table, which is this connection's own and no part of the database's file.
 */
export async function queuePosts(db: BlogDatabase, items: AsyncIterable<ImportedItem>): Promise<Skipped[]> {
  dropQueue(db);
  db.exec(`
    CREATE TEMP TABLE import_queue (
      source TEXT PRIMARY KEY, slug TEXT NOT NULL, language TEXT, moment INTEGER, post TEXT NOT NULL
    ) STRICT;
    CREATE INDEX temp.import_queue_slugs ON import_queue (slug);
  `);
  const insert = db.prepare('INSERT OR IGNORE INTO temp.import_queue VALUES (?, ?, ?, unixepoch(?), ?)');
  const skipped: Skipped[] = [];
  for await (const item of items) {
    if (item.kind === 'skipped') {
      skipped.push(item.skipped);
      continue;
    }
    const { source, slug, language, publishedAt } = item.post;
    const { changes } = insert.run(source, slug, language, publishedAt, JSON.stringify(item.post));
    if (changes === 0) skipped.push({ source, reason: 'comes twice in this import; the first was taken' });
  }
  return skipped;
}

/**
 * The waiting posts, in the order in which they choose their slugs: translations after what is in the
 * blog's own language, then the oldest first, then by source. Each import comes to the same.
 */
export function* queuedPosts(db: BlogDatabase): Generator<ImportedPost> {
  db.exec(`
    CREATE TEMP TABLE import_order AS
    SELECT rowid AS place FROM temp.import_queue
    ORDER BY language IS NOT NULL, moment IS NULL, moment, source
  `);
  // One at a time by its place, since the database is written to between two of them.
  const select = db
    .prepare<[number], string>(
      'SELECT post FROM temp.import_queue WHERE rowid = (SELECT place FROM temp.import_order WHERE rowid = ?)',
    )
    .pluck();
  for (let place = 1; ; place++) {
    const post = select.get(place);
    if (post === undefined) return;
    yield JSON.parse(post) as ImportedPost; // what `queuePosts` wrote
  }
}

/** How many posts wait. */
export function queueLength(db: BlogDatabase): number {
  return db.prepare<[], number>('SELECT count(*) FROM temp.import_queue').pluck().get() ?? 0;
}

/** Whether a post in the queue asks for this slug, so that no other may be renamed to it. */
export function isAskedFor(db: BlogDatabase): (slug: string) => boolean {
  const select = db.prepare<[string], number>('SELECT 1 FROM temp.import_queue WHERE slug = ?');
  return (slug) => select.get(slug) !== undefined;
}

export function dropQueue(db: BlogDatabase): void {
  db.exec('DROP TABLE IF EXISTS temp.import_queue; DROP TABLE IF EXISTS temp.import_order;');
}
