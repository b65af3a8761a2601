import * as v from 'valibot';
import { PostUnreadable } from '../../common/content/errors.ts';
import { findTimeZone } from '../../common/content/moment.ts';
import { tidyLine } from '../../common/content/text.ts';
import { noPost, postItems, unread } from '../article/outcome.ts';
import type { ImportedBlog, ReadItem } from '../imported-item.ts';
import type { ReadOptions } from '../read-options.ts';
import { readExport, type Document } from './export.ts';
import { type Blog, postFrom, whyHidden, whyNoPost } from './post.ts';
import { type GhostPost, identifyPosts, isYes, PERSON, POST, TAG, text } from './rows.ts';

/**
 * Reads Ghost's own export: one JSON document with the tables of its database, of any version. The steps:
 *
 *     readExport    the file → the tables in it, or why it is no export          export.ts
 *     postsIn       rows, each checked by itself, with their authors and tags    here; rows.ts
 *     identifyPosts what a post is found again by                                rows.ts
 *     postFrom      the fields of a post                                         post.ts, links.ts, cards.ts
 *
 * Each row becomes a post, or is left out with a reason; none stops the import.
 *
 * @param site the public site's address, if known: for addresses within the site
 * @throws ExportMissing, ExportTooLarge, ImportError if it is no export
 */
export async function* readGhostExport(
  paths: readonly string[],
  options: Pick<ReadOptions, 'site' | 'known'>,
): AsyncGenerator<ReadItem> {
  for (const path of paths) {
    for (const document of await readExport(path)) yield* readItems(document, options);
  }
}

function* readItems(
  document: Document,
  { site = null, known }: Pick<ReadOptions, 'site' | 'known'>,
): Generator<ReadItem> {
  const settings = new Map(
    parseRows(document, 'settings', SETTING).map(({ key, value }) => [key ?? '', value ?? '']),
  );
  const own = toBlog(settings);
  yield { kind: 'blog', blog: own };
  if (isYes(settings.get('is_private'))) yield { kind: 'note', text: PRIVATE };
  const home = own.key === null ? null : (known?.('ghost', own.key)?.home ?? null);
  const zone = findTimeZone(settings);
  const blog: Blog = { site: home ?? site, zone, permalinks: settings.get('permalinks') };
  const posts = postsIn(document);
  const table = getTable(document, 'posts');
  const faults = table.length - posts.length;
  // It is unknown which posts they were.
  if (faults > 0)
    yield unread(`posts[${table.findIndex((row) => !v.is(EXPORTED, row))}]`, 'is not a row', '', faults);
  const sources = identifyPosts(posts.map(({ row }) => row));
  for (const [i, post] of posts.entries()) yield* rowItems(post, sources[i] ?? '', blog);
}

interface ExportedPost {
  readonly row: GhostPost;
  /** Its name in reports: `posts[12] "about"`. */
  readonly label: string;
  /** The authors and tags that the export names, but does not have. */
  readonly missing: readonly string[];
}

function* rowItems({ row, label, missing }: ExportedPost, source: string, blog: Blog): Generator<ReadItem> {
  const why = whyNoPost(row);
  if (why !== null) yield noPost(label, why);
  else
    yield* postItems(
      source,
      (lose) => {
        const hidden = whyHidden(row);
        if (hidden !== null) return hidden;
        if (!row.html?.trim()) throw new PostUnreadable('has no HTML in this export');
        for (const detail of missing) lose('author or tag that is missing from the export', detail);
        return postFrom(row, source, blog);
      },
      { label },
    );
}

const PRIVATE =
  'Ghost protects this site with a password ("Make this site private"). The import publishes its public posts ' +
  'to everyone who can reach the API';

/** Ghost gives each database its own id. */
function toBlog(settings: ReadonlyMap<string, string>): ImportedBlog {
  const key = settings.get('db_hash') || settings.get('dbHash') || null;
  const name = tidyLine(settings.get('title') ?? '');
  return { format: 'ghost', key, name, isComplete: true, site: { name } };
}

