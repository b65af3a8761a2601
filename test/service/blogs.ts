import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateBlog } from '../../bench/generate/blog.ts';
import { answerOf } from './in-process.ts';
import { writeBoundsBlog, writeEmptyBlog, writeOddBlog } from './odd-blog.ts';

/** A blog's database, ready to be exported. */
export interface Blog {
  readonly name: string;
  /** The path of its SQLite file. Services take a copy. */
  readonly db: string;
}

const folder = (name: string) => join(mkdtempSync(join(tmpdir(), `offprint-blog-${name}-`)), 'blog.db');

/** The blog that comes with Offprint, imported from its Markdown. */
export async function sampleBlog(): Promise<Blog> {
  const db = folder('sample');
  await answerOf(['import', 'markdown', pathOf('../../data/sample'), '--db', db]);
  return { name: 'sample', db };
}

/** A small, hand-written blog of difficult cases. */
export function oddBlog(): Promise<Blog> {
  const db = folder('odd');
  writeOddBlog(db);
  return Promise.resolve({ name: 'odd', db });
}

/** A blog without rows. */
export function emptyBlog(): Promise<Blog> {
  const db = folder('empty');
  writeEmptyBlog(db);
  return Promise.resolve({ name: 'empty', db });
}

/** A blog with extreme values that the schema allows. */
export function boundsBlog(): Promise<Blog> {
  const db = folder('bounds');
  writeBoundsBlog(db);
  return Promise.resolve({ name: 'bounds', db });
}

/** A realistic blog of 300 posts in several languages, large enough for a search index. */
export function generatedBlog(): Promise<Blog> {
  const db = folder('generated');
  generateBlog(db, { posts: 300, seed: 20 });
  return Promise.resolve({ name: 'generated', db });
}

/** Whether the public blogs next to the checkout exist. */
export function hasRealBlog(name: string): boolean {
  return existsSync(realBlogPath(name));
}

/** A public blog, imported from its Markdown, also if its folder has a generator's configuration. */
export async function realBlog(name: string): Promise<Blog> {
  const db = folder(name);
  await answerOf([
    'import',
    'markdown',
    realBlogPath(name),
    '--plain',
    '--db',
    db,
    '--site',
    'https://blog.example',
  ]);
  return { name, db };
}

const realBlogPath = (name: string) => pathOf(`../../../shared/blogs/${name}`);
const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
