import { describe, expect, it } from 'vitest';
import { readMarkdownBlog, type MarkdownOptions } from '../../import/markdown/read.ts';
import type { ImportedPost } from '../../import/imported-item.ts';
import { folderOf, NOW } from './folder.ts';

async function read(files: Readonly<Record<string, string>>, options: Omit<MarkdownOptions, 'now'> = {}) {
  const posts = new Map<string, ImportedPost>();
  const notes: string[] = [];
  const losses: string[] = [];
  const skipped = new Map<string, string>();
  for await (const item of readMarkdownBlog(folderOf(files), { now: NOW, ...options })) {
    if (item.kind === 'post') posts.set(item.post.source.replace(/^markdown:/, ''), item.post);
    else if (item.kind === 'note') notes.push(item.text);
    else if (item.kind === 'loss') losses.push(item.loss.what);
    else if (item.kind === 'skipped') skipped.set(item.skipped.source, item.skipped.reason);
  }
  return { posts, notes, losses, skipped };
}

const page = (body = '', more = '') => `---\ntitle: x\ndate: 2020-01-01\n${more}---\n${body}`;

describe('a whole site without its engine', () => {
  it('of Hugo: only the given sections and language', async () => {
    const files = {
      'hugo.toml': '[languages.en]\n[languages.es]',
      'content/posts/a.md': page(),
      'content/posts/b.md': page(),
      'content/news/c.md': page(),
      'content/news/c.es.md': page(),
    };
    const { posts, skipped } = await read(files, { section: ['News'], language: 'ES' });
    expect([...posts.keys()]).toEqual(['content/news/c.es.md']);
    expect(skipped.get('content/news/c.md')).toBe('is not in the language "ES"');
    expect(skipped.get('content/posts/a.md')).toBe('is in the section "posts", not among the posts');
  });

  it('of Jekyll: only the given collections', async () => {
    const { posts } = await read(
      {
        '_config.yml': 'collections: {notes: {output: true}}\nbaseurl: /blog\nurl: https://a.example',
        '_posts/2020-01-01-a.md': page(),
        '_notes/b.md': page(),
        '_others/c.md': page(),
      },
      { collection: ['notes'] },
    );
    expect([...posts].map(([path, { url }]) => [path, url])).toEqual([
      ['_notes/b.md', '/blog/notes/b.html'],
      ['_posts/2020-01-01-a.md', '/blog/2020/01/01/a.html'],
    ]);
  });

  it.each([
    ['hugo.toml', 'baseURL = "https://a.example/blog/"', 'content/posts/a.md', '/blog/posts/a/'],
    ['config.toml', 'base_url = "https://a.example/blog"', 'content/posts/a.md', '/blog/posts/a/'],
    ['_config.yml', 'url: https://a.example/blog', '_posts/2020-01-01-a.md', '/blog/2020/01/01/a.html'],
    ['_config.yml', 'baseurl: /blog', '_posts/2020-01-01-a.md', '/blog/2020/01/01/a.html'],
    ['_config.yml', 'url: a.example', '_posts/2020-01-01-a.md', '/2020/01/01/a.html'],
  ])('addresses begin with the path of the site (%s: %s)', async (file, config, path, url) => {
    const { posts } = await read({ [file]: config, [path]: page() });
    expect(posts.get(path)?.url).toBe(url);
  });

  it.each([
    ['content/posts/a.md', { 'layouts/x.html': '' }, '/posts/a/'],
    ['_posts/2020-01-01-a.md', { 'content/b.md': page() }, '/2020/01/01/a.html'],
    ['_posts/2020-01-01-a.md', {}, '/2020/01/01/a.html'],
  ])("of two configurations, the site's own is used (%s)", async (path, others, url) => {
    const configs = { '_config.yml': 'title: of a CMS', 'hugo.toml': 'title = "Site"' };
    const { posts } = await read({ ...configs, ...others, [path]: page() });
    expect(posts.get(path)?.url).toBe(url);
  });

  it('of Hugo: reports the number of posts with omitted HTML', async () => {
    const files = { 'content/posts/a.md': page('a<br>b'), 'content/posts/b.md': page('<!-- more -->\nc') };
    const omitted = await read({ 'hugo.toml': '', ...files });
    expect(omitted.posts.get('content/posts/a.md')?.body).toBe('<p>ab</p>');
    expect(omitted.losses).toEqual([]);
    expect(omitted.notes).toEqual([expect.stringMatching(/^HTML in the Markdown of a post was left out/)]);
    const shown = await read({ 'hugo.toml': 'markup.goldmark.renderer.unsafe = true', ...files });
    expect(shown.posts.get('content/posts/a.md')?.body).toBe('<p>a<br>b</p>');
    expect(shown.notes).toEqual([]);
  });

  it('of Hugo: omits highlighted code inside Markdown, which is HTML there', async () => {
    const files = {
      'content/posts/a.md': page('a\n\n{{% highlight php %}}\n<?php\n\necho 1;\n{{% /highlight %}}\n\nb'),
      'content/posts/b.md': page('{{< highlight php >}}\necho 1;\n{{< /highlight >}}'),
    };
    const omitted = await read({ 'hugo.toml': '', ...files });
    expect(omitted.posts.get('content/posts/a.md')?.body).toBe('<p>a</p>\n<p>b</p>');
    expect(omitted.posts.get('content/posts/b.md')?.body).toContain('echo 1;');
    expect(omitted.notes).toEqual([expect.stringMatching(/^HTML in the Markdown of a post was left out/)]);
    const shown = await read({ 'hugo.toml': 'markup.goldmark.renderer.unsafe = true', ...files });
    expect(shown.posts.get('content/posts/a.md')?.body).toContain('echo 1;');
  });

  it('renders quotes as the site configures', async () => {
    const body = async (file: string, config: string, path: string) =>
      (await read({ [file]: config, [path]: page('"a"') })).posts.get(path)?.body;
    const jekyll = '_posts/2020-01-01-a.md';
    const hugo = 'content/posts/a.md';
    expect(await body('_config.yml', '', jekyll)).toBe('<p>“a”</p>');
    expect(await body('_config.yml', 'kramdown: {smart_quotes: "apos,apos,quot,quot"}', jekyll)).toBe(
      '<p>&quot;a&quot;</p>',
    );
    expect(await body('_config.yml', 'markdown: CommonMark', jekyll)).toBe('<p>&quot;a&quot;</p>');
    expect(await body('hugo.toml', '', hugo)).toBe('<p>“a”</p>');
    expect(await body('hugo.toml', 'markup.goldmark.extensions.typographer = false', hugo)).toBe(
      '<p>&quot;a&quot;</p>',
    );
  });

  it('of Jekyll: an invalid time zone is UTC, and a second year is ignored', async () => {
    const path = '_posts/2020-01-01-a.md';
    const date = async (config: string, written: string) =>
      (await read({ '_config.yml': config, [path]: `---\ndate: ${written}\n---\n` })).posts.get(path)
        ?.publishedAt;
    expect(await date('timezone: "+0100"', "'2020-01-01 10:00'")).toBe('2020-01-01T10:00:00+00:00');
    expect(await date('timezone: Europe/Berlin', "'2020-01-01 10:00'")).toBe('2020-01-01T10:00:00+01:00');
    expect(await date('', '2020-01-01 18:30:22 2020 -0800')).toBe('2020-01-01T18:30:22-08:00');
  });
});
