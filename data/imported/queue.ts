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

type PostStatus = 'published' | 'scheduled' | 'archived';

export type HiddenCounts = Readonly<Partial<Record<Hidden['reason'], number>>>;

/** Of things that are skipped for the same reason, so many are named; the others are counted with the last. */
const MAX_ALIKE = 10_000;

/** The result of reading, except for what is in the queue. */
export interface Reading {
  readonly blogs: readonly QueuedBlog[];
  readonly skipped: readonly Skipped[];
  readonly losses: readonly Loss[];
  readonly notes: readonly string[];
  /** Like `kept` and `removed` of ImportedItem. */
  readonly kept: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

/**
 * Queues posts until all are read, in a temporary table of this connection. The last post may decide the order of
 * writing; a blog may not fit in memory; and a transaction cannot stay open while files are read.
 *
 * A row is a post (`post`), one that its blog hides (`hidden`, the reason), or one that is unchanged (neither).
 */
export async function queuePosts(db: BlogDatabase, items: AsyncIterable<ImportedItem>): Promise<Reading> {
  dropQueue(db);
  db.exec(`
    CREATE TEMP TABLE import_queue (
      source TEXT PRIMARY KEY, blog INTEGER, hidden TEXT,
      slug TEXT, language TEXT, title TEXT, moment INTEGER, post TEXT
    ) STRICT;
    CREATE INDEX temp.import_queue_slugs ON import_queue (slug);
    CREATE TEMP TABLE import_terms (
      kind TEXT, slug TEXT, name TEXT NOT NULL, avatar TEXT, PRIMARY KEY (kind, slug)
    ) STRICT;
  `);
  // A post that comes as both is hidden.
  const insert = db.prepare(
    `INSERT INTO temp.import_queue VALUES (?, ?, NULL, ?, ?, ?, unixepoch(?), ?)
     ON CONFLICT DO UPDATE SET blog = blog WHERE hidden IS NOT NULL`,
  );
  const insertHidden = db.prepare(
    `INSERT INTO temp.import_queue (source, blog, hidden) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET hidden = coalesce(hidden, excluded.hidden), slug = NULL, post = NULL`,
  );
  const insertUnchanged = db.prepare('INSERT OR IGNORE INTO temp.import_queue (source, blog) VALUES (?, ?)');
  const insertTerm = db.prepare('INSERT OR IGNORE INTO temp.import_terms VALUES (?, ?, ?, ?)');
  const blogs: (QueuedBlog & { state: string | null; isComplete: boolean })[] = [];
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
  const kept = new Set<string>();
  const removed = new Set<string>();
  let blog: (typeof blogs)[number] | undefined;
  for await (const item of items) {
    const number = blog?.number ?? null;
    switch (item.kind) {
      case 'blog':
        blog = blogs.find(({ format, key }) => format === item.blog.format && key === item.blog.key);
        if (blog === undefined) blogs.push((blog = { ...item.blog, number: blogs.length, state: null }));
        break;
      case 'complete':
        if (blog) blog.isComplete = true;
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
        const row = [source, number, slug, language, title, publishedAt, JSON.stringify(item.post)];
        if (insert.run(...row).changes === 0)
          skip({ source, reason: 'appears twice in this import; the first was used' });
        break;
      }
      case 'hidden':
        insertHidden.run(item.hidden.source, number, item.hidden.reason);
        break;
      case 'unchanged':
        insertUnchanged.run(item.source, number);
        break;
      case 'skipped':
        skip(item.skipped);
        if (item.kept !== undefined) kept.add(item.kept);
        if (item.removed !== undefined) removed.add(item.removed);
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
  return { blogs, skipped, losses, notes, kept, removed };
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
  const order = db
    .prepare<[], number>(
      `SELECT rowid FROM temp.import_queue WHERE post IS NOT NULL
       ORDER BY language IS NOT NULL, moment IS NULL, moment, source`,
    )
    .pluck()
    .all();
  // One query for each, since the database is written to in between.
  const select = db.prepare<[number], { source: string; blog: number | null; post: string }>(
    'SELECT source, blog, post FROM temp.import_queue WHERE rowid = ?',
  );
  for (const id of order) {
    const row = select.get(id);
    if (row === undefined) continue;
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
      `SELECT hidden, count(*) FROM temp.import_queue WHERE hidden IS NOT NULL GROUP BY hidden ORDER BY hidden`,
    )
    .raw()
    .all();
  return Object.fromEntries(rows);
}

/** How many posts are unchanged, by their status in the database. */
export function unchangedPosts(db: BlogDatabase): [status: PostStatus, count: number][] {
  return db
    .prepare<[], [PostStatus, number]>(
      `SELECT status, count(*) FROM temp.import_queue q JOIN posts p ON p.source = q.source
       WHERE q.post IS NULL AND q.hidden IS NULL GROUP BY status`,
    )
    .raw()
    .all();
}

/** The number of rows in the queue, and how many of them are posts to write. */
export function queueLength(db: BlogDatabase): { readonly found: number; readonly posts: number } {
  const select = 'SELECT count(*) AS found, count(post) AS posts FROM temp.import_queue';
  return db.prepare<[], { found: number; posts: number }>(select).get() ?? { found: 0, posts: 0 };
}

/** Whether a queued post prefers this slug, so that no other may be renamed to it. */
export function isPreferred(db: BlogDatabase): (slug: string) => boolean {
  const select = db.prepare<[string], number>('SELECT 1 FROM temp.import_queue WHERE slug = ?');
  return (slug) => select.get(slug) !== undefined;
}

export function dropQueue(db: BlogDatabase): void {
  for (const table of ['queue', 'terms']) db.exec(`DROP TABLE IF EXISTS temp.import_${table}`);
}
