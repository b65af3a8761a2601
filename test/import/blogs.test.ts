import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FORMATS } from '../../import/formats.ts';
import { importBlog } from '../../data/imported/import.ts';
import type { ImportedItem } from '../../import/imported-item.ts';
import { dump, emptyBlog, NOW, sorted } from './folder.ts';
import { HAS_REAL_BLOGS, readRealBlog, REAL_BLOGS } from './real-blogs.ts';
import { lacks } from '../lacks.ts';

/** How many files of each blog are posts, are hidden, may be posts but cannot be read, and are none. */
const EXPECTED = {
  'rust-blog': { posts: 339, hidden: 0, unreadable: 1, none: 5 },
  // Quoted texts go on at the beginning of a line, which YAML forbids.
  '18f-blog': { posts: 254, hidden: 0, unreadable: 69, none: 2 },
  'abulimov-hugo-ru': { posts: 94, hidden: 6, unreadable: 4, none: 4 },
  'loveit-hugo-zh-en': { posts: 26, hidden: 0, unreadable: 0, none: 7 },
  'eslint-blog': { posts: 132, hidden: 0, unreadable: 0, none: 5 },
  'jekyll-blog': { posts: 100, hidden: 0, unreadable: 1, none: 2 },
  'tabi-zola-multilang': { posts: 38, hidden: 0, unreadable: 35, none: 23 },
  'jekyll-test-posts-a': { posts: 37, hidden: 2, unreadable: 1, none: 3 },
  'migrate-jekyll-fixtures': { posts: 12, hidden: 1, unreadable: 0, none: 2 },
};

describe.skipIf(lacks('real blogs', HAS_REAL_BLOGS)).each(Object.entries(EXPECTED))(
  'the real blog %s',
  (blog, expected) => {
    const folder = join(REAL_BLOGS, blog);
    const read = () => FORMATS.markdown.read(folder, { now: NOW, plain: true });
    let reading: Promise<ImportedItem[]> | undefined;
    const readOnce = () => (reading ??= readRealBlog('markdown', blog));

    it('is imported completely: each file is a post, hidden, or named', async () => {
      const counts = { posts: 0, hidden: 0, unreadable: 0, none: 0 };
      for (const item of await readOnce()) {
        if (item.kind === 'post') counts.posts += 1;
        if (item.kind === 'hidden') counts.hidden += 1;
        if (item.kind === 'skipped')
          counts[item.skipped.noPost ? 'none' : 'unreadable'] += item.skipped.count ?? 1;
      }
      expect(counts).toEqual(expected);
      const files = globSync('**', { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile());
      expect(files).toHaveLength(Object.values(counts).reduce((sum, count) => sum + count));
    });

    it('leaves no template tags outside of code', async () => {
      for (const [path, { body }] of sorted(await readOnce()).posts) {
        const prose = body.replace(/<(pre|code|script|style)\b[^]*?<\/\1>|<!--[^]*?-->/g, '');
        const left = prose.match(/\{\{[<%/].{0,40}|\{\{ ?["'\w.]+(?: ?\||\().{0,40}|\{%.{0,40}/g) ?? [];
        expect(left, path).toEqual([]);
      }
    });

    it('changes nothing when it is imported again', async () => {
      const db = emptyBlog();
      const first = await importBlog({ db, items: asRead(await readOnce()) });
      const before = dump(db);
      const second = await importBlog({ db, items: read() });
      expect(dump(db) === before).toBe(true); // Two megabytes would make a poor failure message.
      expect(second.unchanged).toBe(first.imported.posts);
      expect(second.renamed).toEqual(first.renamed);
      expect(db.prepare('SELECT count(*) FROM posts').pluck().get()).toBe(first.imported.posts);
    });
  },
);

/** The read posts, in the importer's form. */
async function* asRead(items: readonly ImportedItem[]): AsyncGenerator<ImportedItem> {
  yield* items;
}
