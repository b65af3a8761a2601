/**
 * The feed templates of generators that are too large for this project: the imported posts equal the generated
 * pages.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DomUtils, parseDocument } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import type { ImportedPost } from '../../import/imported-item.ts';
import { templateOf } from '../docs/feed-templates.ts';
import { readPaths } from '../import/feed/feed.ts';
import { build, isTested } from './generators.ts';

const SITE = 'https://blog.example';

const BODY = 'Some *text* & a [link](/b/).\n';
const BODY_AS_HTML = '<p>Some <em>text</em> &amp; a <a href="/b/">link</a>.</p>';

/** One pixel, in a file too large for bundlers to inline. */
const IMAGE = Buffer.concat([
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  Buffer.alloc(16_384),
]);

/**
 * A post that uses every feature, with the end of its preview in Docusaurus.
 *
 * @param fields additional front matter, in YAML
 * @param dot the path of its image
 */
const fullPost = (fields: readonly string[], link: string, dot: string) => `---
title: One & <two>
description: About "one".
tags: [C++, Other]
${fields.join('\n')}
---
Some *text* & a [link](${link} "Two").

<!-- truncate -->

\`\`\`js
const a = '<b>' && 1; // A comment.

  const b = 2;
\`\`\`

![A dot](${dot})
`;

describe.skipIf(!isTested('astro'))('the template for Astro', () => {
  it('makes a feed with the content of the pages', async () => {
    const site = await build('astro', {
      'astro.config.mjs': `import mdx from '@astrojs/mdx';
        export default { site: '${SITE}', integrations: [mdx()] };`,
      'src/content.config.mjs': `import { defineCollection } from 'astro:content';
        import { glob } from 'astro/loaders';
        const loader = glob({ pattern: '*.{md,mdx}', base: 'src/content/blog' });
        export const collections = { blog: defineCollection({ loader }) };`,
      'src/pages/blog/[id].astro': `---
import { getCollection, render } from 'astro:content';
export const getStaticPaths = async () =>
  (await getCollection('blog')).map((post) => ({ params: { id: post.id }, props: { post } }));
const { Content } = await render(Astro.props.post);
---
<html lang="en"><body><article><Content /></article></body></html>`,
      'src/Note.astro': '<aside><slot /></aside>',
      'src/content/blog/dot.png': IMAGE,
      'src/content/blog/one.md': fullPost(
        ['pubDate: 2024-03-01T10:00:00+02:00', 'category: News', 'author: Ada L.'],
        '../two/',
        './dot.png',
      ),
      'src/content/blog/two.mdx': `---
title: Two
pubDate: 2024-04-01
---
import Note from '../../Note.astro';

<Note>Second *text*.</Note>`,
      'src/content/blog/draft.md': post('Draft', 'pubDate: 2024-05-01\ndraft: true'),
      'src/content/blog/later.md': post('Later', 'pubDate: 2100-01-01'),
      'src/pages/feed.json.js': templateOf('astro.js'),
    });
    const posts = await postsOf(join(site, 'dist/feed.json'));
    expectPosts(posts, 'News');
    for (const slug of ['one', 'two'])
      expectShown(posts.get(slug), join(site, `dist/blog/${slug}/index.html`), isNamed('article'));
    expect(posts.get('two')?.body).toContain('<aside>');
  });
});

describe.skipIf(!isTested('docusaurus'))('the template for Docusaurus', () => {
  it('makes a feed with the content of the pages', async () => {
    const site = await build('docusaurus', {
      'docusaurus.config.js': `${templateOf('docusaurus.js')}
        export default {
          ...{ title: 'My blog', url: '${SITE}', baseUrl: '/' },
          onBrokenLinks: 'ignore', // Of the theme, to a page that only the preset has.
          plugins: [['@docusaurus/plugin-content-blog', blog]],
          themes: ['@docusaurus/theme-classic'],
        };`,
      'blog/dot.png': IMAGE,
      'blog/one.md': fullPost(
        ['date: 2024-03-01T10:00:00+02:00', 'authors: { name: Ada L. }'],
        './two.md',
        './dot.png',
      ),
      'blog/two.md': post('Two', 'date: 2024-04-01', '## Part\n\nSecond *text*.\n'),
      'blog/draft.md': post('Draft', 'date: 2024-05-01\ndraft: true'),
      'blog/hidden.md': post('Hidden', 'date: 2024-05-01\nunlisted: true'),
      'blog/later.md': post('Later', 'date: 2100-01-01'),
    });
    const posts = await postsOf(join(site, 'build/blog/feed.json'));
    expectPosts(posts, null);
    for (const slug of ['one', 'two'])
      expectShown(posts.get(slug), join(site, `build/blog/${slug}/index.html`), isPostOfDocusaurus);
  });
});

