import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FORMATS } from '../../../import/formats.ts';
import { importBlog } from '../../../data/imported/import.ts';
import { dump, emptyBlog, NOW } from '../folder.ts';
import { readPaths } from './export.ts';
import { lacks } from '../../lacks.ts';

/** Real exports are next to the checkout; otherwise these tests are skipped. */
const BLOGS = fileURLToPath(new URL('../../../../shared/blogs/', import.meta.url));

interface Expected {
  readonly file: string;
  /** Items by type, as also counted by a text search. */
  readonly items: Readonly<Record<string, number>>;
  /** How many posts are hidden, or left out. */
  readonly without?: number;
}

const MIGRATE = 'migrate-wp-xml-fixtures/packages/mg-wp-xml/test/fixtures';
const NIKOLA = 'nikola-wxr-fixtures/tests/data/wordpress_import';

const EXPECTED: readonly Expected[] = [
  { file: 'cc-labs-wxr/docs/wordpress.xml', items: { post: 219, page: 5 } },
  { file: '80dni-pl-wxr/export.xml', items: { post: 7 }, without: 4 },
  {
    file: `${NIKOLA}/wordpress_export_example.xml`,
    items: { post: 4, page: 1, attachment: 3 },
  },
  {
    file: `${NIKOLA}/wordpress_unicode_export.xml`,
    items: { post: 1, page: 1 },
  },
  {
    file: `${NIKOLA}/wordpress_qtranslate_item_modernized.xml`,
    items: { post: 1 },
    without: 1,
  },
  {
    file: `${NIKOLA}/wordpress_qtranslate_item_raw_export.xml`,
    items: { post: 1 },
    without: 1,
  },
  {
    file: 'jekyll-import-wxr/test/mocks/sitetitle.wordpress.2025-01-19.000.xml',
    items: { post: 7, page: 1, attachment: 6, wp_global_styles: 1, wp_navigation: 1 },
  },
  {
    file: `${MIGRATE}/sample.xml`,
    items: { post: 3, page: 1, attachment: 1, customcpt: 1 },
    without: 1,
  },
  {
    file: `${MIGRATE}/sample-no-slug.xml`,
    items: { post: 3, page: 1, attachment: 1, customcpt: 1 },
    without: 1,
  },
  {
    file: `${MIGRATE}/sample-with-alt.xml`,
    items: { post: 1, attachment: 1 },
  },
  { file: `${MIGRATE}/co-authors-plus.xml`, items: { post: 4 } },
  {
    file: `${MIGRATE}/feature-image-captions.xml`,
    items: { post: 3, attachment: 2 },
  },
  { file: `${MIGRATE}/has-meta.xml`, items: { enmse_message: 1 } },
  { file: `${MIGRATE}/has-yoast-meta.xml`, items: { post: 2 } },
  { file: `${MIGRATE}/has-audio-enclosure.xml`, items: { post: 1 } },
  {
    file: `${MIGRATE}/has-audio-enclosure-with-libsyn-embed.xml`,
    items: { post: 1 },
  },
  {
    file: `${MIGRATE}/multiple/posts-only.xml`,
    items: { post: 3, customcpt: 1 },
    without: 1,
  },
  { file: `${MIGRATE}/multiple/pages-only.xml`, items: { page: 1 } },
  { file: `${MIGRATE}/multiple/attachments-only.xml`, items: { attachment: 1 } },
];

describe.each(EXPECTED)('the real export $file', ({ file, items, without = 0 }) => {
  const path = join(BLOGS, file);
  const there = it.skipIf(lacks('real blogs', existsSync(path)));

  there('comes in whole: each item is a post or counted as left out', async () => {
    const counted = countTypes(readFileSync(path, 'utf8'));
    expect(counted).toMatchObject(items);
    const { posts, hidden, skipped, left } = await readPaths([path]);
    expect(posts).toHaveLength((items['post'] ?? 0) - without);
    expect(posts.length + hidden.length + left).toBe(sum(counted));
    expect(skipped.filter((line) => /is a page, not a post/.test(line))).toHaveLength(items['page'] ?? 0);
    for (const [type, count] of Object.entries(counted)) {
      if (type === 'post' || type === 'page') continue;
      const says =
        type === 'attachment' ? `: ${count} attachment` : `: ${count} item.* of the type "${type}"`;
      expect(skipped.filter((line) => new RegExp(says).test(line))).toHaveLength(1);
    }
  });

  there('has bodies without blocks and shortcodes', async () => {
    for (const { source, body } of (await readPaths([path])).posts) {
      const prose = body.replace(/<(pre|code)\b[^]*?<\/\1>/g, '');
      expect(
        prose.match(/<!--.{0,40}|\[\/?(?:caption|gallery|embed|sourcecode|:).{0,40}/g) ?? [],
        source,
      ).toEqual([]);
    }
  });

  there('changes nothing when it is imported again', async () => {
    const db = emptyBlog();
    // Some have no posts.
    const run = () => importBlog({ db, items: FORMATS.wordpress.read(path, { now: NOW }), force: true });
    const first = await run();
    const before = dump(db);
    const second = await run();
    expect(dump(db) === before).toBe(true); // A megabyte would make a poor failure message.
    expect(second.unchanged).toBe(first.imported.posts);
    expect(second.skipped).toEqual(first.skipped);
  });
});

describe.skipIf(lacks('real blogs', existsSync(BLOGS)))('a folder of real exports', () => {
  it('that are parts of one share their images', async () => {
    const { posts } = await readPaths([join(BLOGS, MIGRATE, 'multiple')]);
    expect(posts.map(({ slug, cover }) => [slug, cover?.slice(0, 45) ?? null])).toEqual([
      ['basic-post', 'https://images.unsplash.com/photo-16012768617'],
      ['another-post', 'https://images.unsplash.com/photo-16012768617'],
    ]);
  });

  it.each(['80dni-pl-wxr', 'nikola-wxr-fixtures', 'jekyll-import-wxr', 'migrate-wp-xml-fixtures'])(
    '%s accounts for every item of every file',
    async (blog) => {
      const folder = join(BLOGS, blog);
      const files = globSync('**/*.*', { cwd: folder, exclude: (name) => name === '_LICENCE' });
      const exports = files.filter((name) => name.endsWith('.xml'));
      const count = exports.reduce(
        (total, name) => total + sum(countTypes(readFileSync(join(folder, name), 'utf8'))),
        0,
      );
      const { posts, hidden, skipped, left } = await readPaths([folder]);
      const others = skipped.filter((line) => line.endsWith('is not an XML file')).length;
      expect(posts.length + hidden.length + left - others).toBe(count);
    },
  );
});

/** The number of each `wp:post_type` in the text. */
function countTypes(text: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [, type = ''] of text.matchAll(/<wp:post_type>(?:<!\[CDATA\[)?(\w+)/g)) {
    counts[type] = (counts[type] ?? 0) + 1;
  }
  return counts;
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
