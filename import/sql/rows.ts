import { isUtf8 } from 'node:buffer';
import { parseDate } from '../../common/content/date.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import { dateOfNumber, momentIn } from '../../common/content/moment.ts';
import { dateFrom } from '../article/fields.ts';
import type { ImportedAuthor, ReadPost, Term } from '../imported-item.ts';
import type { Cell, Row, ViewName, Views } from './views.ts';

/**
 * A column of a row as text; null for NULL, for blanks, and for a column that the view lacks.
 *
 * @throws PostUnreadable if it is no text
 */
export type TextOf = (column: string) => string | null;

export function textsOf(row: Row, view: ViewName, views: Views): TextOf {
  return (column) => {
    const cell = row[column] ?? '';
    if (Buffer.isBuffer(cell)) throw new PostUnreadable(`its ${column} is not text`);
    const text = String(cell);
    // SQLite stores any bytes as text, and reads invalid ones as this character, which an author may also have written.
    if (text.includes('\ufffd')) {
      const bytes = views.bytes(view, String(row['id'] ?? ''), column);
      if (bytes !== null && !isUtf8(bytes)) throw new PostUnreadable(`its ${column} is not valid Unicode`);
    }
    return text.trim() === '' ? null : text;
  };
}

/** @param what it is for people. @throws PostUnreadable if there is none */
export function needed(text: string | null, what: string): string {
  if (text === null) throw new PostUnreadable(`it has no ${what}`);
  return text;
}

/** What a post refers to, from the other views. */
export interface Linked {
  readonly category: Term | null;
  readonly author: ImportedAuthor | null;
  readonly tags: readonly Term[];
}

/**
 * The post of a row that is published or scheduled.
 *
 * @param zone of dates in UTC, and of those without an offset; null: UTC
 * @throws PostUnreadable
 */
export function postOf(
  row: Row,
  source: string,
  linked: Linked,
  zone: string | null,
  views: Views,
): ReadPost {
  const text = textsOf(row, 'offprint_posts', views);
  const expires = text('expires_at');
  const read = (written: string): string | null => momentOf(written, zone);
  return {
    source,
    slug: needed(text('slug'), 'slug'),
    language: null,
    title: needed(text('title'), 'title'),
    body: text('body') ?? '',
    description: text('description'),
    cover: text('cover'),
    metaTitle: text('meta_title'),
    metaDescription: text('meta_description'),
    ...linked,
    publishedAt: dateFrom([text('published_at')], read),
    expiresAt: expires && dateFrom([expires], read, 'an expiry date'),
    updatedAt: read(text('updated_at') ?? ''),
    url: text('url'),
    views: row['views'] === undefined ? null : countOf(row['views']),
  };
}

/** A count that JSON can carry; a negative number or anything else is 0. */
function countOf(cell: Cell): number {
  const count = Math.trunc(Number(cell ?? 0));
  return Number.isNaN(count) ? 0 : Math.min(Math.max(count, 0), Number.MAX_SAFE_INTEGER);
}

/** A date with an offset keeps it; one in UTC or without an offset gets the zone's. Null if it cannot be read. */
function momentOf(written: string, zone: string | null): string | null {
  const date = dateOfNumber(written) ?? parseDate(written);
  return date?.endsWith('+00:00') ? momentIn(zone, date) : date;
}