const number = v.optional(v.fallback(v.pipe(v.unknown(), v.transform(Number), v.number()), 0), 0);
const SETTING = v.object({ key: text, value: v.union([v.pipe(v.boolean(), v.transform(String)), text]) });
const EXPORTED = v.object({
  ...POST.entries,
  /** Instead of `posts_authors`, before 2.0. */ author_id: text,
});
const META = v.object({
  post_id: text,
  meta_title: text,
  meta_description: text,
  email_only: v.optional(v.unknown()),
});
const TAG_LINK = v.object({ post_id: text, tag_id: text, sort_order: number });
const AUTHOR_LINK = v.object({ post_id: text, author_id: text, sort_order: number });

/** The posts of an export, with what its other tables have of them. */
function postsIn(document: Document): readonly ExportedPost[] {
  const users = byId(parseRows(document, 'users', PERSON), ({ id }) => id);
  const tags = byId(parseRows(document, 'tags', TAG), ({ id }) => id);
  const metas = byId(parseRows(document, 'posts_meta', META), ({ post_id }) => post_id);
  const tagIds = groupLinks(parseRows(document, 'posts_tags', TAG_LINK), ({ tag_id }) => tag_id);
  const authorIds = groupLinks(
    parseRows(document, 'posts_authors', AUTHOR_LINK),
    ({ author_id }) => author_id,
  );
  return parseRows(document, 'posts', EXPORTED).map(({ index, author_id, ...row }) => {
    const id = row.id ?? '';
    const missing: string[] = [];
    const found = <T>(kind: 'author' | 'tag', table: ReadonlyMap<string, T>, ids: readonly string[]): T[] =>
      ids.flatMap((wanted) => {
        const one = table.get(wanted);
        if (one === undefined) missing.push(`its ${kind} ${wanted} is not in the export`);
        return one ?? [];
      });
    const meta = metas.get(id);
    return {
      row: {
        ...row,
        // Moved to `posts_meta` with 3.0.
        meta_title: meta?.meta_title ?? row.meta_title,
        meta_description: meta?.meta_description ?? row.meta_description,
        email_only: meta?.email_only ?? row.email_only,
        authors: found('author', users, authorIds.get(id) ?? (author_id === null ? [] : [author_id])),
        tags: found('tag', tags, tagIds.get(id) ?? []),
      },
      label: labelPost(index, row),
      missing,
    };
  });
}

function getTable(document: Document, name: string): readonly unknown[] {
  return Array.isArray(document[name]) ? document[name] : [];
}

/** The rows of a table with their places in it, from 0; without what is no row. */
function parseRows<T>(
  document: Document,
  name: string,
  schema: v.GenericSchema<unknown, T>,
): readonly (T & { readonly index: number })[] {
  return getTable(document, name).flatMap((raw, index) => {
    const parsed = v.safeParse(schema, raw);
    return parsed.success ? { ...parsed.output, index } : [];
  });
}

function labelPost(index: number, { slug, title }: GhostPost): string {
  const name = tidyLine(slug ?? '') || tidyLine(title ?? '');
  return name === '' ? `posts[${index}]` : `posts[${index}] "${name}"`;
}

/** If two rows share an id, the first wins, as in Ghost's own import. */
function byId<T>(rows: readonly T[], getId: (row: T) => string | null): Map<string, T> {
  return new Map(rows.map((row) => [getId(row) ?? '', row] as const).toReversed());
}

/** Ids of a post's tags or authors, in order. */
function groupLinks<T extends { readonly post_id: string | null; readonly sort_order: number }>(
  rows: readonly T[],
  getId: (row: T) => string | null,
): Map<string, string[]> {
  const linked = rows.toSorted((a, b) => a.sort_order - b.sort_order);
  const listIds = (own: readonly T[]): string[] => own.map(getId).filter((id) => id !== null);
  const links = Map.groupBy(linked, ({ post_id }) => post_id ?? '');
  return new Map([...links].map(([post, own]) => [post, [...new Set(listIds(own))]]));
}
