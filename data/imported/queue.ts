import { isRecord, parseJson } from '../../contract/json.ts';
import type { BlogDatabase } from '../database.ts';
import type {
  Hidden,
  ImportedBlog,
  ImportedItem,
  ImportedPost,
  Loss,
  Skipped,
  Term,
} from '../../import/imported-item.ts';

/** A blog that is being imported; its posts in the queue have its number. */
export interface QueuedBlog extends ImportedBlog {
  readonly number: number;
  /** The format's state for the next import. */
  readonly state: string | null;
}

/** A category, tag or author that is named by itself; an author's slug is the username. */
export interface QueuedTerm extends Term {
  readonly kind: 'category' | 'tag' | 'author';
  readonly avatar: string | null;
}

export type HiddenCounts = Readonly<Partial<Record<Hidden['reason'], number>>>;

/** Of things that are skipped for the same reason, so many are named; the others are counted with the last. */
const MAX_ALIKE = 10_000;

/** The result of reading, except for the posts, which are in the queue. */
export interface Reading {
  readonly blogs: readonly QueuedBlog[];
  readonly skipped: readonly Skipped[];
  readonly losses: readonly Loss[];
  readonly notes: readonly string[];
  /** The `source` of each post that was not read again, and its blog's number. */
  readonly unchanged: ReadonlyMap<string, number>;
  /** Like `stays` and `ended` of ImportedItem. */
  readonly stays: ReadonlySet<string>;
  readonly ended: ReadonlySet<string>;
}

/**
 * Queues posts until all are read, in a temporary table of this connection. The last post may decide the order of
 * writing; a blog may not fit in memory; and a transaction cannot stay open while files are read.
 */
export async function queuePosts(db: BlogDatabase, items: AsyncIterable<ImportedItem>): Promise<Reading> {
  dropQueue(db);
  db.exec(`
    CREATE TEMP TABLE import_queue (
      source TEXT PRIMARY KEY, blog INTEGER, slug TEXT NOT NULL, language TEXT, title TEXT NOT NULL,
      moment INTEGER, post TEXT NOT NULL
    ) STRICT;
    CREATE INDEX temp.import_queue_slugs ON import_queue (slug);
    CREATE TEMP TABLE import_hidden (source TEXT PRIMARY KEY, blog INTEGER, reason TEXT NOT NULL) STRICT;
    CREATE TEMP TABLE import_terms (
      kind TEXT, slug TEXT, name TEXT NOT NULL, avatar TEXT, PRIMARY KEY (kind, slug)
    ) STRICT;
  `);
  const insert = db.prepare(
    'INSERT OR IGNORE INTO temp.import_queue VALUES (?, ?, ?, ?, ?, unixepoch(?), ?)',
  );
  const insertTerm = db.prepare('INSERT OR IGNORE INTO temp.import_terms VALUES (?, ?, ?, ?)');
  const hide = db.prepare('INSERT OR IGNORE INTO temp.import_hidden VALUES (?, ?, ?)');
  const blogs: (QueuedBlog & { state: string | null; isWhole: boolean })[] = [];
  const skipped: Skipped[] = [];
  const alike = new Map<string, { number: number; last: Omit<Skipped, 'count'> & { count?: number } }>();
  const skip = (one: Skipped): void => {
    const { number, last } = alike.get(one.reason) ?? { number: 0, last: { ...one } };
    if (number === MAX_ALIKE) {
      last.count = (last.count ?? 1) + (one.count ?? 1);
      return;
    }
    const named = { ...one };
    alike.set(one.reason, { number: number + 1, last: named });
    skipped.push(named);
  };
  const losses: Loss[] = [];
  const notes: string[] = [];
  const unchanged = new Map<string, number>();
  const stays = new Set<string>();
  const ended = new Set<string>();
  let blog: (typeof blogs)[number] | undefined;
  for await (const item of items) {
    switch (item.kind) {
      case 'blog':
        blog = blogs.find(({ format, key }) => format === item.blog.format && key === item.blog.key);
        if (blog === undefined) blogs.push((blog = { ...item.blog, number: blogs.length, state: null }));
        break;
      case 'whole':
        if (blog) blog.isWhole = true;
        break;
      case 'category':
      case 'tag':
        insertTerm.run(item.kind, item.term.slug, item.term.name, null);
        break;
      case 'author': {
        const { username, name, avatar } = item.author;
        insertTerm.run(item.kind, username, name, avatar);
        break;
      }
      case 'post': {
        const { source, slug, language, title, publishedAt } = item.post;
        const row = [source, blog?.number ?? null, slug, language, title, publishedAt];
        const { changes } = insert.run(...row, JSON.stringify(item.post));
        if (changes === 0) skip({ source, reason: 'appears twice in this import; the first was used' });
        break;
      }
      case 'hidden':
        hide.run(item.hidden.source, blog?.number ?? null, item.hidden.reason);
        break;
      case 'unchanged':
        stays.add(item.source);
        if (blog) unchanged.set(item.source, blog.number);
        break;
      case 'skipped':
        skip(item.skipped);
        if (item.stays !== undefined) stays.add(item.stays);
        if (item.ended !== undefined) ended.add(item.ended);
        break;
      case 'loss':
        losses.push(item.loss);
        break;
      case 'note':
        notes.push(item.text);
        break;
      case 'state':
        if (blog) blog.state = item.text;
        break;
    }
  }
  // A post that came as both is hidden.
  db.exec('DELETE FROM temp.import_queue WHERE source IN (SELECT source FROM temp.import_hidden)');
  return { blogs, skipped, losses, notes, unchanged, stays, ended };
}

