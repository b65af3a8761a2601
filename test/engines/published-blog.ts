/** A real blog that is published, and edited and published again. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { openForWriting } from '../../data/database.ts';
import { type Blog, hasRealBlog, realBlog } from '../service/blogs.ts';
import type { Service, Settings } from '../service/home.ts';
import { answerOf } from '../service/in-process.ts';
import { inProcessHome } from '../service/in-process-home.ts';

/** Number of articles; the API returns 50 at once. */
export const ARTICLES = 339;

/** Slugs that are not valid folder names, and two that are equal on case-insensitive file systems. */
const ODD_SLUGS = ['Über uns? 100% "<&>"', '日本語の記事', '.hidden.', 'stability', '語'.repeat(500)];

export const HAS_BLOG = hasRealBlog('rust-blog');

/** Serves the blog on one machine until the end of the test. @returns also what changes it by SQL, and publishes it */
export async function publishOnOneMachine(
  settings: Settings,
): Promise<{ readonly service: Service; readonly edit: (sql: string) => Promise<void> }> {
  const service = await inProcessHome.serve(await blogOfTest(), settings);
  onTestFinished(() => service.close());
  const at = (name: string) => join(service.folder, name);
  return {
    service,
    async edit(sql) {
      const database = openForWriting(at('blog.db'));
      database.exec(sql);
      database.close();
      await service.stop();
      await answerOf([
        'build',
        ...['--db', at('blog.db'), '--out', at('out'), '--config', at('offprint.json')],
      ]);
      await service.restart();
    },
  };
}

/** A real blog with a category, tags, covers, and slugs that are not valid folder names. */
async function blogOfTest(): Promise<Blog> {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-sites-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'blog.db');
  copyFileSync((await realBlog('rust-blog')).db, path);
  const db = openForWriting(path);
  db.exec(`
    INSERT INTO categories (slug, name) VALUES ('releases', 'Releases & more'), ('empty', 'Nothing yet');
    INSERT INTO tags (slug, name) VALUES ('c', 'C'), ('C', 'C++'), ('a/b', '<a> / "b"');
    UPDATE posts SET category_id = (SELECT id FROM categories WHERE slug = 'releases') WHERE title LIKE '%Rust 1.%';
    UPDATE posts SET cover = 'https://images.example/' || id || '.png' WHERE title LIKE '%Rust 1.5%';
    INSERT INTO post_tags (post_id, tag_id, place)
      SELECT posts.id, tags.id, tags.id FROM posts, tags WHERE posts.id % 7 = tags.id % 7;
  `);
  const rename = db.prepare(
    `UPDATE posts SET slug = ? WHERE id = (SELECT min(id) FROM posts WHERE slug LIKE 'Rust-1.%')`,
  );
  for (const slug of ODD_SLUGS) expect(rename.run(slug).changes).toBe(1);
  db.close();
  return { name: 'rust-blog', db: path };
}
