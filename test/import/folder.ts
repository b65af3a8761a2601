import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openForWriting, type BlogDatabase } from '../../data/database.ts';
import type { FormatName } from '../../import/format-names.ts';
import { readBlog } from '../../import/formats.ts';
import type { ImportedItem, ImportedPost } from '../../import/imported-item.ts';
import type { ReadOptions } from '../../import/read-options.ts';

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

/** What a format read, each list in its order. */
export interface Read {
  readonly items: readonly ImportedItem[];
  readonly posts: readonly ImportedPost[];
  /** As in a report: `posts[1] "about": is a page`. */
  readonly skipped: readonly string[];
  /** The number of items that they stand for. */
  readonly left: number;
  /** `2 × shortcode box`, `cover: a.png`. */
  readonly lost: readonly string[];
  /** `wordpress:blog.example/?p=1: draft`. */
  readonly hidden: readonly string[];
  readonly notes: readonly string[];
}

/** Reads a blog of any format. */
export async function readAll(
  format: FormatName,
  paths: readonly [string, ...string[]],
  options: Partial<ReadOptions> = {},
): Promise<Read> {
  const items = await allOf(readBlog(format, paths, { now: NOW, wait: () => Promise.resolve(), ...options }));
  const those = <T>(pick: (item: ImportedItem) => T | null): T[] =>
    items.map(pick).filter((one) => one !== null);
  const skipped = those((item) => (item.kind === 'skipped' ? item.skipped : null));
  return {
    items,
    posts: those((item) => (item.kind === 'post' ? item.post : null)),
    skipped: skipped.map(({ source, reason }) => `${source}: ${reason}`),
    left: skipped.reduce((sum, { count = 1 }) => sum + count, 0),
    lost: those((item) => (item.kind === 'loss' ? item.loss : null)).map(
      ({ what, detail, count = 1 }) =>
        `${count === 1 ? '' : `${count} × `}${[what, detail].filter(Boolean).join(': ')}`,
    ),
    hidden: those((item) => (item.kind === 'hidden' ? `${item.hidden.source}: ${item.hidden.reason}` : null)),
    notes: those((item) => (item.kind === 'note' ? item.text : null)),
  };
}

/** The only post of a blog; fails if there is none, or more. */
export async function onlyPostOf(reading: Promise<Read>): Promise<ImportedPost> {
  const { posts, skipped, hidden } = await reading;
  const [post] = posts;
  if (post === undefined || posts.length > 1)
    throw new Error(`${posts.length} posts: ${[...skipped, ...hidden].join('; ')}`);
  return post;
}

/** What a folder of Markdown or a site gives, by path. */
export interface ReadFolder {
  readonly items: readonly ImportedItem[];
  readonly posts: ReadonlyMap<string, ImportedPost>;
  /** Path → reason. */
  readonly skipped: ReadonlyMap<string, string>;
}

export async function readFolder(folder: string, options: Partial<ReadOptions> = {}): Promise<ReadFolder> {
  return sorted((await readAll('markdown', [folder], options)).items);
}

export async function allOf(items: AsyncIterable<ImportedItem>): Promise<ImportedItem[]> {
  const all: ImportedItem[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The items that an import reads: posts, and skipped ones. */
export function sorted(all: readonly ImportedItem[]): ReadFolder {
  const items = all.filter(({ kind }) => !/^(?:blog|note)$/.test(kind));
  const posts = new Map<string, ImportedPost>();
  const skipped = new Map<string, string>();
  for (const item of items) {
    if (item.kind === 'post') posts.set(item.post.source.replace(/^markdown:/, ''), item.post);
    else if (item.kind === 'skipped') skipped.set(item.skipped.source, item.skipped.reason);
  }
  return { items, posts, skipped };
}

/** The post of a folder with one post; fails if there is none. */
export function readPost(
  path: string,
  content: string,
  others: Readonly<Record<string, string>> = {},
): Promise<ImportedPost> {
  return onlyPostOf(readAll('markdown', [folderOf({ [path]: content, ...others })]));
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
