import { type ParsedUrlQuery, stringify } from 'node:querystring';
import Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { PREFIX } from '../../../contract/api.ts';
import { tagKey } from '../../../contract/name-table.ts';
import { parseTerms } from '../../../contract/search/search-text.ts';
import { ID_BITS, INDEXED, indexOf } from './database.ts';

/** A complete answer. */
export interface Answer {
  readonly body: Buffer;
  readonly etag: string;
  readonly link: string | null;
}

/** Posts up to this id are public. */
const NOW = `((unixepoch() << ${ID_BITS}) | ${2 ** ID_BITS - 1})`;
const TOTALS_KEPT = 20_000;
const BEGIN = Buffer.from('{"success":true,"data":{"items":[');

/** Lists and articles of one blog, with prepared statements. */
export class Posts {
  readonly #db: Database.Database;
  readonly #lists = new Map<string, ListStatements>();
  readonly #totals = new LRUCache<string, number>({ max: TOTALS_KEPT });
  readonly #article;
  readonly #version;
  #etag = '';

  constructor(db: Database.Database) {
    this.#db = db;
    this.#article = db
      .prepare<[string], Buffer>(
        `SELECT body FROM articles WHERE id = (SELECT id FROM posts WHERE slug = ?) AND id <= ${NOW}`,
      )
      .pluck();
    this.#version = db
      .prepare<[], string>(
        `SELECT content || '-' || views || '-' || (SELECT max(id) FROM posts WHERE id <= ${NOW}) FROM revision`,
      )
      .pluck();
    this.refresh();
  }

  /** Forgets all totals if the blog has changed. @returns whether it has */
  refresh(): boolean {
    const etag = `"${this.#version.get() ?? ''}"`;
    if (etag === this.#etag) return false;
    this.#etag = etag;
    this.#totals.clear();
    return true;
  }

  list({ page: pageText, per_page, sort, ...filters }: ParsedUrlQuery): Answer {
    const text = (name: string) => filters[name]?.toString();
    const [page, perPage] = [Number(pageText ?? 1), Number(per_page ?? 15)];
    const terms = parseTerms(text('q') ?? '');
    const tag = text('tag');
    const values = {
      tag: tag === undefined ? undefined : tagKey(tag),
      ...{ category: text('category'), author: text('author') },
      match: terms.length === 0 ? undefined : terms.map(quoted).join(' AND '),
    };
    const given = Object.entries(values).filter(([, value]) => value !== undefined);
    const statements = this.#listOf(
      given.map(([name]) => name),
      sort?.toString() ?? 'new',
    );
    const parameters = Object.fromEntries(given);
    const key = JSON.stringify(values);
    let total = this.#totals.get(key);
    if (total === undefined) this.#totals.set(key, (total = statements.count.get(parameters) ?? 0));
    const items = statements.page.get({ ...parameters, limit: perPage, offset: (page - 1) * perPage });
    const last = Math.max(1, Math.ceil(total / perPage));
    const end = `],"meta":{"page":${page},"per_page":${perPage},"last_page":${last},"total":${total}}}}`;
    return {
      body: Buffer.concat([BEGIN, ...(items ? [items] : []), Buffer.from(end)]),
      etag: this.#etag,
      link: linkOf({ ...filters, ...(sort !== undefined && { sort }) }, page, perPage, last),
    };
  }

  /** Undefined if there is none. */
  article(slug: string): Answer | undefined {
    const body = this.#article.get(slug);
    return body && { body, etag: this.#etag, link: null };
  }

  #listOf(filters: readonly string[], sort: string) {
    const key = [...filters, sort].join(' ');
    let statements = this.#lists.get(key);
    if (!statements) this.#lists.set(key, (statements = prepareList(this.#db, filters, sort)));
    return statements;
  }
}

type ListStatements = ReturnType<typeof prepareList>;

/** The ids of the page from an index alone, then the summaries, as one text. */
function prepareList(db: Database.Database, filters: readonly string[], sort: string) {
  const byViews = sort === 'popular';
  const order = byViews ? 'views DESC, id DESC' : sort === 'old' ? 'id' : 'id DESC';
  const indexed = INDEXED.filter((name) => filters.includes(name));
  const table = filters.includes('tag') ? 'tagged' : 'posts';
  const matches = 'SELECT rowid AS id FROM search WHERE search MATCH @match';
  const where = [
    `id <= ${NOW}`,
    ...filters.map((name) => (name === 'match' ? `id IN (${matches})` : `${name} = @${name}`)),
  ].join(' AND ');
  // The index of words is in order of ids too. A search with more conditions is left to SQLite's planner.
  const isSearch = filters.length === 1 && filters[0] === 'match';
  const all = filters.includes('match')
    ? `${table} WHERE ${where}`
    : `${table} INDEXED BY ${indexOf(table, indexed, byViews)} WHERE ${where}`;
  const searched = `search WHERE search MATCH @match AND rowid <= ${NOW}`;
  const ids =
    isSearch && !byViews
      ? `SELECT rowid AS id FROM ${searched} ORDER BY ${order.replace('id', 'rowid')}`
      : `SELECT id FROM ${all} ORDER BY ${order}`;
  return {
    count: db.prepare<object, number>(`SELECT count(*) FROM ${isSearch ? searched : all}`).pluck(),
    page: db
      .prepare<object, Buffer | null>(
        `SELECT CAST(group_concat((SELECT summary FROM posts WHERE posts.id = page.id)) AS BLOB)
         FROM (${ids} LIMIT @limit OFFSET @offset) AS page`,
      )
      .pluck(),
  };
}

function quoted(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

function linkOf(filters: ParsedUrlQuery, page: number, perPage: number, last: number): string {
  const repeated = stringify(filters);
  const link = (relation: string, to: number) =>
    `<${PREFIX}/posts?${repeated}${repeated && '&'}per_page=${perPage}&page=${to}>; rel="${relation}"`;
  return [
    link('first', 1),
    ...(page > 1 ? [link('prev', Math.min(page - 1, last))] : []),
    ...(page < last ? [link('next', page + 1)] : []),
    link('last', last),
  ].join(', ');
}
