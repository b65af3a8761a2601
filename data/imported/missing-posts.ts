import { createHash } from 'node:crypto';
import type { BlogDatabase } from '../database.ts';
import { TooManyPostsMissing } from './errors.ts';
import { type Origin, sourceStart } from './origin.ts';
import type { QueuedBlog, Reading } from './queue.ts';
import type { KnownPost } from './report.ts';

/** Posts of a blog in the database that its import did not read. */
export interface MissingPosts {
  /** Found again under another source: the previous source, the current one, and the row's id. */
  readonly moved: readonly { readonly from: string; readonly to: string; readonly id: number }[];
  /** Archived by this import. */
  readonly gone: readonly KnownPost[];
  /** Left as they were. */
  readonly absent: readonly KnownPost[];
}

interface DatedPost extends KnownPost {
  readonly title: string;
  readonly moment: number | null;
}

interface Row extends DatedPost {
  readonly id: number;
  readonly status: string;
  readonly isHidden: 0 | 1;
  /** The source as the importer gives it, without the origin's prefix. */
  readonly plain: string;
}

interface NewPost extends DatedPost {
  readonly language: string | null;
}

/**
 * Finds the posts of an origin that are not in the queue. Posts that are there under another source keep their rows; the
 * others are archived. If the input is not the complete blog, only posts that it reports as `removed` are.
 *
 * What its blog hides is archived here too, whatever an option or a guard says.
 *
 * @param force continue even if more than half of the blog's published posts are missing
 * @param keep leave missing posts unchanged
 * @throws TooManyPostsMissing
 */
export function updateMissingPosts(
  db: BlogDatabase,
  blog: QueuedBlog,
  origin: Origin,
  { kept, removed }: Pick<Reading, 'kept' | 'removed'>,
  { force, keep }: { readonly force: boolean; readonly keep: boolean },
): MissingPosts {
  const rows = findRows(db, origin);
  const hidden = rows.filter(({ isHidden, status }) => isHidden && status !== 'archived');
  const missing = rows.filter(({ isHidden, plain }) => !isHidden && !mayExist(kept, plain));
  const moved = blog.isComplete ? moveRows(db, blog, missing) : [];
  const movedIds = new Set(moved.map(({ id }) => id));
  const left = missing.filter(({ id, status }) => !movedIds.has(id) && status !== 'archived');
  const isLost = ({ plain }: Row): boolean => !keep && (blog.isComplete || removed.has(plain));
  const lost = left.filter(isLost);
  const published = countPublic(db, origin);
  if (!force && lost.length * 2 > published)
    throw new TooManyPostsMissing(origin.name, { missing: lost.length, published });
  const gone = [...hidden, ...lost];
  const archive = db.prepare("UPDATE posts SET status = 'archived' WHERE id = ?");
  for (const { id } of gone) archive.run(id);
  const toKnown = ({ source, slug }: Row): KnownPost => ({ source, slug });
  return { moved, gone: gone.map(toKnown), absent: left.filter((row) => !isLost(row)).map(toKnown) };
}

/** The number of public posts of an origin. */
function countPublic(db: BlogDatabase, { id }: Origin): number {
  return (
    db
      .prepare<[number], number>(
        `SELECT count(*) FROM post_origins JOIN posts ON id = post_id
         WHERE origin_id = ? AND status IN ('published', 'scheduled')`,
      )
      .pluck()
      .get(id) ?? 0
  );
}

/** Posts of the origin that are hidden by their blog, or not in the queue. */
function findRows(db: BlogDatabase, origin: Origin): Row[] {
  return db
    .prepare<object, Row>(
      `SELECT id, p.source, p.slug, p.title, status, published_unix AS moment, hidden IS NOT NULL AS isHidden,
              @format || substr(p.source, length(@start) + 1) AS plain
       FROM post_origins JOIN posts p ON id = post_id LEFT JOIN temp.import_queue q ON q.source = p.source
       WHERE origin_id = @id AND p.source IS NOT NULL AND (q.source IS NULL OR hidden IS NOT NULL)
       ORDER BY p.source`,
    )
    .all({ id: origin.id, format: `${origin.format}:`, start: sourceStart(origin) });
}

/** Whether the post may exist but was unreadable: itself, a folder that contains it, or everything. */
function mayExist(kept: ReadonlySet<string>, source: string): boolean {
  if (kept.size === 0) return false;
  if (kept.has('') || kept.has(source) || kept.has(source.slice(0, source.indexOf(':') + 1))) return true;
  for (let at = source.lastIndexOf('/'); at > 0; at = source.lastIndexOf('/', at - 1)) {
    if (kept.has(source.slice(0, at))) return true;
  }
  return false;
}

/**
 * Gives unknown posts of the queue the rows of missing posts that match: the same slug; the same date and title; or the
 * same text. The latter two only if no other post matches.
 */
function moveRows(db: BlogDatabase, blog: QueuedBlog, missing: readonly Row[]): MissingPosts['moved'] {
  if (missing.length === 0) return [];
  const rows = new Set(missing);
  const newPosts = new Set(
    db
      .prepare<[number], NewPost>(
        `SELECT source, slug, language, title, moment FROM temp.import_queue q
         WHERE blog = ? AND post IS NOT NULL AND NOT EXISTS (SELECT 1 FROM posts p WHERE p.source = q.source)
         ORDER BY language IS NOT NULL, moment, source`,
      )
      .all(blog.number),
  );
  const moved: { from: string; to: string; id: number }[] = [];
  const setSource = db.prepare('UPDATE posts SET source = ? WHERE id = ?');
  const move = (row: Row, post: NewPost): void => {
    rows.delete(row);
    newPosts.delete(post);
    setSource.run(post.source, row.id);
    moved.push({ from: row.source, to: post.source, id: row.id });
  };

  const bySlug = new Map(missing.map((row) => [row.slug, row]));
  for (const post of newPosts) {
    const { slug, language } = post;
    const wanted = language === null ? [slug] : [`${slug}-${language}`, slug];
    const row = wanted.map((name) => bySlug.get(name)).find((known) => known && rows.has(known));
    if (row) move(row, post);
  }
  const selectBody = db
    .prepare<{ source: string }, string>(
      `SELECT body FROM posts WHERE source = @source
       UNION ALL SELECT post ->> 'body' FROM temp.import_queue WHERE source = @source`,
    )
    .pluck();
  const byDate = ({ title, moment }: DatedPost) => (moment === null ? null : JSON.stringify([moment, title]));
  const byText = ({ source }: DatedPost) => hashBody(selectBody.get({ source }));
  for (const getKey of [byDate, byText]) {
    if (rows.size === 0 || newPosts.size === 0) break;
    const found = uniqueByKey(newPosts, getKey);
    for (const [key, row] of uniqueByKey(rows, getKey)) {
      const post = found.get(key);
      if (post) move(row, post);
    }
  }
  return moved;
}

/** The items whose key no other has. */
function uniqueByKey<T>(items: Iterable<T>, getKey: (item: T) => string | null): Map<string, T> {
  return new Map(
    [...Map.groupBy(items, getKey)].flatMap(([key, [item, other]]) =>
      key === null || item === undefined || other !== undefined ? [] : [[key, item] as const],
    ),
  );
}

/** Null for an empty text: all of these are equal. */
function hashBody(body: string | undefined): string | null {
  if (body === undefined || body.trim() === '') return null;
  return createHash('sha256').update(body).digest('base64');
}
