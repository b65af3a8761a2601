import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readGhostExport } from '../../import/ghost/read.ts';
import type { ImportedItem, ImportedPost } from '../../import/imported-item.ts';
import { NOW } from './folder.ts';

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
  const folder = mkdtempSync(join(tmpdir(), 'offprint-ghost-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** An export with these tables. */
export function exportOf(data: Tables): string {
  return fileOf(JSON.stringify({ db: [{ meta: { exported_on: 1, version: '5.113.0' }, data }] }));
}

export interface ReadExport {
  readonly items: readonly ImportedItem[];
  readonly posts: readonly ImportedPost[];
  /** In the form of the report: `posts[1] "about": is a page`. */
  readonly skipped: readonly string[];
  /** In the same form. */
  readonly lost: readonly string[];
}

export async function readExportFile(path: string, site: string | null = null): Promise<ReadExport> {
  const items: ImportedItem[] = [];
  for await (const item of readGhostExport([path], { now: NOW, site })) items.push(item);
  return {
    items,
    posts: items.flatMap((item) => (item.kind === 'post' ? item.post : [])),
    skipped: items.flatMap((item) =>
      item.kind === 'skipped' ? `${item.skipped.source}: ${item.skipped.reason}` : [],
    ),
    lost: items.flatMap((item) => (item.kind === 'loss' ? `${item.loss.what}: ${item.loss.detail}` : [])),
  };
}

/** The post of an export of one post, with these fields and other tables; fails if there is none. */
export async function readGhostPost(
  fields: Readonly<Record<string, unknown>>,
  others: Tables = {},
  site: string | null = null,
): Promise<ImportedPost> {
  const { posts, skipped } = await readExportFile(
    exportOf({ posts: [{ ...GHOST_POST, ...fields }], ...others }),
    site,
  );
  const [post] = posts;
  if (post === undefined) throw new Error(`no post: ${skipped.join('; ')}`);
  return post;
}
