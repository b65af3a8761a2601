import { isUtf8 } from 'node:buffer';
import { type BlogDatabase, blogUid, openForReading, readingDatabase } from '../../data/database.ts';
import {
  bodyFault,
  filterNameFault,
  lengthFault,
  pathNameFault,
  TEXT_LIMITS,
} from '../../contract/text-limits.ts';
import { isNumber, isText, listOf, parseJson } from '../../contract/json.ts';
import type { SkippedRow } from '../../data/skipped-row.ts';
import { listWithdrawals } from '../../data/withdrawals.ts';
import type { Author, Post, PostText, Taxonomy, Term } from './blog.ts';
import { cutPostTexts } from './cut-texts.ts';
import { overrideSite, type Site, type SiteOverrides } from './site.ts';

/** Shows whether anything has changed. Cheap to read on a blog of any size. */
export interface SourceRevision {
  readonly content: number;
  readonly views: number;
}

/** A public post; `time` is null if its date cannot be read. */
export type ScannedPost = Omit<Post, 'time'> & { readonly time: number | null };

/** A post's texts, or the reason why it cannot be published. */
type ReadText =
  | {
      readonly text: PostText & { readonly body: string };
      readonly fault: null;
      /** Which of its texts were cut, in words; null: none. */
      readonly cut: string | null;
    }
  | { readonly text: null; readonly fault: string; readonly cut: null };

const IS_PUBLISHED = "status IN ('published', 'scheduled')";

/** Includes posts whose date cannot be read: they are reported as skipped. */
const IS_DUE = '(published_unix <= :now OR published_unix IS NULL)';

/** Uses the index of expiring posts, because SQLite stores the column after the body. */
const NOT_EXPIRED = 'id NOT IN (SELECT id FROM posts WHERE expires_unix <= :now)';

/** Posts that are public at `:now`. */
const IS_PUBLIC = `${IS_PUBLISHED} AND ${IS_DUE} AND ${NOT_EXPIRED}`;

/** The distinct linked tags, by one index seek for each instead of a scan of all links. */
const LINKED_TAGS = `
  WITH RECURSIVE linked (id) AS (
    SELECT min(tag_id) FROM post_tags
    UNION ALL SELECT (SELECT min(tag_id) FROM post_tags WHERE tag_id > id) FROM linked WHERE id IS NOT NULL)
  SELECT id FROM linked WHERE id IS NOT NULL`;

/** The largest count that JSON represents exactly. */
export const MOST_VIEWS = Number.MAX_SAFE_INTEGER;
const VIEWS = `min(max(views, 0), ${MOST_VIEWS})`;

/** Enough for the indexes of 100,000 posts, which a build reads more than once. */
const CACHE_KIB = 16_384;

/**
 * The blog's database, read in one transaction: a concurrent write is either completely in the snapshot or not at all.
 */
export class Source {
  readonly #path: string;
  readonly #db: BlogDatabase;
  readonly #text;
  readonly #body;

  /**
   * @param cacheKib memory for pages of the database
   * @throws DatabaseError
   */
  constructor(path: string, cacheKib = CACHE_KIB) {
    this.#path = path;
    this.#db = openForReading(path);
    this.#db.pragma(`cache_size = -${cacheKib}`);
    // `updated_at` by its index: SQLite stores the column after the body.
    const columns = `id, slug, title, description, cover, meta_title AS metaTitle,
      meta_description AS metaDescription, published_at AS publishedAt, url,
      category_id AS categoryId, author_id AS authorId,
      (SELECT updated_at FROM posts AS own INDEXED BY posts_updates
       WHERE own.id = posts.id AND own.updated_at IS NOT NULL) AS updatedAt,
      (SELECT json_group_array(slug ORDER BY slug) FROM former_slugs
       WHERE post_id = posts.id AND slug <> posts.slug) AS former,
      (SELECT group_concat(tag_id, ' ' ORDER BY place, name, tag_id)
       FROM post_tags JOIN tags ON tags.id = tag_id WHERE post_id = posts.id) AS tagIds`;
    this.#text = this.#db.prepare<[number], TextRow>(`SELECT ${columns}, '' AS body FROM posts WHERE id = ?`);
    this.#body = this.#db.prepare<[number], TextRow>(`SELECT ${columns}, body FROM posts WHERE id = ?`);
  }

