import type Database from 'better-sqlite3';
import { termsOf } from '../../../contract/search/search-text.ts';
import { SHOWN } from './database.ts';

/** Query parameters of `GET /posts` in the live API. */
export interface PostsQuery {
  readonly category?: string;
  readonly tag?: string;
  readonly q?: string;
  readonly page?: number;
  readonly per_page?: number;
}

export interface ListAnswer {
  readonly items: readonly unknown[];
  readonly meta: { page: number; per_page: number; last_page: number; total: number };
}

const ORDER = 'published_unix DESC, slug DESC';

const TAGS = `(SELECT json_group_array(name ORDER BY place, name) FROM post_tags JOIN tags ON tags.id = tag_id
  WHERE post_id = p.id) AS tags`;

const SUMMARIES = `
  SELECT p.slug, p.title, p.description, p.cover, p.views, ${TAGS}, c.name AS category, c.slug AS category_slug,
    a.name AS author, a.username, p.url, p.published_at
  FROM posts p LEFT JOIN categories c ON c.id = p.category_id LEFT JOIN authors a ON a.id = p.author_id`;

interface SummaryRow extends Record<'slug' | 'title' | 'tags' | 'url' | 'published_at', string> {
  readonly description: string | null;
  readonly cover: string | null;
  readonly views: number;
  readonly category: string | null;
  readonly category_slug: string;
  readonly author: string | null;
  readonly username: string;
}

interface DetailRow extends Record<'slug' | 'title' | 'content' | 'tags' | 'published_at', string> {
  readonly meta_title: string | null;
  readonly meta_description: string | null;
}

/** Lists and articles of one blog, with prepared statements. */
export class Posts {
  readonly #db: Database.Database;
  readonly #lists = new Map<string, ListStatements>();
  readonly #category;
  readonly #tag;
  readonly #article;

  constructor(db: Database.Database) {
    this.#db = db;
    const id = (sql: string) => db.prepare<[string], number>(sql).pluck();
    this.#category = id('SELECT id FROM categories WHERE slug = ?');
    this.#tag = db
      .prepare<{ tag: string }, number>(
        "SELECT id FROM tags WHERE slug = @tag OR replace(lower(name), ' ', '-') = @tag LIMIT 1",
      )
      .pluck();
    this.#article = db.prepare<[string], DetailRow>(
      `SELECT slug, title, body AS content, ${TAGS}, meta_title, meta_description, published_at
       FROM posts p WHERE slug = ? AND ${SHOWN} AND published_unix <= unixepoch()`,
    );
  }

  list({ category, tag, q = '', page = 1, per_page = 15 }: PostsQuery): ListAnswer {
    const terms = termsOf(q);
    const parameters = {
      category: category === undefined ? undefined : (this.#category.get(category) ?? -1),
      tag:
        tag === undefined
          ? undefined
          : (this.#tag.get({ tag: tag.toLowerCase().replaceAll(' ', '-') }) ?? -1),
      match:
        terms.length === 0 ? undefined : terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' AND '),
    };
    const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
    const statements = this.#listOf(given.map(([name]) => name));
    const values = Object.fromEntries(given);
    const total = statements.count.get(values) ?? 0;
    const pages = total > MANY ? statements.pageOfMany : statements.pageOfFew;
    const rows = pages.all({ ...values, limit: per_page, offset: (page - 1) * per_page });
    return {
      items: rows.map(summaryOf),
      meta: { page, per_page, last_page: Math.max(1, Math.ceil(total / per_page)), total },
    };
  }

  /** Undefined if there is none. */
  article(slug: string): unknown {
    const row = this.#article.get(slug);
    if (!row) return undefined;
    const { title, content, tags, meta_title, meta_description, published_at } = row;
    return {
      ...{ slug, title, content, tags: valueOf(tags), seo: { meta_title, meta_description } },
      published_at,
    };
  }

  #listOf(filters: readonly string[]) {
    const key = filters.join(' ');
    let statements = this.#lists.get(key);
    if (!statements) this.#lists.set(key, (statements = prepareList(this.#db, new Set(filters))));
    return statements;
  }
}

/** With more matches than this, walking along an index in order is cheaper than sorting the matches. */
const MANY = 500;

type ListStatements = ReturnType<typeof prepareList>;

/**
 * The ids of the page first, from indexes alone; then only the rows that are shown. The best index was chosen by
 * measurement.
 */
function prepareList(db: Database.Database, filters: ReadonlySet<string>) {
  const ordered = filters.has('category') ? 'shown_of_category' : 'shown_in_order';
  const where = (tagged: string) =>
    [
      ...[SHOWN, 'published_unix <= unixepoch()'],
      ...(filters.has('category') ? ['category_id = @category'] : []),
      ...(filters.has('tag') ? [tagged] : []),
      ...(filters.has('match') ? ['id IN (SELECT rowid FROM search WHERE search MATCH @match)'] : []),
    ].join(' AND ');
  const page = (from: string) =>
    db.prepare<object, SummaryRow>(
      `${SUMMARIES} WHERE p.id IN (SELECT id ${from} ORDER BY ${ORDER} LIMIT @limit OFFSET @offset)
       ORDER BY p.published_unix DESC, p.slug DESC`,
    );
  const narrow = filters.has('tag') || filters.has('match');
  const countAlong = narrow && ordered === 'shown_in_order' ? '' : `INDEXED BY ${ordered}`;
  const wordsAlone = filters.size === 1 && filters.has('match');
  return {
    // The index of words contains the shown columns, so counting needs nothing else.
    count: db
      .prepare<object, number>(
        wordsAlone
          ? 'SELECT count(*) FROM search WHERE search MATCH @match'
          : `SELECT count(*) FROM posts ${countAlong} WHERE ${where(TAGGED_ALL)}`,
      )
      .pluck(),
    pageOfMany: page(`FROM posts INDEXED BY ${ordered} WHERE ${where(TAGGED_EACH)}`),
    pageOfFew: page(`FROM posts WHERE ${where(filters.has('match') ? TAGGED_ALL : TAGGED_EACH)}`),
  };
}

/** All posts with the tag, or a check of each post for it. */
const TAGGED_ALL = 'id IN (SELECT post_id FROM post_tags WHERE tag_id = @tag)';
const TAGGED_EACH = 'EXISTS (SELECT 1 FROM post_tags WHERE tag_id = @tag AND post_id = posts.id)';

function valueOf(json: string): unknown {
  return JSON.parse(json);
}

function summaryOf(row: SummaryRow): unknown {
  const { slug, title, description, cover, views, tags, category, category_slug, author, username } = row;
  return {
    ...{ slug, title, description, cover, views, tags: valueOf(tags) },
    category: category === null ? null : { name: category, slug: category_slug },
    author: author === null ? null : { name: author, username },
    ...{ url: row.url, published_at: row.published_at },
  };
}