describe.skipIf(!isTested('nextjs'))('the template for Next.js', () => {
  it('makes a feed with the content of the pages', async () => {
    const site = await build('nextjs', {
      'package.json': '{ "type": "module" }',
      'next.config.js': `export default { output: 'export' };`,
      'lib/posts.js': `import { readdirSync, readFileSync } from 'node:fs';
        import matter from 'gray-matter';
        import { marked } from 'marked';
        export const allPosts = async () => readdirSync('posts').map((file) => {
          const { data, content } = matter(readFileSync('posts/' + file, 'utf8'));
          return { slug: file.replace('.md', ''), ...data, html: marked.parse(content) };
        });`,
      'app/layout.js': `export default function Layout({ children }) {
          return <html lang="en"><body>{children}</body></html>;
        }`,
      'app/blog/[slug]/page.js': `import { allPosts } from '../../../lib/posts';
        export const generateStaticParams = async () => (await allPosts()).map(({ slug }) => ({ slug }));
        export default async function Page({ params }) {
          const { slug } = await params;
          const { html } = (await allPosts()).find((post) => post.slug === slug);
          return <article dangerouslySetInnerHTML={{ __html: html }} />;
        }`,
      'posts/one.md': fullPost(
        ['date: 2024-03-01T10:00:00+02:00', 'category: News', 'author: Ada L.'],
        'two',
        '/dot.png',
      ),
      'posts/two.md': post('Two', 'date: 2024-04-01', 'Second *text*.\n'),
      'posts/draft.md': post('Draft', 'date: 2024-05-01\ndraft: true'),
      'posts/later.md': post('Later', 'date: 2100-01-01'),
      'app/feed.json/route.js': templateOf('nextjs.js'),
    });
    const posts = await postsOf(join(site, 'out/feed.json'));
    expectPosts(posts, 'News');
    for (const slug of ['one', 'two'])
      expectShown(posts.get(slug), join(site, `out/blog/${slug}.html`), isNamed('article'));
  });
});

describe.skipIf(!isTested('eleventy'))('the template for Eleventy', () => {
  it('makes a feed with the content of the posts', async () => {
    const site = await build('eleventy', {
      'posts/posts.json': '{ "tags": ["post"] }',
      'posts/one.md': `---
title: One & <two>
description: About "one".
date: 2024-03-01T10:00:00+02:00
author: Ada L.
category: News
tags: [C++, Other]
---
${BODY}`,
      'posts/draft.md': '---\ntitle: Draft\ndraft: true\n---\nSecret.',
      'posts/later.md': '---\ntitle: Later\ndate: 2100-01-01\n---\nLater.',
      'feed.11ty.mjs': templateOf('eleventy.mjs'),
    });
    const posts = await postsOf(join(site, '_site/feed.json'));
    expect(Object.fromEntries(Array.from(posts, ([slug, { status }]) => [slug, status]))).toEqual({
      one: 'published',
      later: 'scheduled',
    });
    expectOne(posts.get('one'), { name: 'News' });
    expect(posts.get('one')?.body).toContain(BODY_AS_HTML);
  });
});

