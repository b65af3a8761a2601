import { isUtf8 } from 'node:buffer';
import { type BlogDatabase, openForReading, readingDatabase } from '../data/database.ts';
import type { Author, Blog, PostEntry, PostText, SkippedRow, Term } from './blog.ts';
import { overrideSite, type Site, type SiteOverrides } from './site.ts';

/** What tells whether anything at all has changed: cheap to read, whatever the blog's size. */
export interface SourceRevision {
  readonly content: number;
  readonly views: number;
}

/** A post's texts, or the reason why it cannot be exported. */
export type ReadPost =
  | { readonly ok: true; readonly text: PostText & { readonly body: string } }
  | { readonly ok: false; readonly skipped: SkippedRow };

/**
 * The blog's database as the build reads it: in one transaction, so that whatever others write
 * meanwhile is wholly in the snapshot or wholly out of it.
 */
export class Source {
  readonly #path: string;
  readonly #db: BlogDatabase;
  readonly #textOfPost;
  readonly #tagsOfPost;

  /** @throws DatabaseError */
  constructor(path: string) {
    this.#path = path;
    this.#db = openForReading(path);
    this.#textOfPost = this.#db.prepare<[number], PostRow>(
      `SELECT id, slug, title, body, description, cover, meta_title, meta_description, published_at, url
       FROM posts WHERE id = ?`,
    );
    this.#tagsOfPost = this.#db
      .prepare<[number], number>(
        `SELECT tag_id FROM post_tags JOIN tags ON tags.id = tag_id WHERE post_id = ? ORDER BY place, name, tag_id`,
      )
      .pluck();
  }

  /** Begins the transaction that all reads below belong to, and says what it sees. */
  begin(): SourceRevision {
    return this.#reading(() => {
      this.#db.exec('BEGIN');
      const revision = this.#db.prepare<[], SourceRevision>('SELECT content, views FROM revision').get();
      return revision ?? { content: 0, views: 0 };
    });
  }

  /**
   * Everything but the posts' texts.
   *
   * @param now Unix seconds: posts whose time has not come are not public
   */
  readBlog(now: number, overrides: SiteOverrides): Blog {
    return this.#reading(() => {
      const skipped: SkippedRow[] = [];
      const categories = this.#readTerms('categories', skipped);
      const tags = this.#readTerms('tags', skipped);
      const authors = this.#readAuthors(skipped);
      this.#nameBrokenTagLinks(tags, skipped);

      const rows = this.#db
        .prepare<[number], EntryRow>(
          `SELECT id, slug, revision, views, published_unix AS publishedUnix,
             category_id AS categoryId, author_id AS authorId
           FROM posts
           WHERE status IN ('published', 'scheduled') AND (published_unix <= ? OR published_unix IS NULL)
           ORDER BY published_unix, slug`,
        )
        .all(now);
      const posts = rows.filter((row) => {
        const reason = entryFault(row, categories, authors);
        if (reason !== null) skipped.push(skippedPost(row, reason));
        return reason === null;
      });

      const nextDue = this.#db
        .prepare<[number], number | null>(
          `SELECT min(published_unix) FROM posts
           WHERE status IN ('published', 'scheduled') AND published_unix > ?`,
        )
        .pluck()
        .get(now);
      return {
        site: this.readSite(overrides),
        categories,
        tags,
        authors,
        posts,
        skipped,
        nextDue: nextDue ?? null,
      };
    });
  }

  /**
   * The texts of one post that readBlog named.
   *
   * @param tags those that readBlog accepted
   */
  readPost(id: number, tags: ReadonlyMap<number, Term>): ReadPost {
    return this.#reading(() => {
      const row = this.#textOfPost.get(id);
      if (!row) throw new Error(`Post ${id} left the database within one transaction.`);
      const reason = this.#textFault(row);
      if (reason !== null) return { ok: false, skipped: skippedPost(row, reason) };
      const tagIds = this.#tagsOfPost.all(id).filter((tagId) => tags.has(tagId));
      return {
        ok: true,
        text: {
          slug: row.slug,
          title: row.title,
          body: row.body,
          description: blankToNull(row.description),
          cover: row.cover,
          metaTitle: blankToNull(row.meta_title),
          metaDescription: blankToNull(row.meta_description),
          publishedAt: row.published_at,
          url: row.url,
          tags: tagIds.map((tagId) => tags.get(tagId)?.name ?? ''),
          tagIds: tagIds.join(' '),
        },
      };
    });
  }

  close(): void {
    this.#db.close();
  }

  #reading<T>(work: () => T): T {
    return readingDatabase(this.#path, work);
  }

  readSite(overrides: SiteOverrides): Site {
    const row = this.#db
      .prepare<[], SiteRow>('SELECT name, url, post_path, category_path, tag_path FROM site')
      .get();
    const { name, url, post_path: post, category_path: category, tag_path: tag } = row ?? DEFAULT_SITE;
    return overrideSite({ name, url, paths: { post, category, tag } }, overrides);
  }

  #readTerms(table: 'categories' | 'tags', skipped: SkippedRow[]): Map<number, Term> {
    const rows = this.#db.prepare<[], Term>(`SELECT id, name, slug FROM ${table}`).all();
    return this.#accept(table, rows, skipped, ({ slug }) => slug);
  }

  #readAuthors(skipped: SkippedRow[]): Map<number, Author> {
    const rows = this.#db.prepare<[], Author>('SELECT id, name, username, avatar FROM authors').all();
    return this.#accept('authors', rows, skipped, ({ username }) => username);
  }

  #accept<Row extends { readonly id: number; readonly name: string }>(
    table: string,
    rows: readonly Row[],
    skipped: SkippedRow[],
    keyOf: (row: Row) => string,
  ): Map<number, Row> {
    const accepted = new Map<number, Row>();
    for (const row of rows) {
      const key = keyOf(row);
      const fault =
        key.trim() === '' ? 'it has no slug' : this.#unicodeFault(table, row.id, { key, name: row.name });
      if (fault === null) accepted.set(row.id, row);
      else skipped.push({ table, row: key.trim() || String(row.id), reason: fault });
    }
    return accepted;
  }

  /** Links to a tag that is not there: possible where a writer left foreign keys unchecked. */
  #nameBrokenTagLinks(tags: ReadonlyMap<number, Term>, skipped: SkippedRow[]): void {
    const linked = this.#db.prepare<[], number>('SELECT tag_id FROM post_tags GROUP BY tag_id').pluck().all();
    const postsOf = this.#db
      .prepare<[number], number>('SELECT post_id FROM post_tags WHERE tag_id = ?')
      .pluck();
    for (const tagId of linked.filter((id) => !tags.has(id))) {
      for (const postId of postsOf.all(tagId)) {
        skipped.push({
          table: 'post_tags',
          row: `${postId}/${tagId}`,
          reason: `there is no tag ${tagId} to be exported`,
        });
      }
    }
  }

  #textFault(row: PostRow): string | null {
    if (row.title.trim() === '') return 'it has no title';
    if (!isTimestamp(row.published_at)) {
      return `its date "${row.published_at}" is not of the form 2026-05-01T09:30:00+02:00`;
    }
    return this.#unicodeFault('posts', row.id, row);
  }

  /**
   * SQLite keeps whatever bytes it is given as text, and a broken sequence is read as U+FFFD. Only where
   * one is seen, the bytes themselves are looked at: an author may have meant the character.
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

interface SiteRow {
  readonly name: string;
  readonly url: string;
  readonly post_path: string;
  readonly category_path: string;
  readonly tag_path: string;
}

/** As schema.sql has it: the site row can be missing only where triggers were switched off. */
const DEFAULT_SITE: SiteRow = {
  name: 'Blog',
  url: 'https://blog.example',
  post_path: '/posts/{slug}',
  category_path: '/categories/{slug}',
  tag_path: '/tags/{slug}',
};

