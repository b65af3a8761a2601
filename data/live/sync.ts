import { createHash } from 'node:crypto';
import { type BlogDatabase, inserted } from '../database.ts';
import { tagWriter } from '../tag-writer.ts';
import type { SkippedRow } from '../skipped-row.ts';
import { isShown, LiveRow, parsePost, parseViews, RowUnusable, type LivePost } from './rows.ts';
import { syncSite } from './sync-site.ts';
import { linksOf, syncTerms, type Links, type Terms } from './sync-terms.ts';
import type { Row, Views } from './views.ts';

/**
 * Updates the mirror from the views, writing only differences. Drafts are left out. A row that cannot be exported is
 * skipped, without affecting the others.
 *
 * @param withdrawn slugs of posts to leave out too
 * @returns the skipped rows, always in the same order
 */
export function syncMirror(views: Views, mirror: BlogDatabase, withdrawn: ReadonlySet<string>): SkippedRow[] {
  const leftOut: SkippedRow[] = [];
  const timeZone = syncSite(views, mirror, leftOut);
  const terms = syncTerms(views, mirror, leftOut);
  const context: SyncContext = { views, terms, links: linksOf(views), timeZone, withdrawn };

  const slugs = shownSlugs(context, leftOut);
  const known = freeSlugs(mirror, slugs);
  const write = postWriter(mirror);
  for (const row of postRows(context)) {
    if (!slugs.has(keyOf(row))) continue;
    try {
      write(postOf(row, context), known.get(keyOf(row)));
      known.delete(keyOf(row));
    } catch (error) {
      leftOut.push(fault(row, error));
    }
  }
  // Also removes posts whose text could not be read.
  const remove = mirror.prepare('DELETE FROM posts WHERE id = ?');
  for (const { id } of known.values()) remove.run(id);
  mirror.exec('DELETE FROM mirror_hashes WHERE post_id NOT IN (SELECT id FROM posts)');
  terms.removeUnseen();
  return leftOut.sort((a, b) => (`${a.table} ${a.row}` < `${b.table} ${b.row}` ? -1 : 1));
}

interface SyncContext {
  readonly views: Views;
  readonly terms: Terms;
  readonly links: Links;
  readonly timeZone: string | null;
  readonly withdrawn: ReadonlySet<string>;
}

interface KnownPost {
  readonly id: number;
  readonly slug: string;
  readonly views: number;
  readonly hash: string | null;
}

/**
 * The slug of each post to show, by key. A first pass over all rows without their texts, which reports skipped rows. If
 * two posts share a slug, the first gets it.
 */
function shownSlugs(context: SyncContext, leftOut: SkippedRow[]): Map<string, string> {
  const slugs = new Map<string, string>();
  const holders = new Map<string, string>();
  for (const row of context.views.rows('offprint_posts', { without: ['body', 'revision'] })) {
    try {
      const live = new LiveRow(row, 'offprint_posts', context.views);
      const key = live.needed('id', 'it has no id');
      if (!isShown(live)) continue;
      const { slug } = parsePost(live, context.timeZone);
      if (context.withdrawn.has(slug)) continue;
      context.terms.of(live); // Checks that its category and author exist.
      const holder = holders.get(slug);
      if (holder !== undefined) throw new RowUnusable(`post ${holder} has the same slug`);
      if (slugs.has(key)) throw new RowUnusable(`another post has the same id, ${key}`);
      holders.set(slug, key);
      slugs.set(key, slug);
      leftOut.push(...context.links.missing(key, context.terms));
    } catch (error) {
      leftOut.push(fault(row, error));
    }
  }
  return slugs;
}

/**
 * Removes posts from the mirror that are no longer shown, and slugs that change: two posts may swap theirs.
 *
 * @returns the remaining posts, by key
 */