  /** Starts the transaction for all reads below. @returns the revision that it sees */
  begin(): SourceRevision {
    return this.#reading(() => {
      this.#db.exec('BEGIN');
      const revision = this.#db.prepare<[], SourceRevision>('SELECT content, views FROM revision').get();
      return revision ?? { content: 0, views: 0 };
    });
  }

  readSite(overrides: SiteOverrides): Site {
    return this.#reading(() => {
      const row = this.#db
        .prepare<[], SiteRow>('SELECT name, url, post_path, category_path, tag_path FROM site')
        .get();
      const { name, url, post_path: post, category_path: category, tag_path: tag } = row ?? DEFAULT_SITE;
      return overrideSite({ name, url, paths: { post, category, tag }, excerpts: true }, overrides);
    });
  }

  /** The identity of the blog in the database; null: not set. */
  readIdentity(): { readonly url: string | null; readonly uid: string | null } {
    return this.#reading(() => {
      const url = this.#db.prepare<[], string>('SELECT url FROM site').pluck().get() ?? DEFAULT_SITE.url;
      return { url: url === DEFAULT_SITE.url ? null : url, uid: blogUid(this.#db) };
    });
  }

  /**
   * @param skipped receives rows that cannot be published
   * @param cut receives rows that are exported without a text that is too long
   */
  readTaxonomy(skipped: SkippedRow[], cut: SkippedRow[]): Taxonomy {
    return this.#reading(() => {
      const missingTags = new Map<number, string>();
      return {
        categories: this.#readTerms('categories', skipped),
        tags: this.#readTags(skipped, missingTags),
        authors: this.#readAuthors(skipped, cut),
        missingTags,
        withdrawn: new Set(listWithdrawals(this.#db).map(({ slug }) => slug)),
      };
    });
  }

  /**
   * The public posts in the order of the blog, with one look at an index that has all of these columns.
   *
   * @param now Unix seconds: scheduled and expired posts are not public
   */
  readPosts(now: number): ScannedPost[] {
    return this.#reading(() =>
      this.#db
        .prepare<{ now: number }, ScannedPost>(
          `SELECT id, slug, published_unix AS time, category_id AS categoryId, author_id AS authorId, revision,
             ${VIEWS} AS views FROM posts WHERE ${IS_PUBLIC} ORDER BY published_unix, slug`,
        )
        .all({ now }),
    );
  }

  /** The number of public posts. */
  countPosts(now: number): number {
    return this.#reading(
      () =>
        this.#db
          .prepare<{ now: number }, number>(`SELECT count(*) FROM posts WHERE ${IS_PUBLIC}`)
          .pluck()
          .get({ now }) ?? 0,
    );
  }

  /** The ids of each tag's posts, by the tag's id; also of posts that are not public. */
  readTagged(): Map<number, readonly number[]> {
    return this.#reading(() => {
      const rows = this.#db
        .prepare<[], [number, string]>(
          'SELECT tag_id, json_group_array(post_id) FROM post_tags GROUP BY tag_id',
        )
        .raw()
        .all();
      return new Map(
        rows.map(([tag, posts]) => [tag, parseJson(posts, listOf(isNumber), 'a list of posts')]),
      );
    });
  }

  /** Slugs under which posts were public, each with the post's id; also of posts that are not public any more. */
  readFormerSlugs(): [slug: string, postId: number][] {
    return this.#reading(() =>
      this.#db
        .prepare<[], [string, number]>(
          `SELECT former.slug, post_id FROM former_slugs AS former JOIN posts ON posts.id = post_id
           WHERE former.slug <> posts.slug ORDER BY former.slug`,
        )
        .raw()
        .all()
        .filter(([slug]) => pathNameFault(slug, TEXT_LIMITS.slug) === null),
    );
  }

  /** Unix seconds at which the next post becomes due or expires; null: none. */
  nextDue(now: number): number | null {
    const next = (moment: string): number | null =>
      this.#db
        .prepare<[number], number | null>(
          `SELECT min(${moment}) FROM posts WHERE ${IS_PUBLISHED} AND ${moment} > ?`,
        )
        .pluck()
        .get(now) ?? null;
    return this.#reading(() => {
      const [appears, expires] = [next('published_unix'), next('expires_unix')];
      return appears === null || expires === null ? (appears ?? expires) : Math.min(appears, expires);
    });
  }

  /** The texts of a post for lists, with an empty body. */
  readListText(id: number, tags: Taxonomy['tags']): ReadText {
    return this.#read(this.#text, id, tags);
  }

  /** All texts of a post. */
  readFullText(id: number, tags: Taxonomy['tags']): ReadText {
    return this.#read(this.#body, id, tags);
  }

  close(): void {
    this.#db.close();
  }

  #reading<T>(work: () => T): T {
    return readingDatabase(this.#path, work);
  }

  #read(statement: { get(id: number): TextRow | undefined }, id: number, tags: Taxonomy['tags']): ReadText {
    return this.#reading(() => {
      const row = statement.get(id);
      if (!row) throw new Error(`Post ${id} disappeared from the database during one transaction.`);
      const fault = this.#textFault(row);
      if (fault !== null) return { text: null, fault, cut: null };
      const known = (row.tagIds ?? '').split(' ').filter((tagId) => tagId !== '' && tags.has(Number(tagId)));
      const { texts, cut } = cutPostTexts({
        title: row.title,
        description: blankToNull(row.description),
        metaTitle: blankToNull(row.metaTitle),
        metaDescription: blankToNull(row.metaDescription),
        cover: row.cover,
        url: row.url,
      });
      const isTimeKnown = row.updatedAt === null || isTimestamp(row.updatedAt);
      const updatedAt = isTimeKnown ? row.updatedAt : null;
      const faults = [cut, isTimeKnown ? null : `its updated_at is not used: it is "${row.updatedAt}"`];
      const formerSlugs = parseJson(row.former, listOf(isText), 'a list of slugs').filter(
        (slug) => pathNameFault(slug, TEXT_LIMITS.slug) === null,
      );
      const tagNames = known.map((tagId) => tags.get(Number(tagId))?.name ?? '');
      return {
        text: { ...row, ...texts, updatedAt, formerSlugs, tags: tagNames },
        fault: null,
        cut: faults.filter((fault) => fault !== null).join('; ') || null,
      };
    });
  }

  #readTerms(table: 'categories' | 'tags', skipped: SkippedRow[]): Map<number, Term> {
    const rows = this.#db.prepare<[], Term>(`SELECT id, name, slug FROM ${table}`).all();
    const findFault = ({ slug, name }: Term) =>
      named('slug', filterNameFault(slug)) ??
      named('name', table === 'tags' ? filterNameFault(name) : lengthFault(name, TEXT_LIMITS.title));
    return this.#accept(table, rows, skipped, ({ slug }) => slug, findFault);
  }

  #readAuthors(skipped: SkippedRow[], cut: SkippedRow[]): Map<number, Author> {
    const rows = this.#db.prepare<[], Author>('SELECT id, name, username, avatar FROM authors').all();
    const findFault = ({ username, name }: Author) =>
      named('username', pathNameFault(username, TEXT_LIMITS.name)) ??
      named('name', lengthFault(name, TEXT_LIMITS.title));
    const authors = this.#accept('authors', rows, skipped, ({ username }) => username, findFault);
    for (const [id, author] of authors) {
      const fault = author.avatar && lengthFault(author.avatar, TEXT_LIMITS.address);
      if (!fault) continue;
      authors.set(id, { ...author, avatar: null });
      cut.push({ table: 'authors', row: author.username, reason: `its avatar is not used: ${fault}` });
    }
    return authors;
  }

  /** Also reports links to missing tags: a writer may have left foreign keys unchecked. */
  #readTags(skipped: SkippedRow[], missingTags: Map<number, string>): Map<number, Term> {
    const tags = this.#readTerms('tags', skipped);
    const linked = this.#db.prepare<[], number>(LINKED_TAGS).pluck().all();
    const selectPosts = this.#db
      .prepare<[number], number>('SELECT post_id FROM post_tags WHERE tag_id = ?')
      .pluck();
    for (const tagId of linked.filter((id) => !tags.has(id))) {
      for (const postId of selectPosts.all(tagId)) {
        missingTags.set(postId, `${missingTags.get(postId) ?? ''} ${tagId}`);
        const reason = `tag ${tagId} is missing or was left out`;
        skipped.push({ table: 'post_tags', row: `${postId}/${tagId}`, reason });
      }
    }
    return tags;
  }

  #accept<Row extends { readonly id: number; readonly name: string }>(
    table: string,
    rows: readonly Row[],
    skipped: SkippedRow[],
    getKey: (row: Row) => string,
    findFault: (row: Row) => string | null,
  ): Map<number, Row> {
    const accepted = new Map<number, Row>();
    for (const row of rows) {
      const key = getKey(row);
      const fault =
        key.trim() === ''
          ? 'it has no slug'
          : (this.#unicodeFault(table, row.id, { key, name: row.name }) ?? findFault(row));
      if (fault === null) accepted.set(row.id, row);
      else skipped.push({ table, row: key.trim() || String(row.id), reason: fault });
    }
    return accepted;
  }

  #textFault(row: TextRow): string | null {
    if (row.title.trim() === '') return 'it has no title';
    if (!isTimestamp(row.publishedAt)) {
      return `its date "${row.publishedAt}" is not of the form 2026-05-01T09:30:00+02:00`;
    }
    return this.#unicodeFault('posts', row.id, row) ?? named('body', bodyFault(row.body));
  }

  /**
   * SQLite stores any bytes as text, and invalid sequences are read as U+FFFD. If a text contains one, its bytes are
   * checked, because an author may have typed this character.
   */
  #unicodeFault(table: string, id: number, texts: object): string | null {
    const suspect = Object.values(texts).some((text) => typeof text === 'string' && text.includes('\ufffd'));
    if (!suspect) return null;
    const columns = this.#db
      .prepare<[], { name: string }>(`SELECT name FROM pragma_table_info('${table}')`)
      .all();
    for (const { name } of columns) {
      const bytes = this.#db
        .prepare<[number], Buffer | null>(`SELECT CAST("${name}" AS BLOB) FROM "${table}" WHERE id = ?`)
        .pluck()
        .get(id);
      if (bytes && !isUtf8(bytes)) return `its ${name} is not valid Unicode`;
    }
    return null;
  }
}

