import { generateBlog } from '../../bench/generate/blog.ts';
import type { BuildReport } from '../../build/build-report.ts';
import { build, type BuildOptions } from '../../build/build.ts';
import { NO_ADDITIONS } from '../../build/html/policy.ts';
import { SILENT } from '../../common/progress.ts';
import type { Limits } from '../../contract/policy.ts';
import { type BlogDatabase, openForWriting } from '../../data/database.ts';
import { insertPost, writeEmptyBlog } from '../service/odd-blog.ts';

/** High enough that no test reaches them; CONFIG has the same for the command line. */
export const LIMITS: Limits = {
  day: { address: 1_000_000, user: 1_000_001, admin: 1_000_002 },
  minute: 1_000_003,
};
export const CONFIG = JSON.stringify({ limits: LIMITS });

/** A month after the last post of the generator. */
export const NOW = new Date('2026-10-01T00:00:00Z');

/** A generated blog with short bodies that sanitising leaves unchanged. */
export function shortBlog(path: string, posts: number, seed: number): void {
  generateBlog(path, { posts, seed, body: (number) => `<p>Body of post ${number + 1}</p>` });
}

/** A blog with two tags, categories and authors, each of them in use. The second post has views. */
export function writeTwoOfEach(path: string, slugs: readonly string[]): void {
  writeEmptyBlog(path);
  editing(path, (db) => {
    db.exec(`
      INSERT INTO tags (slug, name) VALUES ('go', 'Go'), ('rust', 'Rust');
      INSERT INTO categories (slug, name) VALUES ('news', 'News'), ('essays', 'Essays');
      INSERT INTO authors (username, name) VALUES ('ada', 'Ada'), ('bob', 'Bob');`);
    const [first = '', second = '', ...others] = slugs;
    insertPost(db, { slug: first, tags: ['go'], category: 'news', author: 'ada' });
    insertPost(db, { slug: second, tags: ['rust', 'go'], category: 'essays', author: 'bob', views: 3 });
    for (const slug of others) insertPost(db, { slug, tags: ['rust'], category: 'news', author: 'ada' });
    db.pragma('journal_mode = DELETE');
  });
}

/** Opens the blog at `path` while `edit` runs. */
export function editing<T>(path: string, edit: (db: BlogDatabase) => T): T {
  const db = openForWriting(path);
  try {
    return edit(db);
  } finally {
    db.close();
  }
}

/** Options of a build, by default in one thread, because each further thread costs 0.4 s of CPU to start. */
export function buildOptions(
  db: string,
  out: string,
  options: Partial<Omit<BuildOptions, 'db' | 'out'>> = {},
): BuildOptions {
  return {
    db,
    out,
    blog: null,
    configured: true,
    site: {},
    limits: LIMITS,
    html: NO_ADDITIONS,
    apiUrl: null,
    strict: false,
    force: false,
    full: false,
    threads: false,
    now: NOW,
    progress: SILENT,
    builtBy: 'test',
    ...options,
  };
}

/** Builds in this process. incremental.test.ts and determinism.test.ts compare the output of one thread and of many. */
export function publish(...options: Parameters<typeof buildOptions>): Promise<BuildReport> {
  return build(buildOptions(...options));
}
