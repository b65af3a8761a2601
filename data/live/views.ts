import { existsSync, readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { readingDatabase, type BlogDatabase } from '../database.ts';
import { ViewFails, ViewLacking, ViewsAreDatabase, ViewsForbidden, ViewsMissing } from './errors.ts';
import { addFunctions } from './functions.ts';
import { statementsOf, temporaryView } from './statements.ts';

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

/** Key columns, read as text, since a large integer would lose its last digits. */
const KEYS = new Set(['id', 'category_id', 'author_id', 'post_id', 'tag_id']);

/** Another program's database, read through a file of views. */
export class Views {
  readonly #db: BlogDatabase;
  readonly #path: string;
  readonly #file: string;
  /** Columns by view, for the views that the file creates. */
  readonly #columns: ReadonlyMap<ViewName, readonly string[]>;

  /**
   * @param file path of the file of views
   * @param siteUrl the public site's address, if it is in the settings
   * @param open opens the database, or a copy of it
   * @throws DatabaseMissing, DatabaseUnreadable, DatabaseCorrupt, DatabaseLocked, and the errors of errors.ts
   */
  constructor(path: string, file: string, siteUrl: string | null, open: (path: string) => BlogDatabase) {
    this.#path = path;
    this.#file = file;
    const sql = readViews(file);
    this.#db = open(path);
    try {
      addFunctions(this.#db);
      this.#db.exec('CREATE TEMP TABLE offprint_settings (site_url TEXT)');
      this.#db.prepare('INSERT INTO temp.offprint_settings VALUES (?)').run(siteUrl);
      this.#columns = this.#create(sql);
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  /** Begins the transaction for all reads: later writes of others are not visible. */
  begin(): void {
    this.#reading('the database', () => {
      this.#db.exec('BEGIN');
      this.#db.prepare('SELECT count(*) FROM main.sqlite_schema').get(); // SQLite begins it at the first read.
    });
  }

  has(view: ViewName, column?: string): boolean {
    const columns = this.#columns.get(view);
    return columns !== undefined && (column === undefined || columns.includes(column));
  }

  /**
   * All rows of a view, one at a time; none if the file does not create it.
   *
   * @param without columns to skip
   * @param ordered by their ids, which takes longer: not worth it for rows with long texts
   */
  *rows(
    view: ViewName,
    { without = [], ordered = true }: { without?: readonly string[]; ordered?: boolean } = {},
  ): Generator<Row> {
    const columns = this.#columns.get(view)?.filter((column) => !without.includes(column)) ?? [];
    if (columns.length === 0) return;
    const order = ordered && columns.includes('id') ? ' ORDER BY id' : '';
    const select = `SELECT ${columns.map(selected).join(', ')} FROM temp.${view}${order}`;
    const rows = this.#reading(view, () => this.#db.prepare<[], Row>(select).iterate());
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

  /** One column of one row, cast to the type `as`. */
  cell(view: ViewName, id: string, column: string, as?: 'BLOB'): Cell {
    const cell = as === undefined ? column : `CAST(${column} AS ${as})`;
    return this.#reading(view, () => {
      // The first is fast if the view's id is an indexed column, and matches most types.
      for (const key of ['id', 'CAST(id AS TEXT)']) {
        const select = `SELECT ${cell} AS cell FROM temp.${view} WHERE ${key} = ?`;
        const row = this.#db.prepare<[string], { cell: Cell }>(select).get(id);
        if (row !== undefined) return row.cell;
      }
      return null;
    });
  }

  close(): void {
    this.#db.close();
  }

  #create(statements: readonly (readonly [view: string, sql: string])[]): Map<ViewName, readonly string[]> {
    const created = new Map<ViewName, readonly string[]>();
    for (const [view, sql] of statements) this.#reading(view, () => this.#db.exec(sql));
    for (const [view] of statements) {
      const columns = this.#reading(view, () =>
        this.#db
          .prepare(`SELECT * FROM temp."${view}" LIMIT 0`)
          .columns()
          .map(({ name }) => name.toLowerCase()),
      );
      if (!view.startsWith('offprint_')) continue; // A helper for other views.
      if (!isViewName(view)) {
        throw new ViewLacking(
          this.#file,
          view,
          `is not a view that Offprint reads: it reads ${Object.keys(VIEWS).join(', ')}`,
        );
      }
      this.#check(view, columns);
      created.set(view, columns);
    }
    if (!created.has('offprint_posts')) throw new ViewLacking(this.#file, 'offprint_posts', 'is not created');
    return created;
  }

  #check(view: ViewName, columns: readonly string[]): void {
    const { required, optional }: Columns = VIEWS[view];
    const missing = required.filter((column) => !columns.includes(column));
    if (missing.length > 0) throw new ViewLacking(this.#file, view, `lacks the column ${missing.join(', ')}`);
    const known = [...required, ...optional];
    const unknown = columns.filter((column) => !known.includes(column));
    if (unknown.length > 0) {
      throw new ViewLacking(
        this.#file,
        view,
        `has an unknown column, ${unknown.join(', ')}; it may have ${known.join(', ')}`,
      );
    }
  }

  /** SQLite's errors about the file or its lock are the database's; all others are the view's. */
  #reading<T>(view: string, work: () => T): T {
    try {
      return readingDatabase(this.#path, work);
    } catch (error) {
      if (!(error instanceof Database.SqliteError)) throw error;
      throw new ViewFails(this.#file, view, error.message);
    }
  }
}

/** Name and statement of each view in a file. */
function readViews(file: string): (readonly [view: string, sql: string])[] {
  if (!existsSync(file)) throw new ViewsMissing(file);
  const sql = readFileSync(file, 'utf8');
  if (sql.startsWith('SQLite format 3')) throw new ViewsAreDatabase(file);
  return statementsOf(sql).map((statement) => {
    const view = temporaryView(statement);
    if (view === null) throw new ViewsForbidden(file, statement);
    return [view.toLowerCase(), statement]; // SQLite ignores the case of names.
  });
}

function isViewName(name: string): name is ViewName {
  return Object.hasOwn(VIEWS, name);
}

function selected(column: string): string {
  return KEYS.has(column) ? `CAST(${column} AS TEXT) AS ${column}` : `${column} AS ${column}`;
}
