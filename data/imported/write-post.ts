import { type PostInPath, postPath } from '../../common/site-paths.ts';
import { type BlogDatabase, inserted } from '../database.ts';
import type { ImportedPost } from '../../import/imported-item.ts';
import { isPreferred } from './queue.ts';
import { decodePercent } from '../../common/content/slug.ts';
import { tagWriter } from '../tag-writer.ts';
import { withdrawnPosts } from '../withdrawals.ts';
import type { TermWriter } from './write-terms.ts';

interface WrittenPost {
  readonly slug: string;
  readonly change: 'new' | 'changed' | 'none';
  /** Whether it stays archived because it was withdrawn. */
  readonly isWithdrawn: boolean;
}

/** The columns that an import sets, as in the database. */
const COLUMNS = [
  ...['slug', 'title', 'body', 'description', 'cover', 'meta_title', 'meta_description'],
  ...['category_id', 'author_id', 'status', 'published_at', 'expires_at', 'updated_at', 'url', 'views'],
];

type Columns = Readonly<Record<string, string | number | null>>;

/**
 * Writes one post: a new row, or the differences in the row with its source. An equal row is not touched, so no
 * revision rises and the next build has nothing to do. Withdrawn posts are archived.
 */
export function postWriter(
  db: BlogDatabase,
  terms: TermWriter,
): (post: ImportedPost, originId: number | null) => WrittenPost {
  const names = COLUMNS.join(', ');
  const select = db.prepare<
    [string],
    Columns & { readonly id: number; readonly slug: string; readonly views: number }
  >(`SELECT id, ${names} FROM posts WHERE source = ?`);
  const insert = db
    .prepare<[Columns], number>(
      `INSERT INTO posts (source, ${names}) VALUES (@source, ${COLUMNS.map((name) => `@${name}`).join(', ')}) RETURNING id`,
    )
    .pluck();
  const slugFor = slugChooser(db);
  const writeTags = tagWriter(db);
  const urlToStore = addressKeeper(db);

  const isWithdrawn = withdrawnPosts(db);
  const noteOrigin = db.prepare('INSERT INTO post_origins VALUES (?, ?) ON CONFLICT (post_id) DO NOTHING');

  return (post, originId) => {
    const row = select.get(post.source);
    const withdrawn = isWithdrawn(post.slug, row?.id ?? null);
    const slug = slugFor(post, row?.slug);
    const columns: Columns = {
      slug,
      title: post.title,
      body: post.body,
      description: post.description,
      cover: post.cover,
      meta_title: post.metaTitle,
      meta_description: post.metaDescription,
      category_id: post.category && terms.category(post.category),
      author_id: post.author && terms.author(post.author),
      status: withdrawn ? 'archived' : post.status,
      published_at: post.publishedAt,
      expires_at: post.expiresAt ?? null,
      updated_at: post.updatedAt ?? null,
      url: urlToStore(post.url, {
        slug,
        publishedAt: post.publishedAt,
        category: post.category?.slug ?? null,
      }),
      views: post.views ?? row?.views ?? 0,
    };
    const tagIds = post.tags.map(terms.tag);
    if (row === undefined) {
      const id = inserted(insert.get({ source: post.source, ...columns }));
      writeTags(id, tagIds);
      if (originId !== null) noteOrigin.run(id, originId);
      return { slug, change: 'new', isWithdrawn: withdrawn };
    }
    if (originId !== null) noteOrigin.run(row.id, originId); // A program that replaced the row lost it.
    const differing = COLUMNS.filter((name) => columns[name] !== row[name]);
    if (differing.length > 0) {
      db.prepare(`UPDATE posts SET ${differing.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`).run(
        ...differing.map((name) => columns[name]),
        row.id,
      );
    }
    const tagsChanged = writeTags(row.id, tagIds);
    return {
      slug,
      change: differing.length > 0 || tagsChanged ? 'changed' : 'none',
      isWithdrawn: withdrawn,
    };
  };
}

/**
 * Chooses a post's slug: the preferred one if it is free; otherwise a translation tries `slug-es`, and then all are
 * numbered: `slug-2`, `slug-3`. A post keeps the slug that it got at an earlier import, even when a better one becomes free.
 */
function slugChooser(db: BlogDatabase): (post: ImportedPost, current: string | undefined) => string {
  const holder = db.prepare<[string], string | null>('SELECT source FROM posts WHERE slug = ?').pluck();
  const askedFor = isPreferred(db);
  /** The last number by slug, so that a thousand equal slugs need only one pass. */
  const counts = new Map<string, number>();
  return ({ source, slug, language }, current) => {
    const isFree = (candidate: string): boolean => {
      const held = holder.get(candidate);
      return held === undefined || held === source;
    };
    const inLanguage = language === null ? slug : `${slug}-${language}`;
    if (current !== undefined && isRenamed(current, slug, inLanguage)) return current;
    if (isFree(slug)) return slug;
    const others = (candidate: string): boolean => isFree(candidate) && !askedFor(candidate);
    if (language !== null && others(inLanguage)) return inLanguage;
    for (let count = (counts.get(inLanguage) ?? 1) + 1; ; count++) {
      if (!others(`${inLanguage}-${count}`)) continue;
      counts.set(inLanguage, count);
      return `${inLanguage}-${count}`;
    }
  };
}

/** Whether `current` is the post's preferred slug, or a replacement for it. */
function isRenamed(current: string, slug: string, inLanguage: string): boolean {
  if (current === slug || current === inLanguage) return true;
  return (
    current.startsWith(`${inLanguage}-`) && /^[2-9]$|^[1-9]\d+$/.test(current.slice(inLanguage.length + 1))
  );
}

/** A post's own address is stored only if it differs from the site's path pattern, be it by a slash at its end. */
function addressKeeper(db: BlogDatabase): (url: string | null, post: PostInPath) => string | null {
  const site = db.prepare<[], { url: string; post_path: string }>('SELECT url, post_path FROM site').get();
  return (url, post) => {
    if (url === null || site === undefined) return url;
    const path = postPath(site.post_path, post);
    return [path, site.url + path].map(decodePercent).includes(decodePercent(url)) ? null : url;
  };
}
