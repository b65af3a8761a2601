/**
 * The page of feed templates: the one for Next.js, as a function.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { readPaths } from '../import/feed/feed.ts';
import { addFiles, folderOf } from '../import/folder.ts';
import { read } from './documents.ts';

it('the template for Next.js is a function that returns the feed', async () => {
  const post = {
    slug: 'one',
    title: 'One & <two>',
    description: 'About "one".',
    date: '2024-03-01T10:00:00+02:00',
    tags: ['C++', 'Other'],
    category: 'News',
    author: 'Ada L.',
    html: '<p>Some <em>text</em> &amp; a <a href="/b/">link</a>.</p>',
  };
  const draft = { ...post, slug: 'draft', draft: true };
  const site = folderOf({
    'package.json': '{ "type": "module" }',
    'lib/posts.js': `export const allPosts = async () => ${JSON.stringify([post, draft])};`,
    // A bundler adds the extension.
    'route.js': read('deploy/feeds/nextjs.js').replace("'../../lib/posts'", "'./lib/posts.js'"),
  });
  const { GET }: { GET: () => Promise<Response> } = await import(pathToFileURL(join(site, 'route.js')).href);
  addFiles(site, { 'feed.json': await (await GET()).text() });
  const { posts } = await readPaths(join(site, 'feed.json'));
  expect(posts).toMatchObject([
    {
      title: post.title,
      description: post.description,
      category: { name: 'News' },
      tags: [{ name: 'C++' }, { name: 'Other' }],
      author: { name: 'Ada L.' },
      status: 'published',
      url: expect.stringMatching(/^https:\/\/blog\.example\/.*one\/?$/),
      body: expect.stringContaining(post.html),
    },
  ]);
  expect(Date.parse(posts[0]?.publishedAt ?? '')).toBe(Date.parse(post.date));
});
