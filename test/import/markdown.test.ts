import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { textCases } from '../text-cases.ts';
import { folderOf, readFolder, readPost } from './folder.ts';

const page = (frontMatter: string, body = 'Text.') => `---\n${frontMatter}\n---\n${body}`;
const dated = (frontMatter: string, body = 'Text.') => page(`date: 2020-01-01\n${frontMatter}`, body);

describe('a post', () => {
  it('has everything from its front matter', async () => {
    const post = await readPost(
      'posts/hello.md',
      dated(
        'Title: "Hello *you* &amp; me"\nslug: Hello-You\nDescription: "<em>A</em> **b**"\nimage: /a.png\n' +
          'seo: {title: S, description: D}\ncategories: [One, Two]\ntags: [three, TWO]\nauthor: Ann Lee\nviews: 12',
        '# Hi',
      ),
    );
    expect(post).toEqual({
      source: 'markdown:posts/hello.md',
      slug: 'Hello-You',
      language: null,
      title: 'Hello *you* &amp; me',
      body: '<h1 id="hi">Hi</h1>',
      description: 'A b',
      cover: '/a.png',
      metaTitle: 'S',
      metaDescription: 'D',
      category: { slug: 'one', name: 'One' },
      tags: [
        { slug: 'two', name: 'Two' },
        { slug: 'three', name: 'three' },
      ],
      author: { username: 'ann-lee', name: 'Ann Lee', avatar: null },
      coAuthors: [],
      status: 'published',
      publishedAt: '2020-01-01T00:00:00+00:00',
      expiresAt: null,
      updatedAt: null,
      url: null,
      views: 12,
    });
  });

  it.each([
    ['', '# A *title*\n\nx', '<p>x</p>'],
    ['', '# A title\n\nx <b>y</b>\n\n<!--more-->\n\nz', /^<p>x/],
    ['', '![](/a.png)\n\n# A title\n\nx', /^<p><img [^<>]*><\/p>\n<p>x<\/p>$/],
    ['', 'x\n\n# A title', /^<p>x<.*A title/s],
    ['title: A title', '# A title\n\nx', /A title.*x/s],
  ])('with %j before %j shows %j under its title', async (frontMatter, body, shown) => {
    const post = await readPost('a.md', dated(frontMatter, body));
    expect(post.title).toBe('A title');
    expect(post.description).toBe(body.includes('more') ? 'x y' : null);
    expect(post.body).toMatch(shown);
    if (typeof shown === 'string') expect(post.body).toBe(shown);
  });

  it('without title and heading is named by its slug', async () => {
    expect((await readPost('2020-01-02-some-words_here.md', 'Text.')).title).toBe('Some words here');
    expect((await readPost('2020-01-02.md', 'Text.')).title).toBe('2020-01-02');
  });

  it('has its description from above the more mark, and none otherwise', async () => {
    expect((await readPost('a.md', dated('x: y', 'The *lead*.\n\n<!--more-->\n\nRest.'))).description).toBe(
      'The lead.',
    );
    expect((await readPost('a.md', dated('x: y', 'The lead.\n\nRest.'))).description).toBeNull();
    expect((await readPost('a.md', dated('summary: S', 'The lead.\n<!-- more -->'))).description).toBe('S');
  });

  it('in HTML is not read as Markdown', async () => {
    expect(
      (await readPost('a.html', dated('title: {{x}}', '<p>a</p>\n* b').replace('{{x}}', 'x'))).body,
    ).toBe('<p>a</p>\n* b');
  });

  it('may come from Windows, with byte order mark and control characters', async () => {
    const post = await readPost(
      'a.md',
      `\uFEFF${dated('title: "A\\0B"', 'a\u0000b\fc')}`.replaceAll('\n', '\r\n'),
    );
    expect(post).toMatchObject({ title: 'AB', body: '<p>abc</p>' });
  });
});

const DATA = JSON.stringify({
  'Ann-Lee': { name: 'Ann Lee', avatar_url: 'https://a.example/ann.png', bio: '<b>' },
  bo: { username: 'bo', name: 'Bo' },
});
const OTHERS = { 'src/_data/all_authors.json': DATA, 'content/posts/hello/img/a.webp': 'x' };

describe.each([...textCases(new URL('./markdown.txt', import.meta.url))])('%s', (heading, cases) => {
  it.each(cases)('of %s with %j: %s', async (path = '', frontMatter = '', expected = '') => {
    const written = heading === 'the date' ? page : dated;
    const content = written(frontMatter, 'x\n\n## The `heading`\n');
    const { items } = await readFolder(folderOf({ ...OTHERS, [path]: content }));
    const outcomes = items.flatMap((item): object[] => {
      if (item.kind === 'post') return [item.post];
      if (item.kind === 'hidden') return [{ hidden: item.hidden.reason }];
      return item.kind === 'skipped' && item.skipped.source === path
        ? [{ skipped: item.skipped.reason }]
        : [];
    });
    expect(outcomes).toMatchObject([parse(expected)]);
  });
});

it('a date may be one of TOML', async () => {
  const toml = (date: string) => readPost('a.md', `+++\ndate = ${date}\n+++\n`);
  expect((await toml('2023-01-31')).publishedAt).toBe('2023-01-31T00:00:00+00:00');
  expect((await toml('2023-01-31T10:00:00')).publishedAt).toBe('2023-01-31T10:00:00+00:00');
  expect((await toml('2023-01-31T10:00:00+08:00')).publishedAt).toBe('2023-01-31T10:00:00+08:00');
});

