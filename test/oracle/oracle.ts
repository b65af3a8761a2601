import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { plainExcerpt } from './excerpt.ts';

/** Parameters with values separated by commas. */
const LISTS = [
  'tag.any',
  'tag.all',
  'tag.not',
  'category.any',
  'category.not',
  'author.any',
  'author.not',
] as const;

/** Query parameters of `GET /posts`. */
export interface PostsQuery extends Readonly<Partial<Record<(typeof LISTS)[number], string>>> {
  readonly category?: string;
  readonly tag?: string;
  readonly author?: string;
  readonly from?: string;
  readonly until?: string;
  readonly q?: string;
  readonly sort?: 'new' | 'old' | 'popular';
  readonly page?: number;
  readonly per_page?: number;
}

export type PageQuery = Pick<PostsQuery, 'page' | 'per_page'>;

/** A paged list as in the interface. */
export interface Page {
  readonly items: readonly unknown[];
  readonly meta: {
    readonly page: number;
    readonly per_page: number;
    readonly last_page: number;
    readonly total: number;
  };
}

/** The expected answers for one blog. */
export type Oracle = ReturnType<typeof openOracle>;

const ORDERS = {
  new: 'moment DESC, slug DESC',
  old: 'moment, slug',
  popular: 'views DESC, moment DESC, slug DESC',
} as const;

/** Whether a post has a tag, category or author with one of the values of a list. */
const HAS_TAG = 'EXISTS (SELECT 1 FROM shown_tags t WHERE t.post_id = shown.id AND t.slug IN';
const HAS = {
  tag: (list: string) => `${HAS_TAG} (SELECT value FROM json_each(${list})))`,
  category: (list: string) =>
    `EXISTS (SELECT 1 FROM categories c WHERE c.id = category_id AND c.slug IN (SELECT value FROM json_each(${list})))`,
  author: (list: string) =>
    `EXISTS (SELECT 1 FROM authors a WHERE a.id = author_id AND a.username IN (SELECT value FROM json_each(${list})))`,
};

const MATCHING_POSTS = `
  FROM shown
  WHERE (@category IS NULL OR category_id = (SELECT id FROM categories WHERE slug = @category))
    AND (@author IS NULL OR author_id = (SELECT id FROM authors WHERE username = @author))
    AND (@tag IS NULL OR EXISTS (
      SELECT 1 FROM shown_tags t WHERE t.post_id = shown.id
        AND (t.folded_slug = fold(@tag) OR t.hyphened_name = replace(fold(@tag), ' ', '-'))))
    AND (@from IS NULL OR moment >= unixepoch(@from, 'subsec'))
    AND (@until IS NULL OR moment < unixepoch(@until, 'subsec'))
    AND (@tag_any IS NULL OR ${HAS.tag('@tag_any')})
    AND (@tag_not IS NULL OR NOT ${HAS.tag('@tag_not')})
    AND NOT EXISTS (
      SELECT 1 FROM json_each(@tag_all) AS slug WHERE NOT ${HAS_TAG} (slug.value)))
    AND (@category_any IS NULL OR ${HAS.category('@category_any')})
    AND (@category_not IS NULL OR NOT ${HAS.category('@category_not')})
    AND (@author_any IS NULL OR ${HAS.author('@author_any')})
    AND (@author_not IS NULL OR NOT ${HAS.author('@author_not')})
    AND NOT EXISTS (
      SELECT 1 FROM json_each(@terms) AS term
      WHERE NOT (
        instr(folded_title, term.value) > 0
        OR coalesce(instr(folded_description, term.value), 0) > 0
        OR EXISTS (SELECT 1 FROM shown_tags t
                   WHERE t.post_id = shown.id AND instr(t.folded_name, term.value) > 0)))`;

const CATEGORIES = `
  SELECT json_object('name', c.name, 'slug', c.slug,
    'posts_count', (SELECT count(*) FROM shown WHERE category_id = c.id),
    'url', site.url || replace(site.category_path, '{slug}', segment(c.slug)))
  FROM categories c CROSS JOIN site
  ORDER BY c.name, c.slug`;

const TAGS = `
  SELECT json_object('name', t.name, 'slug', t.slug, 'posts_count', counted.posts,
    'url', site.url || replace(site.tag_path, '{slug}', segment(t.slug)))
  FROM tags t CROSS JOIN site
  JOIN (SELECT tag_id, count(*) AS posts FROM shown_tags GROUP BY tag_id) AS counted ON counted.tag_id = t.id
  ORDER BY counted.posts DESC, t.name, t.slug`;

