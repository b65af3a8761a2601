import { existsSync, renameSync, rmSync } from 'node:fs';
import { openForReading, openForWriting, type BlogDatabase } from '../../data/database.ts';
import { postInserter } from './insert-post.ts';
import { postMaker, type BlogSize } from './post.ts';
import { makeAuthors, makeCategories, makeTags, SITE_URL, taxonomySizes } from './taxonomy.ts';

export interface BlogOptions {
  /** Number of posts, including drafts and archived posts; at least 1. */
  readonly posts: number;
  /** A whole number. The same seed and number of posts always give the same content. */
  readonly seed?: number;
  /** The body of a post, by its number from 0; default: 2 to 8 kB of HTML as a writer would leave it. */
  readonly body?: (number: number) => string;
}

/** The target is a database that this generator did not make. */
export class NotABenchBlog extends Error {
  override name = 'NotABenchBlog';
  constructor(path: string) {
    super(
      `${path} holds a blog that is not at ${SITE_URL}. Name another file with --db, or delete this one.`,
    );
  }
}

/**
 * Makes a blog of `posts` posts in the database at `path`, replacing an earlier bench blog there. All content
 * depends on the seed; only the `revision` numbers differ between runs, as schema.sql requires.
 *
 * @returns the number of rows of each kind
 * @throws NotABenchBlog, and the errors of openForReading if `path` is another kind of file
 */
export function generateBlog(path: string, options: BlogOptions): BlogSize {
  if (existsSync(path)) refuseOtherBlogs(path);
  const seed = options.seed ?? 1;
  const size = { posts: options.posts, ...taxonomySizes(options.posts) };

  // Written under a temporary name and without a journal, which is faster; renamed when complete.
  const unfinished = `${path}.part`;
  removeDatabase(unfinished);
  try {
    write(unfinished, size, { ...options, seed });
  } catch (error) {
    removeDatabase(unfinished);
    throw error;
  }
  removeDatabase(path);
  renameSync(unfinished, path);
  return size;
}

type Content = BlogOptions & { readonly seed: number };

function write(path: string, size: BlogSize, content: Content): void {
  const db = openForWriting(path);
  try {
    db.pragma('journal_mode = OFF');
    db.pragma('synchronous = OFF');
    db.pragma('cache_size = -256000');
    db.transaction(() => {
      writeSite(db, size, content.seed);
      writePosts(db, size, content);
    })();
    db.pragma('journal_mode = WAL');
  } finally {
    db.close();
  }
}

function writeSite(db: BlogDatabase, size: BlogSize, seed: number): void {
  db.prepare('UPDATE site SET name = ?, url = ?').run('Bench', SITE_URL);
  const category = db.prepare('INSERT INTO categories (slug, name) VALUES (@slug, @name)');
  for (const row of makeCategories(size.categories)) category.run(row);
  const tag = db.prepare('INSERT INTO tags (slug, name) VALUES (@slug, @name)');
  for (const row of makeTags(size.tags, seed)) tag.run(row);
  const author = db.prepare(
    'INSERT INTO authors (username, name, avatar) VALUES (@username, @name, @avatar)',
  );
  for (const row of makeAuthors(size.authors, seed)) author.run(row);
}

function writePosts(db: BlogDatabase, size: BlogSize, { seed, body }: Content): void {
  const make = postMaker(size, seed, body);
  const insert = postInserter(db);
  const slugs = new Set<string>();
  // Tags are inserted before their post; foreign keys are checked at the commit.
  db.pragma('defer_foreign_keys = ON');
  for (let number = 0; number < size.posts; number += 1) {
    const post = make(number);
    const slug = slugs.has(post.slug) ? `${post.slug}-${number + 1}` : post.slug;
    slugs.add(slug);
    insert({ ...post, slug }, number + 1);
  }
}

function refuseOtherBlogs(path: string): void {
  const db = openForReading(path);
  try {
    if (db.prepare('SELECT url FROM site').pluck().get() !== SITE_URL) throw new NotABenchBlog(path);
  } finally {
    db.close();
  }
}

function removeDatabase(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true });
}