describe('what is not public', () => {
  it('is everything in an imported folder of drafts', async () => {
    const folder = folderOf({ '_drafts/a.md': dated('title: A') });
    const { items } = await readFolder(join(folder, '_drafts'));
    expect(items).toMatchObject([{ kind: 'hidden', hidden: { reason: 'draft' } }]);
  });

  it.each([
    ['2024-01-02-a.md', '\n---\ntitle: Secret\ndraft: true\n---\nhidden'],
    ['2024-01-02-a.md', '\r\n---\r\ntitle: Secret\r\ndraft: true\r\n---\r\nhidden'],
    ['2024-01-02-a.html', ' ---\rtitle: Secret\rpublished: false\r---\rhidden'],
    ['2024-01-02-a.text', '\n+++\ndraft = true\n+++\nhidden'],
    ['2024-01-02-a.md', '\n---\nexpiryDate: 2025-01-01\n---\nhidden'],
    ['2024-01-02-a.md', Buffer.from('---\ndraft: true\n---\nhidden', 'utf16le')],
  ])('is hidden: %s containing %j', async (path, content) => {
    const { items } = await readFolder(folderOf({ [path]: content }));
    expect(items).toMatchObject([{ kind: 'hidden' }]);
  });

  it.each([
    ['2024-01-02-a.md', '---\ntitle: Secret\ndraft: true\n\nhidden', /without an end/],
    ['2024-01-02-a.md', Buffer.from('\uFEFF---\ndraft: true\n---\nhidden', 'utf16le'), /not UTF-8 text/],
    [
      'latin1.md',
      Buffer.from('---\ndate: 2020-01-01\n---\ncaf\xe9', 'latin1'),
      /^is not UTF-8 text; convert it$/,
    ],
    ['.2024-01-02-a.md', 'Text.', /has a name that begins with a dot/],
    ['README.md', '# Read me', /^has no front matter with a date$/],
    ['2020-01-01-empty.md', ' \n', /^is empty$/],
  ])('is left out by name: %s containing %j', async (path, content, reason) => {
    const { posts, skipped } = await readFolder(folderOf({ [path]: content }));
    expect([...posts.keys()]).toEqual([]);
    expect(skipped.get(path)).toMatch(reason);
  });
});

it('languages are recognised by suffixes of translations', async () => {
  const { posts } = await readFolder(
    folderOf({
      'a/index.md': dated('title: a'),
      'a/index.zh-cn.md': dated('title: a'),
      'b.md': dated('title: a'),
      'b.es.md': dated('title: a'),
      'vue.js.md': dated('title: a'),
      'c.es.md': dated('title: a'),
    }),
  );
  expect([...posts].map(([path, { slug, language }]) => [path, slug, language])).toEqual([
    ['a/index.md', 'a', null],
    ['a/index.zh-cn.md', 'a', 'zh-cn'],
    ['b.es.md', 'b', 'es'],
    ['b.md', 'b', null],
    ['c.es.md', 'c.es', null],
    ['vue.js.md', 'vue.js', null],
  ]);
});

it('an author is found in lists, in groups and in YAML', async () => {
  const { posts, skipped } = await readFolder(
    folderOf({
      '_data/team.json': JSON.stringify({
        tsc: [
          { username: 'ann', name: 'Ann of the team' },
          { username: 'cy', name: 'Cy' },
        ],
      }),
      '_data/authors.yml': 'ann:\n  name: Ann',
      '_data/members.json': '{broken',
      'a.md': dated('author: ann'),
      'b.md': dated('author: cy'),
    }),
  );
  expect([...posts.values()].map((post) => post.author?.name)).toEqual(['Ann', 'Cy']);
  expect(skipped.get('_data/authors.yml')).toBe('is author data');
  expect(skipped.get('_data/members.json')).toMatch(/^is author data, but cannot be used: ./);
});

describe('the body', () => {
  it('of a bundle links to the files next to it, and to other pages', async () => {
    const text = '![a](img.png) [b](../other/#x) [e](https://e.example) [f](#f)';
    expect((await readPost('content/posts/hello/index.md', dated('title: T', text))).body).toBe(
      '<p><img src="/posts/hello/img.png" alt="a"> <a href="/posts/other/#x">b</a> ' +
        '<a href="https://e.example">e</a> <a href="#f">f</a></p>',
    );
  });

  it('links to other posts by their files, as on GitHub', async () => {
    const text =
      '[b](b.md#x) [c](../c%20d/index.md) [e](./2024/e.md?q) [n](none.md) [r](../README.md) [h](https://a.example/b.md)';
    const folder = folderOf({
      'posts/a.md': dated('title: A', text),
      'posts/b.md': dated('title: B\nslug: own'),
      'c d/index.md': dated('url: /kept/c/'),
      'posts/2024/e.md': dated('category: News'),
      'README.md': '# Read me',
    });
    const options = { site: 'https://blog.example/x/', postPath: '/{category}/{year}/{slug}' };
    const { posts } = await readFolder(folder, options);
    expect(posts.get('posts/a.md')?.body).toBe(
      '<p><a href="https://blog.example/x/2020/own#x">b</a> <a href="/kept/c/">c</a> ' +
        '<a href="https://blog.example/x/news/2020/e?q">e</a> <a href="none.md">n</a> <a href="../README.md">r</a> ' +
        '<a href="https://a.example/b.md">h</a></p>',
    );
  });
});

it.each([
  ['a.md', /is a file, not a folder\. Give the folder .*posts\.$/],
  ['a.xml', /is a file, not a folder.*"import wordpress"/],
  ['a.json', /is a file, not a folder.*"import ghost"/],
  ['nowhere', /There is no folder at /],
  ['x'.repeat(300), /cannot be read \(ENAMETOOLONG\)/],
])('is described if it is given: %s', async (name, message) => {
  const folder = folderOf({ 'a.md': 'a', 'a.xml': 'a', 'a.json': 'a' });
  await expect(readFolder(join(folder, name))).rejects.toThrow(message);
});
