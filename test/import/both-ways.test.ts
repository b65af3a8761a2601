import { describe, expect, it } from 'vitest';
import type { ImportedPost } from '../../import/imported-item.ts';
import { readPost as readMarkdown } from './folder.ts';
import { item, readExport, term, wxr } from './wordpress/export.ts';

interface Written {
  readonly title: string;
  /** The form in which WordPress stores it. */
  readonly name: string;
  readonly date: string;
  readonly gmt: string;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
}

const POSTS: readonly Written[] = [
  {
    title: 'Fish & Chips: it’s "C++"',
    name: 'fish-chips',
    date: '2020-03-29 10:00:00',
    gmt: '2020-03-29 08:00:00',
    categories: ['Food & Drink', 'England'],
    tags: ['C++', 'C', 'C#', '.NET', 'caf\u00e9'],
  },
  {
    title: 'Мнение о chef',
    name: '%d0%bc%d0%bd%d0%b5%d0%bd%d0%b8%d0%b5-%d0%be-chef',
    date: '2013-11-02 23:02:32',
    gmt: '2013-11-03 07:02:32',
    categories: ['Uncategorized'],
    tags: ['Разное', '日本語'],
  },
  {
    title: 'The old page',
    name: 'the-old-page.html',
    date: '2001-01-01 00:00:00',
    gmt: '2000-12-31 18:30:00',
    categories: ['Uncategorized', 'News', 'news'],
    tags: ['News', 'England'],
  },
];

/** The parts that must be equal in both. */
function same({ slug, title, publishedAt, status, category, tags, url }: ImportedPost): object {
  return { slug, title, publishedAt, status, category, tags, url };
}

describe('a post of WordPress that is also in Markdown', () => {
  it.each(POSTS)('is imported equally from both: $title', async (written) => {
    const { title, name, date, gmt, categories, tags } = written;
    const path = `/blog/${name}`;
    const { posts } = await readExport(
      wxr(
        item(
          {
            title: title.replace('&', '&amp;'),
            link: `https://blog.example${path}`,
            'wp:post_name': name,
            'wp:post_date': date,
            'wp:post_date_gmt': gmt,
          },
          [...categories.map((c) => term('category', c)), ...tags.map((t) => term('post_tag', t))].join(''),
        ),
      ),
    );
    const frontMatter = { title, permalink: `https://blog.example${path}`, categories, tags };
    const offset = Math.round((Date.parse(`${date}Z`) - Date.parse(`${gmt}Z`)) / 60_000);
    const zone = `${offset < 0 ? '-' : '+'}${new Date(Math.abs(offset) * 60_000).toISOString().slice(11, 16)}`;
    const yaml = Object.entries({ ...frontMatter, date: `${date} ${zone}` })
      .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
      .join('\n');
    const markdown = await readMarkdown('post.md', `---\n${yaml}\n---\nText.`);
    expect(posts.map(same)).toEqual([same(markdown)]);
  });
});
