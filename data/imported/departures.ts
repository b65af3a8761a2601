import { createHash } from 'node:crypto';
import type { BlogDatabase } from '../database.ts';
import { TooManyPostsMissing } from './errors.ts';
import { type Origin, sourceStart } from './origin.ts';
import type { QueuedBlog, Reading } from './queue.ts';
import type { KnownPost } from './report.ts';

/** What to do with posts that are no longer in their blog. */
export interface DeparturePolicy {
  /** Continue even if more than half of the blog's published posts are gone or unpublished. */
  readonly force: boolean;
  /** Leave these posts unchanged. */
  readonly keep: boolean;
}

export interface Departures {
  /** Previous source, current source, and the row's id. */
  readonly moved: readonly { readonly from: string; readonly to: string; readonly id: number }[];
  readonly gone: readonly KnownPost[];
  readonly absent: readonly KnownPost[];
}

interface Row extends KnownPost {
  readonly id: number;
  readonly title: string;
  readonly status: string;
  readonly moment: number | null;
  /** The source as the importer gives it, without the origin's prefix. */
  readonly plain: string;
}

interface Newcomer extends KnownPost {
  readonly language: string | null;
  readonly title: string;
  readonly moment: number | null;
}

/**
 * Finds the posts of an origin that are missing from the queue. Posts that are there under another source keep their
 * rows; the others are gone and are archived. If the input is not the whole blog, only posts that it reports as gone
 * (`ended`) are.
 *
 * What its blog hides is archived here too, whatever an option or a guard says. It has no text in the database, unless
 * it was public: drafts, which earlier versions wrote, are deleted.
 *
 * @throws TooManyPostsMissing
 */
export function settleDepartures(
  db: BlogDatabase,
  blog: QueuedBlog,
  origin: Origin,
  reading: Pick<Reading, 'stays' | 'ended'>,
  { force, keep }: DeparturePolicy,
): Departures {
  deleteDrafts(db, origin);
  const hidden = hiddenRows(db, origin);
  const missing = missingRows(db, origin).filter((row) => !mayExist(reading.stays, row.plain));
  const moved = blog.isWhole ? moveRows(db, blog, missing) : [];
  const movedIds = new Set(moved.map(({ id }) => id));
  const left = missing.filter(({ id, status }) => !movedIds.has(id) && status !== 'archived');
  const lost = keep ? [] : left.filter(({ plain }) => blog.isWhole || reading.ended.has(plain));
  const published = countPublic(db, origin);
  if (!force && lost.length * 2 > published)
    throw new TooManyPostsMissing(origin.name, { missing: lost.length, published });
  const archive = db.prepare("UPDATE posts SET status = 'archived' WHERE id = ?");
  const gone = [...hidden, ...lost];
  for (const { id } of gone) archive.run(id);
  const lostIds = new Set(lost.map(({ id }) => id));
  const absent = left.filter(({ id }) => !lostIds.has(id));
  return { moved, gone: gone.map(nameOf), absent: absent.map(nameOf) };
}

function nameOf({ source, slug }: KnownPost): KnownPost {
  return { source, slug };
}

