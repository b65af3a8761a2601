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
 * rows; the others are gone and are archived.
 *
 * If the input is not the whole blog, only posts that it reports as gone (`ended`) or hidden are archived.
 *
 * @throws TooManyPostsMissing
 */
export function settleDepartures(
  db: BlogDatabase,
  blog: QueuedBlog,
  origin: Origin,
  reading: Pick<Reading, 'stays' | 'ended' | 'hidden'>,
  { force, keep }: DeparturePolicy,
): Departures {
  const missing = missingRows(db, origin).filter((row) => !mayExist(reading.stays, row.plain));
  const moved = blog.isWhole ? moveRows(db, blog, missing) : [];
  const movedIds = new Set(moved.map(({ id }) => id));
  const left = missing.filter(({ id }) => !movedIds.has(id));
  const isGone = (row: Row): boolean =>
    (blog.isWhole && (isPublic(row) || blog.showsOnlyPublic !== true)) || reading.ended.has(row.plain);
  const current = left.filter(({ status }) => status !== 'archived');
  // What its blog hides is hidden here too, whatever an option or a guard says.
  const hidden = current.filter(({ plain }) => reading.hidden.has(plain));
  const lost = keep ? [] : current.filter((row) => !reading.hidden.has(row.plain) && isGone(row));
  const gone = [...hidden, ...lost];
  const publicGone = lost.filter(isPublic).length;
  const { published, takenBack } = countPublic(db, origin);
  const isMostlyGone = publicGone * 2 > published;
  const isMostlyHidden = (publicGone + takenBack) * 2 > published && takenBack >= MANY_TAKEN_BACK;
  if (!force && (isMostlyGone || isMostlyHidden))
    throw new TooManyPostsMissing(origin.name, { missing: publicGone, takenBack, published });
  const archive = db.prepare("UPDATE posts SET status = 'archived' WHERE id = ?");
  for (const { id } of gone) archive.run(id);
  const goneIds = new Set(gone.map(({ id }) => id));
  const absent = left.filter((row) => isPublic(row) && !goneIds.has(row.id));
  return { moved, gone: gone.map(nameOf), absent: absent.map(nameOf) };
}

function nameOf({ source, slug }: KnownPost): KnownPost {
  return { source, slug };
}

function isPublic({ status }: Row): boolean {
  return status === 'published' || status === 'scheduled';
}

/** Fewer may be unpublished by hand. A fault in a site's configuration turns all posts into drafts. */
const MANY_TAKEN_BACK = 3;

/**
 * The number of public posts of an origin, and of those that are drafts or archived in the queue. Expired posts are no
 * longer public.
 */
function countPublic(
  db: BlogDatabase,
  { id }: Origin,
): { readonly published: number; readonly takenBack: number } {
  const counts = db
    .prepare<[number], { published: number; takenBack: number }>(
      `SELECT count(*) AS published, count(*) FILTER (
         WHERE q.post ->> 'status' IN ('draft', 'archived')
           AND (expires_unix IS NULL OR expires_unix > unixepoch())
       ) AS takenBack
       FROM post_origins JOIN posts ON posts.id = post_id
       LEFT JOIN temp.import_queue q ON q.source = posts.source
       WHERE origin_id = ? AND status IN ('published', 'scheduled')`,
    )
    .get(id);
  return counts ?? { published: 0, takenBack: 0 };
}

/** Posts of the origin that are missing from the queue. */
function missingRows(db: BlogDatabase, origin: Origin): Row[] {
  return db
    .prepare<object, Row>(
      `SELECT id, source, slug, title, status, published_unix AS moment,
              @format || substr(source, length(@start) + 1) AS plain
       FROM post_origins JOIN posts ON id = post_id
       WHERE origin_id = @id AND source IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM temp.import_queue q WHERE q.source = posts.source)
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
