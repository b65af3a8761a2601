import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FORMATS } from '../../import/formats.ts';
import { importBlog } from '../../data/imported/import.ts';
import type { ImportedItem } from '../../import/imported-item.ts';
import { dump, emptyBlog, NOW, sorted } from './folder.ts';
import { HAS_REAL_BLOGS, readRealBlog, REAL_BLOGS } from './real-blogs.ts';
import { lacks } from '../lacks.ts';

interface Expected {
  readonly blog: string;
  /** The files that are posts, by a rule independent of the importer's. */
  readonly posts: string;
  readonly isPost?: (text: string) => boolean;
  /** Broken posts, and the expected messages. */
  readonly broken?: Readonly<Record<string, RegExp>>;
  readonly drafts?: number;
}

const EXPECTED: readonly Expected[] = [
  {
    blog: 'rust-blog',
    posts: 'content/**/*.md',
    isPost: (text) => /^path = "\d{4}\/\d\d\/\d\d\//m.test(text),
  },
  { blog: '18f-blog', posts: 'content/posts/*.md' },
  { blog: 'abulimov-hugo-ru', posts: 'content/post/*.md' },
  { blog: 'loveit-hugo-zh-en', posts: 'exampleSite/content/posts/**/*.md' },
  { blog: 'eslint-blog', posts: 'src/content/blog/*.md' },
  {
    blog: 'jekyll-blog',
    posts: 'docs/_posts/*',
    broken: { 'docs/_posts/2023-01-29-jekyll-3-9-3-released.markdown': /date that cannot be read/ },
  },
  { blog: 'tabi-zola-multilang', posts: 'content/blog/*/index*.md' },
  {
    blog: 'jekyll-test-posts-a',
    posts: 'test/source/**/{_posts,_drafts}/*.*',
    drafts: 2,
  },
  { blog: 'migrate-jekyll-fixtures', posts: 'packages/**/*.{md,markdown,html}', drafts: 1 },
];

describe.skipIf(lacks('real blogs', HAS_REAL_BLOGS)).each(EXPECTED)(
  'the real blog $blog',
  ({ blog, posts, isPost, broken = {}, drafts = 0 }) => {
    const folder = join(REAL_BLOGS, blog);
    const read = () => FORMATS.markdown.read(folder, { now: NOW, plain: true });
    let reading: Promise<ImportedItem[]> | undefined;
    const readOnce = () => (reading ??= readRealBlog('markdown', blog));
    const whole = async () => sorted(await readOnce());
    const files = () =>
      globSync('**', { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile());
    const expected = () =>
      globSync(posts, { cwd: folder }).filter(
        (path) => isPost?.(readFileSync(join(folder, path), 'utf8')) ?? true,
      );

    it('is imported completely: each file is a post or reported as skipped', async () => {
      const read = await whole();
      expect([...read.posts.keys(), ...read.skipped.keys()].sort()).toEqual(files().sort());
      expect(read.items.filter(({ kind }) => kind !== 'loss')).toHaveLength(files().length);
      expect([...read.posts.keys()].sort()).toEqual(
        expected()
          .filter((path) => !(path in broken))
          .sort(),
      );
      for (const [path, reason] of Object.entries(broken)) expect(read.skipped.get(path)).toMatch(reason);
      expect([...read.posts.values()].filter((post) => post.status === 'draft')).toHaveLength(drafts);
    });

    it('leaves no template tags outside of code', async () => {
      for (const [path, { body }] of (await whole()).posts) {
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