describe.skipIf(!isTested('hexo'))('the template for Hexo', () => {
  it('makes a feed with the content of the posts', async () => {
    const site = await build('hexo', {
      'package.json': '{ "hexo": { "version": "" }, "dependencies": { "hexo-renderer-marked": "*" } }',
      '_config.yml': `title: My blog
url: ${SITE}
author: Ada L.
timezone: Africa/Cairo
permalink: :year/:title/
theme: plain
`,
      'themes/plain/layout/index.swig': '',
      'source/_posts/one.md': `---
title: One & <two>
description: About "one".
date: 2024-03-01 10:00:00
categories: [News, C++]
tags: [Other]
---
${BODY}`,
      'source/_posts/hidden.md': '---\ntitle: Hidden\npublished: false\n---\nSecret.',
      'source/_drafts/draft.md': '---\ntitle: Draft\n---\nSecret.',
      'scripts/feed.js': templateOf('hexo.js'),
    });
    const posts = await postsOf(join(site, 'public/feed.json'));
    expect([...posts.keys()]).toEqual(['one']);
    expectOne(posts.get('one'), { name: 'News' });
    expect(posts.get('one')?.url).toBe(`${SITE}/2024/one/`);
    expect(posts.get('one')?.body).toContain(BODY_AS_HTML);
  });
});

function post(title: string, fields: string, body = `${title}.\n`): string {
  return `---\ntitle: ${title}\n${fields}\n---\n${body}`;
}

/** The posts that an import reads from the feed, by slug. Nothing is left out or lost. */
async function postsOf(feed: string): Promise<ReadonlyMap<string, ImportedPost>> {
  const { posts, skipped, lost } = await readPaths(feed);
  expect([...skipped, ...lost]).toEqual([]);
  return new Map(posts.map((read) => [read.slug, read]));
}

/** Drafts are not in the feed, and a post with a future date is not published. */
function expectPosts(posts: ReadonlyMap<string, ImportedPost>, category: string | null): void {
  const statuses = Object.fromEntries(Array.from(posts, ([slug, { status }]) => [slug, status]));
  expect(statuses).toEqual({ one: 'published', two: 'published', later: 'scheduled' });
  expectOne(posts.get('one'), category === null ? null : { name: category });
  expect(Date.parse(posts.get('two')?.publishedAt ?? '')).toBe(Date.parse('2024-04-01T00:00:00Z'));
  expect(posts.get('two')?.title).toBe('Two');
  for (const slug of ['one', 'two'])
    expect(posts.get(slug)?.url?.replace(/\/$/, '')).toBe(`${SITE}/blog/${slug}`);
}

/** The fields of the post `one`. */
function expectOne(one: ImportedPost | undefined, category: { readonly name: string } | null): void {
  expect(one).toMatchObject({
    title: 'One & <two>',
    description: 'About "one".',
    tags: [{ name: 'C++' }, { name: 'Other' }],
    author: { name: 'Ada L.' },
    category,
  });
  expect(Date.parse(one?.publishedAt ?? '')).toBe(Date.parse('2024-03-01T08:00:00Z'));
}

type Node = ReturnType<typeof parseDocument>;
type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number];

const isNamed = (name: string) => (element: Element) => element.name === name;
const isPostOfDocusaurus = ({ attribs }: Element) => attribs['id'] === '__blog-post-container';

/** The post has the text, links and images of one element of its page. */
function expectShown(
  read: ImportedPost | undefined,
  page: string,
  isText: (element: Element) => boolean,
): void {
  const [element] = DomUtils.findAll(isText, parseDocument(readFileSync(page, 'utf8')).children);
  if (element === undefined) throw new Error(`${page} does not show the text of the post`);
  const url = read?.url ?? '';
  const own = shown(parseDocument(read?.body ?? ''), url);
  expect(own).toEqual(shown(element, url));
  expect(own.text).toContain('text');
}

/** What a reader sees: text, and the targets of links and images. */
function shown(node: Node | Element, url: string): { text: string; addresses: readonly string[] } {
  const linked = DomUtils.findAll(({ name }) => name === 'a' || name === 'img', node.children);
  return {
    text: DomUtils.textContent(node).trim(),
    addresses: linked.map(({ attribs }) => new URL(attribs['href'] ?? attribs['src'] ?? '', url).href),
  };
}
