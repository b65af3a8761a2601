import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openForWriting, type BlogDatabase } from '../../data/database.ts';
import { readMarkdownBlog } from '../../import/markdown/read.ts';
import type { ImportedItem, ImportedPost } from '../../import/imported-item.ts';

export const NOW = new Date('2026-06-01T12:00:00Z');

/** A temporary folder with these files, for the duration of the test. */
export function folderOf(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-import-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  addFiles(folder, files);
  return folder;
}

export function addFiles(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

export interface Read {
  readonly items: readonly ImportedItem[];
  /** By path. */
  readonly posts: ReadonlyMap<string, ImportedPost>;
  /** Path → reason. */
  readonly skipped: ReadonlyMap<string, string>;
}

export async function readFolder(folder: string, now = NOW): Promise<Read> {
  return sorted(await allOf(readMarkdownBlog(folder, { now })));
}

export async function allOf(items: AsyncIterable<ImportedItem>): Promise<ImportedItem[]> {
  const all: ImportedItem[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The items that an import reads: posts, and skipped ones. */
export function sorted(all: readonly ImportedItem[]): Read {
  const items = all.filter(({ kind }) => !/^(?:blog|alias|note)$/.test(kind));
  const posts = new Map<string, ImportedPost>();
  const skipped = new Map<string, string>();
  for (const item of items) {
    if (item.kind === 'post') posts.set(item.post.source.replace(/^markdown:/, ''), item.post);
    else if (item.kind === 'skipped') skipped.set(item.skipped.source, item.skipped.reason);
  }
  return { items, posts, skipped };
}

/** The post of a blog of one file; fails if there is none. */
export async function readPost(
  path: string,
  content: string,
  others: Readonly<Record<string, string>> = {},
): Promise<ImportedPost> {
  const { posts, skipped } = await readFolder(folderOf({ [path]: content, ...others }));
  const post = posts.get(path);
  if (post === undefined) throw new Error(`no post: ${skipped.get(path)}`);
  return post;
}

/** An empty blog in memory, for the duration of the test. */
export function emptyBlog(): BlogDatabase {
  const db = openForWriting(':memory:');
  onTestFinished(() => void db.close());
  return db;
}

/** Every row of every table, including SQLite's own counters. */
export function dump(db: BlogDatabase): string {
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all();
  return JSON.stringify(tables.map((table) => [table, db.prepare(`SELECT * FROM ${table}`).all()]));
}