type EntryRow = PostEntry & { readonly publishedUnix: number | null };

interface PostRow {
  readonly id: number;
  readonly slug: string;
  readonly title: string;
  readonly body: string;
  readonly description: string | null;
  readonly cover: string | null;
  readonly meta_title: string | null;
  readonly meta_description: string | null;
  readonly published_at: string;
  readonly url: string | null;
}

/** What can be told without the texts. */
function entryFault(
  { slug, views, publishedUnix, categoryId, authorId }: EntryRow,
  categories: ReadonlyMap<number, Term>,
  authors: ReadonlyMap<number, Author>,
): string | null {
  if (slug.trim() === '') return 'it has no slug';
  if (publishedUnix === null) return 'its date cannot be read';
  if (categoryId !== null && !categories.has(categoryId))
    return `there is no category ${categoryId} to be exported`;
  if (authorId !== null && !authors.has(authorId)) return `there is no author ${authorId} to be exported`;
  if (!Number.isSafeInteger(views) || views < 0) return `its view count ${views} is no count`;
  return null;
}

function skippedPost(
  { id, slug }: { readonly id: number; readonly slug: string },
  reason: string,
): SkippedRow {
  return { table: 'posts', row: slug.trim() || String(id), reason };
}

const TIMESTAMP = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(Z|[+-](0\d|1[0-4]):[0-5]\d)$/;

/** RFC 3339 to the second, on a day that exists. */
function isTimestamp(text: string): boolean {
  const day = TIMESTAMP.exec(text)?.[1];
  if (day === undefined) return false;
  const parsed = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day);
}

function blankToNull(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text;
}