/** Why a post cannot be published, as far as its slug and links tell; null: it can. */
export function entryFault({ slug, categoryId, authorId }: ScannedPost, taxonomy: Taxonomy): string | null {
  if (slug.trim() === '') return 'it has no slug';
  const slugFault = named('slug', pathNameFault(slug, TEXT_LIMITS.slug));
  if (slugFault !== null) return slugFault;
  if (taxonomy.withdrawn.has(slug)) return 'it was withdrawn; "withdraw --undo" lets builds publish it';
  if (categoryId !== null && !taxonomy.categories.has(categoryId)) {
    return `category ${categoryId} is missing or was left out`;
  }
  if (authorId !== null && !taxonomy.authors.has(authorId))
    return `author ${authorId} is missing or was left out`;
  return null;
}

interface SiteRow {
  readonly name: string;
  readonly url: string;
  readonly post_path: string;
  readonly category_path: string;
  readonly tag_path: string;
}

/** The placeholder for an address that is not set, as in schema.sql. */
export const UNKNOWN_ADDRESS = 'https://blog.example';

/** The defaults of schema.sql. The site row can be missing only if triggers were disabled. */
const DEFAULT_SITE: SiteRow = {
  name: 'Blog',
  url: UNKNOWN_ADDRESS,
  post_path: '/posts/{slug}',
  category_path: '/categories/{slug}',
  tag_path: '/tags/{slug}',
};

type TextRow = Omit<PostText, 'tags' | 'formerSlugs'> & {
  readonly body: string;
  readonly tagIds: string | null;
  /** A JSON list. */
  readonly former: string;
};

const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(Z|[+-](0\d|1[0-4]):[0-5]\d)$/;

/** RFC 3339 to the second, on a day that exists. */
function isTimestamp(text: string): boolean {
  const [, year, month, day] = TIMESTAMP.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** `its slug: it contains a slash`; null: no fault. */
function named(text: string, fault: string | null): string | null {
  return fault && `its ${text}: ${fault}`;
}

function blankToNull(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text;
}