const AUTHORS = `
  SELECT json_object('name', a.name, 'username', a.username, 'avatar', href(a.avatar), 'posts_count', counted.posts)
  FROM authors a
  JOIN (SELECT author_id, count(*) AS posts FROM shown GROUP BY author_id) AS counted ON counted.author_id = a.id`;

/** NFKC, then full lower case: the only rule of search that SQLite lacks. */
const fold = (text: string) => text.normalize('NFKC').toLowerCase();

/** Folding turns some letters into spaces, so it comes first; it is not idempotent, so terms are not folded again. */
const termsOf = (q: string) =>
  fold(q)
    .split(/\s+/u)
    .filter((term) => term !== '');

function jsonList(text: string | undefined): string | null {
  return text === undefined ? null : JSON.stringify(text.split(','));
}

/**
 * Opens the expected answers for the blog at `path`, in plain SQL. Each method gives the `data` of an endpoint, `article` without
 * content; null: 404. Published posts are those published now.
 */
export function openOracle(path: string) {
  const db = new Database(path, { readonly: true });
  db.function('fold', { deterministic: true }, (text) => (typeof text === 'string' ? fold(text) : null));
  const excerpts = new Map<string, string | null>();
  db.function('excerpt', { deterministic: true }, (value) => {
    const body = String(value);
    if (!excerpts.has(body)) excerpts.set(body, plainExcerpt(body));
    return excerpts.get(body);
  });
  db.function('segment', { deterministic: true }, (text) => encodeURIComponent(String(text)));
  db.function('href', { deterministic: true }, (text) =>
    typeof text === 'string' ? new URL(text).href : null,
  );
  db.exec(readFileSync(new URL('tables.sql', import.meta.url), 'utf8'));

  // Statements are reused: preparing one takes longer than most answers.
  const prepared = new Map<string, Database.Statement<[object]>>();
  const statement = (sql: string): Database.Statement<[object]> => {
    const known = prepared.get(sql) ?? db.prepare<[object]>(sql).pluck();
    prepared.set(sql, known);
    return known;
  };
  const texts = (sql: string, parameters: object = {}): string[] =>
    statement(sql).all(parameters).map(String);
  const records = (sql: string, parameters: object = {}): unknown[] =>
    texts(sql, parameters).map((text): unknown => JSON.parse(text));
  const count = (sql: string, parameters: object = {}): number => Number(statement(sql).get(parameters) ?? 0);
  const page = (items: unknown[], total: number, { page = 1, per_page = 15 }: PageQuery): Page => ({
    items,
    meta: { page, per_page, last_page: Math.max(1, Math.ceil(total / per_page)), total },
  });
  const window = ({ page = 1, per_page = 15 }: PageQuery) => ({
    limit: per_page,
    offset: (page - 1) * per_page,
  });

  return {
    posts(query: PostsQuery = {}): Page {
      const filter = {
        category: query.category ?? null,
        tag: query.tag ?? null,
        author: query.author ?? null,
        from: query.from ?? null,
        until: query.until ?? null,
        ...Object.fromEntries(LISTS.map((name) => [name.replace('.', '_'), jsonList(query[name])])),
        terms: JSON.stringify(termsOf(query.q ?? '')),
      };
      const total = count(`SELECT count(*) ${MATCHING_POSTS}`, filter);
      const sql = `SELECT summary ${MATCHING_POSTS} ORDER BY ${ORDERS[query.sort ?? 'new']} LIMIT @limit OFFSET @offset`;
      return page(records(sql, { ...filter, ...window(query) }), total, query);
    },
    article: (slug: string): unknown =>
      records('SELECT detail_without_content FROM shown WHERE slug = @slug', { slug })[0] ?? null,
    categories: (): unknown[] => records(CATEGORIES),
    tags: (): unknown[] => records(TAGS),
    authors(query: PageQuery = {}): Page {
      const sql = `${AUTHORS} ORDER BY counted.posts DESC, a.username LIMIT @limit OFFSET @offset`;
      return page(records(sql, window(query)), count(`SELECT count(*) FROM (${AUTHORS})`), query);
    },
    author: (username: string): unknown =>
      records(`${AUTHORS} WHERE a.username = @username`, { username })[0] ?? null,
    /** The first column of `sql`: names and texts to ask for. */
    strings: (sql: string) => texts(sql),
    close: () => void db.close(),
  };
}
