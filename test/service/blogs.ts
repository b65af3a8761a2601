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

/** A blog that a function writes. */
function written(name: string, write: (path: string) => void): () => Promise<Blog> {
  return async () => {
    const db = folder(name);
    write(db);
    return { name, db };
  };
}

/** A small, hand-written blog of difficult cases. */
export const oddBlog = written('odd', writeOddBlog);

/** A blog without rows. */
export const emptyBlog = written('empty', writeEmptyBlog);

/** A blog with extreme values that the schema allows. */
export const boundsBlog = written('bounds', writeBoundsBlog);

/** A realistic blog of 300 posts in several languages, large enough for a search index. */
export const generatedBlog = written('generated', (db) => generateBlog(db, { posts: 300, seed: 20 }));

/** Whether the public blogs next to the checkout exist. */
export function hasRealBlog(name: string): boolean {
  return existsSync(realBlogPath(name));
}

/** A public blog, imported from its Markdown, also if its folder has a generator's configuration. */
export async function realBlog(name: string): Promise<Blog> {
  const db = folder(name);
  const site = ['--site', 'https://blog.example'];
  await answerOf(['import', 'markdown', realBlogPath(name), '--plain', '--db', db, ...site]);
  return { name, db };
}

const realBlogPath = (name: string) => pathOf(`../../../shared/blogs/${name}`);
const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