function freeSlugs(mirror: BlogDatabase, slugs: ReadonlyMap<string, string>): Map<string, KnownPost> {
  const known = new Map<string, KnownPost>();
  const remove = mirror.prepare('DELETE FROM posts WHERE id = ?');
  const move = mirror.prepare("UPDATE posts SET slug = '/moved/' || id WHERE id = ?");
  const rows = mirror
    .prepare<[], KnownPost & { source: string }>(
      `SELECT posts.id, source, slug, views, hash FROM posts LEFT JOIN mirror_hashes ON post_id = posts.id`,
    )
    .all();
  for (const { source, ...post } of rows) {
    const slug = slugs.get(source);
    if (slug === undefined) remove.run(post.id);
    else {
      if (slug !== post.slug) move.run(post.id);
      known.set(source, post);
    }
  }
  return known;
}

/** Posts; without their texts if there is a revision to compare. */
function postRows({ views }: SyncContext): Generator<Row> {
  const without = views.has('offprint_posts', 'revision') ? ['body'] : [];
  return views.rows('offprint_posts', { without, ordered: false });
}

interface WrittenPost {
  readonly source: string;
  readonly columns: LivePost & { readonly category_id: number | null; readonly author_id: number | null };
  readonly tagIds: readonly number[];
  readonly views: number;
  /** Of all the above except views, and of the body or its revision. */
  readonly hash: string;
  readonly body: () => string;
}

function postOf(row: Row, { views, terms, links, timeZone }: SyncContext): WrittenPost {
  const live = new LiveRow(row, 'offprint_posts', views);
  const source = keyOf(row);
  const columns = { ...parsePost(live, timeZone), ...terms.of(live) };
  const tagIds = links.tagIds(source, terms);
  const bodyRevision = live.text('revision');
  const body = (): string => {
    if (bodyRevision === null) return live.text('body') ?? '';
    const fetched = new LiveRow(
      { ...row, body: views.cell('offprint_posts', source, 'body') },
      'offprint_posts',
      views,
    );
    return fetched.text('body') ?? '';
  };
  const hash = createHash('sha256')
    .update(JSON.stringify([columns, tagIds, bodyRevision === null ? 'body' : 'revision']))
    .update(bodyRevision ?? body())
    .digest('base64url');
  return { source, columns, tagIds, views: parseViews(row['views']), hash, body };
}

/** Writes a post if it differs. */
function postWriter(mirror: BlogDatabase): (post: WrittenPost, known: KnownPost | undefined) => void {
  const names = [
    ...['slug', 'title', 'description', 'cover', 'meta_title', 'meta_description', 'status', 'published_at'],
    ...['expires_at', 'updated_at', 'url', 'category_id', 'author_id', 'body'],
  ];
  const insert = mirror
    .prepare<[object], number>(
      `INSERT INTO posts (source, views, ${names.join(', ')})
       VALUES (@source, @views, ${names.map((name) => `@${name}`).join(', ')}) RETURNING id`,
    )
    .pluck();
  const update = mirror.prepare(
    `UPDATE posts SET ${names.map((name) => `${name} = @${name}`).join(', ')} WHERE id = @id`,
  );
  const updateViews = mirror.prepare('UPDATE posts SET views = ? WHERE id = ?');
  const putHash = mirror.prepare('INSERT OR REPLACE INTO mirror_hashes VALUES (?, ?)');
  const writeTags = tagWriter(mirror);
  return ({ source, columns, tagIds, views, hash, body }, known) => {
    if (known !== undefined && known.views !== views) updateViews.run(views, known.id);
    if (known?.hash === hash) return;
    const id = known?.id ?? inserted(insert.get({ ...columns, source, views, body: body() }));
    if (known !== undefined) update.run({ ...columns, id, body: body() });
    writeTags(id, tagIds);
    putHash.run(id, hash);
  };
}

function keyOf(row: Row): string {
  return String(row['id'] ?? '');
}

/** @throws errors that are not about this row */
function fault(row: Row, error: unknown): SkippedRow {
  if (!(error instanceof RowUnusable)) throw error;
  const slug = typeof row['slug'] === 'string' ? row['slug'].trim() : '';
  return { table: 'offprint_posts', row: slug || keyOf(row), reason: error.message };
}
