import { type BlogDatabase, inserted } from '../database.ts';
import { BlogNameInvalid, NameOfKnownBlog, PartOfKnownBlog } from './errors.ts';
import type { KnownBlog } from '../../import/imported-item.ts';
import type { QueuedBlog } from './queue.ts';
import { findHome } from './site.ts';

/** A blog that posts were imported from: a row of `origins`. */
export interface Origin {
  readonly id: number;
  readonly format: string;
  readonly name: string;
  readonly key: string | null;
  /** Follows `format:` in `posts.source`: empty, or the name and `//`, which no path contains. */
  readonly prefix: string;
  /** The state that its format left at the last import. */
  readonly state: string | null;
}

/** The beginning of `posts.source` for an origin's own posts. */
export function sourceStart({ format, prefix }: Pick<Origin, 'format' | 'prefix'>): string {
  return `${format}:${prefix}`;
}

/**
 * Finds the origin of a blog in the queue, or creates it: the one with the given name; or else the one that was last
 * found under the same key; or else the one with most of its posts, since blogs move to other folders and machines. So
 * a checkout in CI is the same blog as the one at home.
 *
 * @param mayBePart whether a part of a known blog may count as the whole blog
 * @throws BlogNameInvalid, NameOfKnownBlog, PartOfKnownBlog
 */
export function findOrigin(
  db: BlogDatabase,
  blog: QueuedBlog,
  given: string | undefined,
  mayBePart: boolean,
): { readonly origin: Origin; readonly isNew: boolean } {
  if (given !== undefined && !/^(?!\s*$)[^/\p{Cc}]{1,100}$/u.test(given)) throw new BlogNameInvalid(given);
  const known = all(db, blog.format);
  const origin =
    given === undefined
      ? (known.find((origin) => isNamed(origin, blog)) ?? findMostSimilar(db, blog, known))
      : known.find(({ name }) => name === given);
  if (origin === undefined) return { origin: makeOrigin(db, blog, given, known), isNew: true };
  if (origin.key !== blog.key) {
    if (!mayBePart) refusePart(db, blog, origin);
    freeKey(db, blog);
    db.prepare('UPDATE origins SET key = ? WHERE id = ?').run(blog.key, origin.id);
  }
  return { origin: { ...origin, key: blog.key }, isNew: false };
}

/** By its key; without a key, by its name. */
function isNamed({ key, name }: Origin, blog: QueuedBlog): boolean {
  return blog.key === null ? key === null && name === nameFor(blog) : key === blog.key;
}

function nameFor({ name, format }: QueuedBlog): string {
  return (
    name
      .replaceAll(/[/\p{Cc}]/gu, '-')
      .slice(0, 90)
      .trim() || format
  );
}

/** The database's state of the blog that was last found under a key, for the format that reads it again. */
export function knownBlog(
  db: BlogDatabase,
  format: string,
  key: string,
  configured?: string,
): KnownBlog | null {
  const origin = all(db, format).find((origin) => origin.key === key);
  if (origin === undefined) return null;
  const sources = new Set(
    db
      .prepare<[number], string>(
        'SELECT source FROM post_origins JOIN posts ON id = post_id WHERE origin_id = ?',
      )
      .pluck()
      .all(origin.id),
  );
  return {
    state: origin.state,
    home: findHome(db, origin.id, configured),
    has: (source) => sources.has(sourceStart(origin) + source.slice(format.length + 1)),
  };
}

function all(db: BlogDatabase, format: string): Origin[] {
  return db.prepare<[string], Origin>('SELECT * FROM origins WHERE format = ? ORDER BY id').all(format);
}

/** A folder belongs to one blog at a time. */
function freeKey(db: BlogDatabase, { format, key }: Pick<QueuedBlog, 'format' | 'key'>): void {
  db.prepare('UPDATE origins SET key = NULL WHERE format = ? AND key = ?').run(format, key);
}

