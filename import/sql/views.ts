import { existsSync, readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { renderMarkdown } from '../../common/content/markdown.ts';
import { tidyLine } from '../../common/content/text.ts';
import { termSlug } from '../../common/content/term-slug.ts';
import { ViewsUnusable } from '../errors.ts';
import { findFault } from './database.ts';

interface Columns {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** The views that a file may create, with their columns: as in schema.sql, with few exceptions. */
export const VIEWS = {
  offprint_posts: {
    required: ['id', 'slug', 'title', 'published_at', 'body'],
    optional: [
      ...['description', 'cover', 'meta_title', 'meta_description', 'category_id', 'author_id'],
      ...['status', 'expires_at', 'updated_at', 'url', 'views', 'revision'],
    ],
  },
  offprint_authors: { required: ['id', 'username', 'name'], optional: ['avatar'] },
  offprint_categories: { required: ['id', 'slug', 'name'], optional: [] },
  offprint_tags: { required: ['id', 'slug', 'name'], optional: [] },
  offprint_post_tags: { required: ['post_id', 'tag_id'], optional: ['place'] },
  offprint_site: {
    required: [],
    optional: ['name', 'url', 'post_path', 'category_path', 'tag_path', 'time_zone'],
  },
} as const satisfies Readonly<Record<string, Columns>>;

export type ViewName = keyof typeof VIEWS;

/** A value, as SQLite returns it. */
export type Cell = string | number | Buffer | null;
export type Row = Readonly<Record<string, Cell>>;

/** Functions that views can call besides SQLite's own. Each takes and returns a text; NULL gives NULL. */
const FUNCTIONS: Readonly<Record<string, (text: string) => string>> = {
  /** HTML of Markdown, as GitHub shows it. */
  offprint_markdown: (text) => renderMarkdown(text),
  /** The slug of a category, tag or author from its name, as in other imports. */
  offprint_term_slug: termSlug,
};

/** Key columns, read as text, since a large integer would lose its last digits. */
const KEYS = new Set(['id', 'category_id', 'author_id', 'post_id', 'tag_id']);

/** Another program's database, seen through its owner's views. */
export class Views {
  readonly #db: Database.Database;
  readonly #file: string;
  /** Columns by view, for the views that the file creates. */
  readonly #columns = new Map<ViewName, readonly string[]>();

  /**
   * Creates the views of a file for this connection alone.
   *
   * @param file path of the file of views, for messages
   * @param sql what is in it
   * @param siteUrl the public site's address, if it is known
   * @throws ViewsUnusable, SourceUnreadable
   */
  constructor(db: Database.Database, file: string, sql: string, siteUrl: string | null) {
    this.#db = db;
    this.#file = file;
    const statements = splitStatements(sql).map((statement) => {
      const view = temporaryView(statement);
      if (view !== null) return [view.toLowerCase(), statement] as const; // SQLite ignores the case of names.
      const shown = tidyLine(statement).slice(0, 80);
      throw new ViewsUnusable(file, `it may contain only CREATE TEMP VIEW statements, and not "${shown}"`);
    });
    for (const [name, give] of Object.entries(FUNCTIONS))
      db.function(name, { deterministic: true }, (text: Cell) => (text === null ? null : give(String(text))));
    db.exec('CREATE TEMP TABLE offprint_settings (site_url TEXT)');
    db.prepare('INSERT INTO temp.offprint_settings VALUES (?)').run(siteUrl);
    for (const [view, statement] of statements) this.#reading(view, () => db.prepare(statement).run());
    for (const [view] of statements) {
      const found = this.#reading(view, () => db.prepare(`SELECT * FROM temp."${view}" LIMIT 0`).columns());
      if (view.startsWith('offprint_'))
        this.#add(
          view,
          found.map(({ name }) => name.toLowerCase()),
        ); // Others help these.
    }
    if (!this.#columns.has('offprint_posts')) throw new ViewsUnusable(file, 'offprint_posts is not created');
  }

  has(view: ViewName, column: string): boolean {
    return this.#columns.get(view)?.includes(column) === true;
  }

  /**
   * All rows of a view, one at a time; none if the file does not create it.
   *
   * @param without a column to skip
   * @param ids only the rows with these ids
   */
  *rows(
    view: ViewName,
    { without = '', ids }: { without?: string; ids?: readonly string[] } = {},
  ): Generator<Row> {
    const columns = this.#columns.get(view)?.filter((column) => column !== without) ?? [];
    if (columns.length === 0) return;
    const where = ids === undefined ? '' : ' WHERE CAST(id AS TEXT) IN (SELECT value FROM json_each(?))';
    const select = `SELECT ${columns.map(selected).join(', ')} FROM temp.${view}${where}`;
    const given = ids === undefined ? [] : [JSON.stringify(ids)];
    const rows = this.#reading(view, () => this.#db.prepare<string[], Row>(select).iterate(...given));
    try {
      for (;;) {
        const next = this.#reading(view, () => rows.next());
        if (next.done) return;
        yield next.value;
      }
    } finally {
      rows.return?.();
    }
  }

  /** One column of one row, as it is stored. */
  bytes(view: ViewName, id: string, column: string): Buffer | null {
    const select = `SELECT CAST(${column} AS BLOB) FROM temp.${view} WHERE CAST(id AS TEXT) = ?`;
    return (
      this.#reading(view, () => this.#db.prepare<[string], Buffer | null>(select).pluck().get(id)) ?? null
    );
  }

  #add(view: string, columns: readonly string[]): void {
    if (!isViewName(view)) {
      const known = Object.keys(VIEWS).join(', ');
      throw new ViewsUnusable(this.#file, `${view} is not a view that Offprint reads: it reads ${known}`);
    }
    const { required, optional }: Columns = VIEWS[view];
    const missing = required.filter((column) => !columns.includes(column));
    if (missing.length > 0)
      throw new ViewsUnusable(this.#file, `${view} lacks the column ${missing.join(', ')}`);
    const known = [...required, ...optional];
    const unknown = columns.filter((column) => !known.includes(column));
    if (unknown.length > 0) {
      const why = `${view} has an unknown column, ${unknown.join(', ')}; it may have ${known.join(', ')}`;
      throw new ViewsUnusable(this.#file, why);
    }
    this.#columns.set(view, columns);
  }

  /** SQLite's errors about the file or its lock are the database's; all others are the view's. */
  #reading<T>(view: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Database.SqliteError) || findFault(error) !== null) throw error;
      throw new ViewsUnusable(this.#file, `${view} cannot be read from this database: ${error.message}`);
    }
  }
}

/** The text of a file of views. @throws ViewsUnusable */
export function readViewFile(file: string): string {
  if (!existsSync(file)) throw new ViewsUnusable(file, 'there is no such file');
  const sql = readFileSync(file, 'utf8');
  if (sql.startsWith('SQLite format 3'))
    throw new ViewsUnusable(file, 'this is a database, not a file of views');
  return sql;
}

/** SQL tokens that may contain a semicolon: comments, and quotes of all four kinds. */
const PART = /--[^\n]*|\/\*[^]*?(?:\*\/|$)|'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|[^;]/g;

/** The statements of an SQL file, without comments and blanks. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let current = '';
  let end = 0;
  for (const { 0: part, index } of sql.matchAll(PART)) {
    if (index > end) {
      statements.push(current); // A semicolon was reached.
      current = '';
    }
    current += /^(?:--|\/\*)/.test(part) ? ' ' : part;
    end = index + part.length;
  }
  return [...statements, current]
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** The name of the temporary view that a statement creates; null for any other statement. */
export function temporaryView(statement: string): string | null {
  const created =
    /^CREATE\s+TEMP(?:ORARY)?\s+VIEW\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:temp\s*\.\s*)?["`[]?([\w$]+)/i.exec(
      statement,
    );
  return created?.[1] ?? null;
}

function isViewName(name: string): name is ViewName {
  return Object.hasOwn(VIEWS, name);
}

function selected(column: string): string {
  return KEYS.has(column) ? `CAST(${column} AS TEXT) AS ${column}` : `${column} AS ${column}`;
}
