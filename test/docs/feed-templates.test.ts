/**
 * The page of feed templates: the one for Next.js, as a function.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ImportedPost } from '../../import/imported-item.ts';
import { readPaths } from '../import/feed/feed.ts';
import { addFiles, folderOf } from '../import/folder.ts';
import { TEMPLATES, templateOf } from './feed-templates.ts';

/** What every template must give of the post `one`. */
function expectPost(post: ImportedPost | undefined): void {
  expect(post).toMatchObject({
    title: 'One & <two>',
    description: 'About "one".',
    category: { name: 'News' },
    tags: [{ name: 'C++' }, { name: 'Other' }],
    author: { name: 'Ada L.' },
    status: 'published',
  });
  expect(Date.parse(post?.publishedAt ?? '')).toBe(Date.parse('2024-03-01T08:00:00Z'));
  expect(post?.url).toMatch(/^https:\/\/blog\.example\/.*one\/?$/);
  expect(post?.body).toContain('<p>Some <em>text</em> &amp; a <a href="/b/">link</a>.</p>');
}

describe(TEMPLATES, () => {
  it('has a template for Next.js, which is a function that returns the feed', async () => {
    const post = {
      ...{
        slug: 'one',
        title: 'One & <two>',
        description: 'About "one".',
        date: '2024-03-01T10:00:00+02:00',
      },
      ...{ tags: ['C++', 'Other'], category: 'News', author: 'Ada L.' },
      html: '<p>Some <em>text</em> &amp; a <a href="/b/">link</a>.</p>',
    };
    const site = folderOf({
      'package.json': '{ "type": "module" }',
      'lib/posts.js': `export const allPosts = async () => ${JSON.stringify([post, { ...post, slug: 'draft', draft: true }])};`,
      // A bundler adds the extension.
      'app/feed.json/route.js': templateOf('nextjs.js').replace("'../../lib/posts'", "'../../lib/posts.js'"),
    });
    const { GET }: { GET: () => Promise<Response> } = await import(
      pathToFileURL(join(site, 'app/feed.json/route.js')).href
    );
    addFiles(site, { 'feed.json': await (await GET()).text() });
    const { posts } = await readPaths(join(site, 'feed.json'));
    expect(posts).toHaveLength(1);
    expectPost(posts[0]);
  });
});