/** The queue was written by this import. */
function isQueuedPost(value: unknown): value is ImportedPost {
  return isRecord(value);
}

/**
 * The queued posts, in the order in which they choose their slugs: the blog's own language first, then the oldest
 * first, then by source. So every import gives the same result.
 */
export function* queuedPosts(
  db: BlogDatabase,
): Generator<{ readonly post: ImportedPost; readonly blog: number | null }> {
  db.exec(`
    CREATE TEMP TABLE import_order AS
    SELECT rowid AS place FROM temp.import_queue
    ORDER BY language IS NOT NULL, moment IS NULL, moment, source
  `);
  // One query for each, since the database is written to in between.
  const select = db.prepare<[number], { source: string; blog: number | null; post: string }>(
    `SELECT source, blog, post FROM temp.import_queue
       WHERE rowid = (SELECT place FROM temp.import_order WHERE rowid = ?)`,
  );
  for (let place = 1; ; place++) {
    const row = select.get(place);
    if (row === undefined) return;
    const post = parseJson(row.post, isQueuedPost, 'a post of the queue');
    yield { post: { ...post, source: row.source }, blog: row.blog };
  }
}

/** The terms that the import names by themselves, in its order. */
export function queuedTerms(db: BlogDatabase): QueuedTerm[] {
  return db
    .prepare<[], QueuedTerm>('SELECT kind, slug, name, avatar FROM temp.import_terms ORDER BY rowid')
    .all();
}

/** How many posts the blogs do not show to everybody, by reason. */
export function hiddenPosts(db: BlogDatabase): HiddenCounts {
  const rows = db
    .prepare<[], [Hidden['reason'], number]>(
      'SELECT reason, count(*) FROM temp.import_hidden GROUP BY reason ORDER BY reason',
    )
    .raw()
    .all();
  return Object.fromEntries(rows);
}

/** The number of queued posts. */
export function queueLength(db: BlogDatabase): number {
  return db.prepare<[], number>('SELECT count(*) FROM temp.import_queue').pluck().get() ?? 0;
}

/** Whether a queued post prefers this slug, so that no other may be renamed to it. */
export function isPreferred(db: BlogDatabase): (slug: string) => boolean {
  const select = db.prepare<[string], number>('SELECT 1 FROM temp.import_queue WHERE slug = ?');
  return (slug) => select.get(slug) !== undefined;
}

export function dropQueue(db: BlogDatabase): void {
  for (const table of ['queue', 'order', 'hidden', 'terms'])
    db.exec(`DROP TABLE IF EXISTS temp.import_${table}`);
}
