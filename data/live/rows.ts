import { isUtf8 } from 'node:buffer';
import { parseDate } from '../../common/content/date.ts';
import { dateOfNumber, momentIn } from '../../common/content/moment.ts';
import type { Cell, Row, Views, ViewName } from './views.ts';

/** A row that cannot be exported; the message is the reason. */
export class RowUnusable extends Error {}

/** A category, tag or author: its key and name. */
export interface LiveTerm {
  /** The slug or username. */
  readonly slug: string;
  readonly name: string;
  readonly avatar: string | null;
}

/** The columns of `posts` in schema.sql, without those for links. */
export interface LivePost {
  readonly slug: string;
  readonly title: string;
  readonly description: string | null;
  readonly cover: string | null;
  readonly meta_title: string | null;
  readonly meta_description: string | null;
  readonly status: 'published' | 'scheduled';
  readonly published_at: string;
  readonly expires_at: string | null;
  readonly updated_at: string | null;
  readonly url: string | null;
}

/** A row as text, where possible. */
export class LiveRow {
  readonly #row: Row;
  readonly #view: ViewName;
  readonly #views: Views;

  constructor(row: Row, view: ViewName, views: Views) {
    this.#row = row;
    this.#view = view;
    this.#views = views;
  }

  /** Null for NULL and for a column that the view does not have. @throws RowUnusable */
  text(column: string): string | null {
    const cell = this.#row[column] ?? null;
    if (Buffer.isBuffer(cell)) throw new RowUnusable(`its ${column} is not text`);
    if (cell === null || typeof cell === 'number') return cell === null ? null : String(cell);
    this.checkUnicode(column, cell);
    return cell;
  }

  /** @throws RowUnusable if there is only white space */
  needed(column: string, reason: string): string {
    const text = this.text(column);
    if (text === null || text.trim() === '') throw new RowUnusable(reason);
    return text;
  }

  /**
   * SQLite stores any bytes as text, and an invalid sequence is read as U+FFFD. Only if there is one, the bytes are
   * checked: the author may have written the character.
   */
  checkUnicode(column: string, text: string): void {
    const id = this.#row['id'];
    if (!text.includes('\ufffd') || typeof id !== 'string') return;
    const bytes = this.#views.cell(this.#view, id, column, 'BLOB');
    if (Buffer.isBuffer(bytes) && !isUtf8(bytes)) throw new RowUnusable(`its ${column} is not valid Unicode`);
  }
}

/** @throws RowUnusable */
export function parseTerm(row: LiveRow, key: 'slug' | 'username'): LiveTerm {
  return {
    slug: row.needed(key, `it has no ${key}`),
    name: row.needed('name', 'it has no name'),
    avatar: key === 'username' ? row.text('avatar') : null,
  };
}

/** Whether a post may ever be shown. @throws RowUnusable for an unknown status */
export function isShown(row: LiveRow): boolean {
  const status = row.text('status') ?? 'published';
  if (!/^(?:draft|scheduled|published|archived)$/.test(status)) {
    throw new RowUnusable(`its status "${status}" is not draft, scheduled, published or archived`);
  }
  return status === 'published' || status === 'scheduled';
}

/** @throws RowUnusable */
export function parsePost(row: LiveRow, timeZone: string | null): LivePost {
  const expires = row.text('expires_at')?.trim() ?? '';
  return {
    slug: row.needed('slug', 'it has no slug'),
    title: row.needed('title', 'it has no title'),
    description: row.text('description'),
    cover: row.text('cover'),
    meta_title: row.text('meta_title'),
    meta_description: row.text('meta_description'),
    status: row.text('status') === 'scheduled' ? 'scheduled' : 'published',
    published_at: parseMoment(row.needed('published_at', 'it has no date'), timeZone),
    updated_at: momentOf(row.text('updated_at') ?? '', timeZone),
    expires_at: expires === '' ? null : parseMoment(expires, timeZone, 'expiry date'),
    url: row.text('url'),
  };
}

/** A count of views that JSON can carry; a negative number or anything else is 0. */
export function parseViews(cell: Cell | undefined): number {
  const views = Math.trunc(Number(cell ?? 0));
  return Number.isNaN(views) ? 0 : Math.min(Math.max(views, 0), Number.MAX_SAFE_INTEGER);
}

/** @throws RowUnusable */
function parseMoment(written: string, timeZone: string | null, what = 'date'): string {
  const local = momentOf(written, timeZone);
  if (local === null) throw new RowUnusable(`its ${what} "${written}" cannot be read`);
  return local;
}

/**
 * A date with an offset keeps it; one in UTC or without an offset gets the offset of the blog's time zone at that
 * moment. Null if it cannot be read.
 */
function momentOf(written: string, timeZone: string | null): string | null {
  const date = dateOfNumber(written) ?? parseDate(written);
  return date?.endsWith('+00:00') ? momentIn(timeZone, date) : date;
}
