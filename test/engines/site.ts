import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FormatName } from '../../import/format-names.ts';
import { readBlog } from '../../import/formats.ts';
import type { ReadOptions } from '../../import/read-options.ts';
import { importBlog } from '../../data/imported/import.ts';
import { knownBlog } from '../../data/imported/origin.ts';
import type { ImportedPost } from '../../import/imported-item.ts';
import type { ImportReport } from '../../data/imported/report.ts';
import { emptyBlog, readAll, sorted } from '../import/folder.ts';

/** What an engine produced. */
export interface ReadSite {
  /** By slug; with several languages, by `slug` and `slug (es)`. */
  readonly posts: ReadonlyMap<string, ImportedPost>;
  /** Path → reason. */
  readonly skipped: ReadonlyMap<string, string>;
  /** Source → reason. */
  readonly hidden: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
  readonly site: { readonly name?: string | null; readonly url?: string | null } | undefined;
}

export async function readSite(
  format: FormatName,
  folder: string,
  options: Partial<ReadOptions> = {},
): Promise<ReadSite> {
  const { items, posts, notes } = await readAll(format, [folder], { now: new Date(), ...options });
  return {
    posts: new Map(
      posts.map((post) => [post.language === null ? post.slug : `${post.slug} (${post.language})`, post]),
    ),
    skipped: sorted(items).skipped,
    hidden: new Map(
      items.flatMap((item) =>
        item.kind === 'hidden' ? [[item.hidden.source, item.hidden.reason] as const] : [],
      ),
    ),
    notes,
    site: items.flatMap((item) => (item.kind === 'blog' ? [item.blog.site] : []))[0],
  };
}

/** Imports into the same database each time it is called. */
export function importer(): (
  format: FormatName,
  folder: string,
  options?: Partial<ReadOptions>,
) => Promise<ImportReport> {
  const db = emptyBlog();
  return (format, folder, options = {}) =>
    importBlog({
      db,
      items: readBlog(format, [folder], {
        now: new Date(),
        known: (name, key) => knownBlog(db, name, key),
        ...options,
      }),
    });
}

/** Every file and folder with the hash of its content, which an import must not change. */
export function fingerprint(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((path) => {
      const file = join(folder, path);
      if (!lstatSync(file).isFile()) return path;
      return `${path} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`;
    });
}
