import { join } from 'node:path';
import type { ImportedPost } from '../../import/imported-item.ts';
import { folderOf, onlyPostOf, type Read, readAll } from './folder.ts';

/** Tables of an export, by name. */
export type Tables = Readonly<Record<string, readonly unknown[]>>;

/** A post as Ghost 5 exports it, without unused fields. */
export const GHOST_POST = {
  id: '63c22e7bb534ee0210985d41',
  uuid: '32785e92-196e-4e2e-8159-189195e92fcc',
  title: 'One',
  slug: 'one',
  html: '<p>1</p>',
  feature_image: null,
  type: 'post',
  status: 'published',
  visibility: 'public',
  created_at: '2020-01-01T09:00:00.000Z',
  published_at: '2020-01-01T10:00:00.000Z',
  custom_excerpt: null,
  canonical_url: null,
};

/** A file with this content, for the duration of the test. */
export function fileOf(content: string | Buffer, name = 'blog.ghost.json'): string {
  return join(folderOf({ [name]: content }), name);
}

/** An export with these tables. */
export function exportOf(data: Tables): string {
  return fileOf(JSON.stringify({ db: [{ meta: { exported_on: 1, version: '5.113.0' }, data }] }));
}

type Row = Readonly<Record<string, unknown>>;

/** An export of the posts that Ghost's API shows as these rows. */
export function exportOfRows(rows: readonly Row[], settings: readonly Row[] = []): string {
  const listed = (field: 'authors' | 'tags', key: string) => {
    const all = rows.flatMap(({ id, [field]: list }) =>
      (list as readonly Row[]).map((row, sort_order) => ({ row, post_id: id, [key]: row['id'], sort_order })),
    );
    return { rows: [...new Map(all.map(({ row }) => [row['id'], row])).values()], links: all };
  };
  const [authors, tags] = [listed('authors', 'author_id'), listed('tags', 'tag_id')];
  return exportOf({
    posts: rows.map(({ email_only: _, ...row }) => ({ type: 'post', ...row })),
    settings,
    posts_meta: rows.map(({ id, email_only }) => ({ post_id: id, email_only })),
    users: authors.rows,
    posts_authors: authors.links,
    tags: tags.rows,
    posts_tags: tags.links,
  });
}

export function readExportFile(path: string, site: string | null = null): Promise<Read> {
  return readAll('ghost', [path], { site });
}

/** The post of an export of one post, with these fields and other tables; fails if there is none. */
export function readGhostPost(
  fields: Readonly<Record<string, unknown>>,
  others: Tables = {},
  site: string | null = null,
): Promise<ImportedPost> {
  return onlyPostOf(readExportFile(exportOf({ posts: [{ ...GHOST_POST, ...fields }], ...others }), site));
}
