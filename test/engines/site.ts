import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FormatName } from '../../import/format-names.ts';
import { readBlog } from '../../import/formats.ts';
import type { ReadOptions } from '../../import/read-options.ts';
import { importBlog } from '../../data/imported/import.ts';
import { knownBlog } from '../../data/imported/origin.ts';
import type { ImportedItem, ImportedPost } from '../../import/imported-item.ts';
import type { ImportReport } from '../../data/imported/report.ts';
import { emptyBlog } from '../import/folder.ts';

/** Titles that look like Markdown or HTML: engines show them as they are. */
export const TEXT_TITLES: readonly string[] = [
  'Using __init__ and __name__ in Python',
  'Yes, ~~no~~ `*.md` and C:\\dir\\*',
  'A [link](x) & <em>Q&amp;A</em>, Vec<T>',
  '1. # not a heading',
];

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
  const items: ImportedItem[] = [];
  for await (const item of readBlog(format, [folder], { now: new Date(), ...options })) items.push(item);
  const posts = items.flatMap((item) => (item.kind === 'post' ? [item.post] : []));
  return {
    posts: new Map(
      posts.map((post) => [post.language === null ? post.slug : `${post.slug} (${post.language})`, post]),
    ),
    skipped: new Map(
      items.flatMap((item) =>
        item.kind === 'skipped' ? [[item.skipped.source, item.skipped.reason] as const] : [],
      ),
    ),
    hidden: new Map(
      items.flatMap((item) =>
        item.kind === 'hidden' ? [[item.hidden.source, item.hidden.reason] as const] : [],
      ),
    ),
    notes: items.flatMap((item) => (item.kind === 'note' ? [item.text] : [])),
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