function deleteDrafts(db: BlogDatabase, { id }: Origin): void {
  db.prepare(
    "DELETE FROM posts WHERE status = 'draft' AND id IN (SELECT post_id FROM post_origins WHERE origin_id = ?)",
  ).run(id);
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

/** Public posts of the origin that its blog does not show to everybody. */
function hiddenRows(db: BlogDatabase, { id }: Origin): (KnownPost & { readonly id: number })[] {
  return db
    .prepare<[number], KnownPost & { readonly id: number }>(
      `SELECT id, source, slug FROM post_origins JOIN posts ON id = post_id
       WHERE origin_id = ? AND status <> 'archived' AND source IN (SELECT source FROM temp.import_hidden)
       ORDER BY source`,
    )
    .all(id);
}

/** Posts of the origin that are neither in the queue nor hidden. */
function missingRows(db: BlogDatabase, origin: Origin): Row[] {
  return db
    .prepare<object, Row>(
      `SELECT id, source, slug, title, status, published_unix AS moment,
              @format || substr(source, length(@start) + 1) AS plain
       FROM post_origins JOIN posts ON id = post_id
       WHERE origin_id = @id AND source IS NOT NULL
         AND source NOT IN (
           SELECT source FROM temp.import_queue UNION ALL SELECT source FROM temp.import_hidden
         )
       ORDER BY source`,
    )
    .all({ id: origin.id, format: `${origin.format}:`, start: sourceStart(origin) });
}

/** Whether the post may exist but was unreadable: itself, a folder that contains it, or everything. */
function mayExist(stays: ReadonlySet<string>, source: string): boolean {
  if (stays.size === 0) return false;
  if (stays.has('') || stays.has(source) || stays.has(source.slice(0, source.indexOf(':') + 1))) return true;
  for (let at = source.lastIndexOf('/'); at > 0; at = source.lastIndexOf('/', at - 1)) {
    if (stays.has(source.slice(0, at))) return true;
  }
  return false;
}

/**
 * Gives unknown posts of the queue the rows of missing posts that match: the same slug; the same date and title; or the
 * same text.
 */
function moveRows(
  db: BlogDatabase,
  blog: QueuedBlog,
  missing: readonly Row[],
): { from: string; to: string; id: number }[] {
  if (missing.length === 0) return [];
  const newcomers = new Set(
    db
      .prepare<[number], Newcomer>(
        `SELECT source, slug, language, title, moment FROM temp.import_queue q
         WHERE blog = ? AND NOT EXISTS (SELECT 1 FROM posts p WHERE p.source = q.source)
         ORDER BY language IS NOT NULL, moment, source`,
      )
      .all(blog.number),
  );
  const rows = new Set(missing);
  const pairs: { row: Row; newcomer: Newcomer }[] = [];
  const pair = (row: Row, newcomer: Newcomer): void => {
    rows.delete(row);
    newcomers.delete(newcomer);
    pairs.push({ row, newcomer });
  };

  const bySlug = new Map(missing.map((row) => [row.slug, row]));
  for (const newcomer of newcomers) {
    const { slug, language } = newcomer;
    const wanted = language === null ? [slug] : [`${slug}-${language}`, slug];
    const row = wanted.map((name) => bySlug.get(name)).find((known) => known && rows.has(known));
    if (row) pair(row, newcomer);
  }
  const byDate = ({ title, moment }: Row | Newcomer): string | null =>
    moment === null ? null : JSON.stringify([moment, title]);
  for (const [row, newcomer] of sameOnce(rows, newcomers, byDate, byDate)) pair(row, newcomer);
  const bodyOfRow = db.prepare<[number], string>('SELECT body FROM posts WHERE id = ?').pluck();
  const bodyOfNewcomer = db
    .prepare<[string], string>("SELECT post ->> 'body' FROM temp.import_queue WHERE source = ?")
    .pluck();
  const same = sameOnce(
    rows,
    newcomers,
    ({ id }) => hashOf(bodyOfRow.get(id)),
    ({ source }) => hashOf(bodyOfNewcomer.get(source)),
  );
  for (const [row, newcomer] of same) pair(row, newcomer);

  const move = db.prepare('UPDATE posts SET source = ? WHERE id = ?');
  return pairs.map(({ row: { id, source: from }, newcomer: { source: to } }) => {
    move.run(to, id);
    return { from, to, id };
  });
}

/** Pairs of a row and a new post whose keys are equal and unique on both sides. */
function sameOnce(
  rows: ReadonlySet<Row>,
  newcomers: ReadonlySet<Newcomer>,
  keyOfRow: (row: Row) => string | null,
  keyOfNewcomer: (newcomer: Newcomer) => string | null,
): (readonly [Row, Newcomer])[] {
  if (rows.size === 0 || newcomers.size === 0) return [];
  const once = onlyOnes(newcomers, keyOfNewcomer);
  return [...onlyOnes(rows, keyOfRow)].flatMap(([key, row]) => {
    const newcomer = once.get(key);
    return newcomer === undefined ? [] : [[row, newcomer] as const];
  });
}

function onlyOnes<T>(items: Iterable<T>, keyOf: (item: T) => string | null): Map<string, T> {
  const groups = [...Map.groupBy(items, keyOf)];
  return new Map(
    groups.flatMap(([key, [item, other]]) =>
      key === null || item === undefined || other !== undefined ? [] : [[key, item] as const],
    ),
  );
}

/** Null for an empty text: all of these are equal. */
function hashOf(body: string | undefined): string | null {
  if (body === undefined || body.trim() === '') return null;
  return createHash('sha256').update(body).digest('base64');
}
