import { isUtf8 } from 'node:buffer';
import { basename } from 'node:path';
import { parseDate } from '../../common/content/date.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import { findZone, momentIn, numberToDate } from '../../common/content/moment.ts';
import { patternFault } from '../../common/site-paths.ts';
import { dateFrom, slugTitle, textTitle } from '../article/fields.ts';
import { noPost, whyUnread } from '../article/outcome.ts';
import type { ImportedAuthor, ImportedBlog, ReadItem, ReadPost, Term } from '../imported-item.ts';
import type { Cell, Row, ViewName, Views } from './views.ts';

/**
 * A column of a row as text; null for NULL, for blanks, and for a column that the view lacks.
 *
 * @throws PostUnreadable if it is no text
 */
type GetText = (column: string) => string | null;

function textReader(row: Row, view: ViewName, views: Views): GetText {
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
function needed(text: string | null, what: string): string {
  if (text === null) throw new PostUnreadable(`it has no ${what}`);
  return text;
}

/** What a post refers to, from the other views. */
interface Linked {
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
export function toPost(
  row: Row,
  source: string,
  linked: Linked,
  zone: string | null,
  views: Views,
): ReadPost {
  const text = textReader(row, 'offprint_posts', views);
  const expires = text('expires_at');
  const read = (written: string): string | null => parseMoment(written, zone);
  const slug = needed(text('slug'), 'slug');
  const body = text('body') ?? '';
  return {
    source,
    slug,
    language: null,
    title: text('title') || textTitle(body) || slugTitle(slug),
    body,
    description: text('description'),
    cover: text('cover'),
    metaTitle: text('meta_title'),
    metaDescription: text('meta_description'),
    ...linked,
    publishedAt: dateFrom([text('published_at')], read),
    expiresAt: expires && dateFrom([expires], read, 'an expiry date'),
    updatedAt: read(text('updated_at') ?? ''),
    url: text('url'),
    views: row['views'] === undefined ? null : parseCount(row['views']),
  };
}

/** A count that JSON can carry; a negative number or anything else is 0. */
function parseCount(cell: Cell): number {
  const count = Math.trunc(Number(cell ?? 0));
  return Number.isNaN(count) ? 0 : Math.min(Math.max(count, 0), Number.MAX_SAFE_INTEGER);
}

/** A date with an offset keeps it; one in UTC or without an offset gets the zone's. Null if it cannot be read. */
function parseMoment(written: string, zone: string | null): string | null {
  const date = numberToDate(written) ?? parseDate(written);
  return date?.endsWith('+00:00') ? momentIn(zone, date) : date;
}

/** What a post refers to, from the categories, tags and authors of the views. */
export type FindLinked = (post: Row) => LinkedRows;

interface LinkedRows extends Linked {
  /** Why the post cannot be shown; null: it can. */
  readonly missing: string | null;
  /** Ids. */
  readonly missingTags: readonly string[];
}

/** Reads the views of terms. Each term is an item too, since it may have no post. */
export function* termsIn(views: Views): Generator<ReadItem, FindLinked> {
  const categories = yield* readRows('offprint_categories', views, termIn, (term) => ({
    kind: 'category',
    term,
  }));
  const tags = yield* readRows('offprint_tags', views, termIn, (term) => ({ kind: 'tag', term }));
  const authors = yield* readRows('offprint_authors', views, authorIn, (author) => ({
    kind: 'author',
    author,
  }));
  const links = Map.groupBy(views.rows('offprint_post_tags'), (row) => String(row['post_id'] ?? ''));
  return ({ id, category_id: ofCategory, author_id: ofAuthor }) => {
    const of = <T>(rows: ReadonlyMap<string, T>, key: Cell | undefined): T | null | undefined =>
      (key ?? null) === null ? null : rows.get(String(key));
    const category = of(categories, ofCategory);
    const author = of(authors, ofAuthor);
    const missing = [
      ...(category === undefined ? [`its category ${String(ofCategory)}`] : []),
      ...(author === undefined ? [`its author ${String(ofAuthor)}`] : []),
    ];
    const linked = (links.get(String(id)) ?? []).map((row) => ({
      tag: String(row['tag_id'] ?? ''),
      place: Number(row['place'] ?? 0) || 0,
    }));
    return {
      category: category ?? null,
      author: author ?? null,
      tags: linked
        .flatMap(({ tag, place }) => ({ place, term: tags.get(tag) }))
        .sort((a, b) => a.place - b.place || ((a.term?.name ?? '') < (b.term?.name ?? '') ? -1 : 1))
        .flatMap(({ term }) => term ?? []),
      missing: missing[0] === undefined ? null : `${missing[0]} is missing or was left out`,
      missingTags: linked.flatMap(({ tag }) => (tags.has(tag) ? [] : tag)),
    };
  };
}

function termIn(text: GetText): Term {
  return { slug: needed(text('slug'), 'slug'), name: needed(text('name'), 'name') };
}

function authorIn(text: GetText): ImportedAuthor {
  const username = needed(text('username'), 'username');
  return { username, name: needed(text('name'), 'name'), avatar: text('avatar') };
}

/** The rows of a view by their ids, and an item for each. */
function* readRows<T>(
  view: ViewName,
  views: Views,
  read: (text: GetText) => T,
  toItem: (row: T) => ReadItem,
): Generator<ReadItem, Map<string, T>> {
  const rows = new Map<string, T>();
  for (const row of views.rows(view)) {
    const text = textReader(row, view, views);
    try {
      const id = needed(text('id'), 'id');
      const found = read(text);
      rows.set(id, found);
      yield toItem(found);
    } catch (error) {
      yield noPost(`${view} ${String(row['slug'] ?? row['username'] ?? row['id'] ?? '')}`, whyUnread(error));
    }
  }
  return rows;
}

/** The blog that the views show. */
interface SiteInViews {
  readonly blog: ImportedBlog;
  /** Null: UTC. */
  readonly zone: string | null;
  /** What its owner should know. */
  readonly notes: readonly string[];
}

/** What is wrong with a value; null: nothing. */
const FAULTS: Readonly<Record<string, (value: string) => string | null>> = {
  url: (url) => (/^https?:\/\/[^/]/.test(url) && URL.canParse(url) ? null : 'is not a URL'),
  post_path: (pattern) => patternFault('post', pattern),
  category_path: (pattern) => patternFault('category', pattern),
  tag_path: (pattern) => patternFault('tag', pattern),
  time_zone: (zone) => (findZone(zone) === null ? 'is not a time zone' : null),
};

/** @param path of the database */
export function siteIn(views: Views, path: string): SiteInViews {
  const [row = {}] = [...views.rows('offprint_site')];
  const texts = textReader(row, 'offprint_site', views);
  const notes: string[] = [];
  const value = (column: string): string | null => {
    const note = (why: string): null => {
      notes.push(`${column} of offprint_site is not used: ${why}.`);
      return null;
    };
    try {
      const text = texts(column)?.trim() ?? null;
      const fault = text === null ? null : (FAULTS[column]?.(text) ?? null);
      return fault === null ? text : note(`"${text}" ${fault}`);
    } catch (error) {
      return note(whyUnread(error));
    }
  };
  const name = value('name');
  const zone = value('time_zone');
  const paths = { post: value('post_path'), category: value('category_path'), tag: value('tag_path') };
  const site = { name, url: value('url'), paths };
  const blog = { format: 'sql', key: path, name: name ?? basename(path), isComplete: true, site };
  return { blog, zone: zone && findZone(zone), notes };
}