/** The first origin of a format has sources without a prefix. @throws NameOfKnownBlog */
function makeOrigin(
  db: BlogDatabase,
  blog: QueuedBlog,
  given: string | undefined,
  known: readonly Origin[],
): Origin {
  const { format, key } = blog;
  const wanted = nameFor(blog);
  const isTaken = (candidate: string): boolean => known.some((other) => other.name === candidate);
  const same = known.find((other) => other.name === wanted);
  if (given === undefined && !blog.isComplete && same !== undefined)
    throw new NameOfKnownBlog(wanted, same.key, key);
  let free = given ?? wanted;
  for (let count = 2; isTaken(free); count++) free = `${wanted}-${count}`;
  const prefix = known.some((other) => other.prefix === '') ? `${free}//` : '';
  freeKey(db, { format, key });
  const insert = db.prepare<[string, string, string | null, string], Origin>(
    'INSERT INTO origins (format, name, key, prefix) VALUES (?, ?, ?, ?) RETURNING *',
  );
  return inserted(insert.get(format, free, key, prefix));
}

/**
 * Posts of the queue and of an origin that match: the same slug on the same day. A time without a zone is not the same
 * moment for all readers of a site.
 */
const ALIKE = `
  SELECT q.source AS here, p.source AS there, o.origin_id AS origin
  FROM temp.import_queue q JOIN posts p ON p.slug = q.slug JOIN post_origins o ON o.post_id = p.id
  WHERE q.blog = @blog AND abs(p.published_unix - q.moment) <= 86400`;

/** Only a whole blog can be recognised by its posts: one part is like any other. */
function findMostSimilar(db: BlogDatabase, blog: QueuedBlog, known: readonly Origin[]): Origin | undefined {
  if (!blog.isComplete || known.length === 0) return undefined;
  const [most] = db
    .prepare<object, { id: number; alike: number }>(
      `SELECT origin AS id, count(DISTINCT here) AS alike FROM (${ALIKE})
       WHERE origin IN (SELECT id FROM origins WHERE format = @format)
       GROUP BY origin ORDER BY alike DESC, id`,
    )
    .all({ blog: blog.number, format: blog.format });
  const posts = db
    .prepare<[number], number>('SELECT count(post) FROM temp.import_queue WHERE blog = ?')
    .pluck()
    .get(blog.number);
  if (most === undefined || most.alike * 2 < (posts ?? 0)) return undefined;
  return known.find(({ id }) => id === most.id);
}

/** Refuses a folder inside a known blog's folder: the posts outside it would look deleted. @throws PartOfKnownBlog */
function refusePart(db: BlogDatabase, blog: QueuedBlog, origin: Origin): void {
  const start = sourceStart(origin);
  const pairs = db
    .prepare<object, { here: string; there: string }>(`${ALIKE} AND o.origin_id = @origin`)
    .all({ blog: blog.number, origin: origin.id })
    .map(({ here, there }) => [here.slice(blog.format.length + 1), there.slice(start.length)] as const);
  const [first] = pairs;
  if (first === undefined || !first[1].endsWith(`/${first[0]}`)) return;
  const part = first[1].slice(0, -first[0].length - 1);
  if (!pairs.every(([here, there]) => there === `${part}/${here}`)) return;
  const outside = db
    .prepare<[number, number, string], number>(
      `SELECT 1 FROM post_origins JOIN posts ON posts.id = post_id
       WHERE origin_id = ? AND status <> 'archived' AND substr(source, 1, ?) <> ?`,
    )
    .pluck()
    .get(origin.id, start.length + part.length + 1, `${start}${part}/`);
  if (outside !== undefined) throw new PartOfKnownBlog(blog.key ?? 'This', origin.name, part);
}

/** Gives the blog's posts, also hidden ones, their sources in the database. */
export function addPrefix(db: BlogDatabase, { number, format }: QueuedBlog, { prefix }: Origin): void {
  if (prefix === '') return;
  const plain = `${format}:`;
  db.prepare('UPDATE temp.import_queue SET source = ? || substr(source, ?) WHERE blog = ?').run(
    plain + prefix,
    plain.length + 1,
    number,
  );
}
