import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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

  it('has null for missing fields', async () => {
    const none = { description: null, cover: null, category: null, author: null, url: null, views: null };
    const post = await readPost('a.md', dated('title: A'));
    expect(post).toMatchObject({ ...none, metaTitle: null, metaDescription: null, tags: [] });
  });

  it.each([
    ['title: "A"', 'A'],
    ['title: Using __init__ and __name__ in Python', 'Using __init__ and __name__ in Python'],
    ['title: [Announcement]', 'Announcement'],
    ['title: true', 'true'],
    [String.raw`title: 'Yes, ~~no~~ [link](x) C:\dir\* <b>'`, String.raw`Yes, ~~no~~ [link](x) C:\dir\* <b>`],
    ['layout: post', 'The heading'],
  ])('with %j has the title %j', async (frontMatter, title) => {
    expect((await readPost('a.md', dated(frontMatter, 'x\n\n## The `heading`\n'))).title).toBe(title);
  });

  it('has a title for search engines as it is written', async () => {
    const { metaTitle } = await readPost('a.md', dated('title: A\nseo_title: Using __init__'));
    expect(metaTitle).toBe('Using __init__');
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

describe('the date', () => {
  it.each([
    ['a.md', 'date: 2015-03-17 10:00:00 -0500', '2015-03-17T10:00:00-05:00'],
    ['2014-01-01-a.md', 'date: 2015-03-17', '2015-03-17T00:00:00+00:00'],
    ['2015-03-17-a.md', 'title: a', '2015-03-17T00:00:00+00:00'],
    ['2017-2-5-a.md', 'title: a', '2017-02-05T00:00:00+00:00'],
    ['2015-03-17_a.md', 'title: a', '2015-03-17T00:00:00+00:00'],
    ['2015-03-17-a/index.md', 'title: a', '2015-03-17T00:00:00+00:00'],
    ['posts/2015/03/17/a.md', 'title: a', '2015-03-17T00:00:00+00:00'],
    ['a.md', 'path: 2015/03/17/a', '2015-03-17T00:00:00+00:00'],
    ['a.md', 'date: 2015-01-01\npublishDate: 2015-03-17', '2015-03-17T00:00:00+00:00'],
    ['2015-03-17-a.md', 'published: true', '2015-03-17T00:00:00+00:00'],
    ['2015-03-17-a.md', 'date: 0001-01-01T00:00:00Z', '2015-03-17T00:00:00+00:00'],
  ])('of %s with %j is %s', async (path, frontMatter, date) => {
    expect((await readPost(path, page(frontMatter))).publishedAt).toBe(date);
  });

  it('may be a date of TOML', async () => {
    const toml = (date: string) => readPost('a.md', `+++\ndate = ${date}\n+++\n`);
    expect((await toml('2023-01-31')).publishedAt).toBe('2023-01-31T00:00:00+00:00');
    expect((await toml('2023-01-31T10:00:00')).publishedAt).toBe('2023-01-31T10:00:00+00:00');
    expect((await toml('2023-01-31T10:00:00+08:00')).publishedAt).toBe('2023-01-31T10:00:00+08:00');
  });

  it('causes an error if it cannot be read or is missing', async () => {
    const { skipped } = await readFolder(
      folderOf({
        'bad.md': page('date: soon'),
        '2015-13-45-bad-name.md': page('title: a'),
        'none.md': page('title: a'),
        '2015-03-17-folder/other.md': page('title: a'),
      }),
    );
    expect(Object.fromEntries(skipped)).toEqual({
      'bad.md': 'has a date that cannot be read: "soon" (write 2026-05-01 or 2026-05-01T09:30:00+02:00)',
      '2015-13-45-bad-name.md':
        'has a date that cannot be read: "2015-13-45" (write 2026-05-01 or 2026-05-01T09:30:00+02:00)',
      'none.md': 'has no date in its front matter, its name or its path',
      '2015-03-17-folder/other.md': 'has no date in its front matter, its name or its path',
    });
  });
});

const draft = (frontMatter: string): [string, string, string] => ['a.md', frontMatter, 'draft'];

describe('the status', () => {
  it.each([
    ['a.md', 'title: a', 'published'],
    ['a.md', 'draft: false\npublished: true\nstatus: publish\nvisibility: public\nprivate: no', 'published'],
    ['a.md', 'password: ""\nvisibility:\n  seo: false', 'published'],
    ['a.md', 'build: {list: {a: b}, render: {a: b}}\nresources: [{name: {a: b}, src: x.jpg}]', 'published'],
    ['a.md', 'expiryDate: 2026-06-02', 'published'],
    ['a.md', 'expiryDate: 0001-01-01T00:00:00Z', 'published'],
    ['a.md', 'Build: {List: local}', 'published'],
    ['a.md', 'publishDate: 2026-06-01T14:00:00+02:00', 'published'],
    ['a.md', 'publishDate: 2026-06-01T14:01:00+02:00', 'scheduled'],
  ])('of %s with %j is %s', async (path, frontMatter, status) => {
    expect((await readPost(path, dated(frontMatter))).status).toBe(status);
  });

  it.each([
    ...['draft: true', 'draft: "true"', 'Draft: TRUE', 'draft: 1', 'draft: y', 'draft: maybe', 'draft:'].map(
      draft,
    ),
    ...[
      'draft: [true]',
      '"draft\u200B": true',
      'x: &x {draft: true}\n<<: *x',
      'draft: false\nDraft: true',
    ].map(draft),
    ...[
      'published: false',
      'Published: "no"',
      'status: draft',
      'status: auto-draft',
      'status: in review',
    ].map(draft),
    ...['status: [draft]', 'status: {state: draft}', 'permalink: false', 'type: draft'].map(draft),
    ['_drafts/a.md', 'title: a', 'draft'],
    ['_drafts/index.md', '', 'draft'],
    ['a/_Drafts/b/c.html', '', 'draft'],
    ['a.md', 'draft: true\npublishDate: 2027-01-01', 'draft'],
    ['a.md', 'draft: true\nexpiryDate: soon', 'draft'],
    ['a.md', 'status: Private', 'private'],
    ['a.md', 'private: true', 'private'],
    ['a.md', 'password: secret', 'password'],
    ['a.md', 'post_password: x', 'password'],
    ['a.md', 'visibility: members', 'members'],
    ['a.md', 'visibility: [paid]', 'members'],
    ['a.md', 'visibility: false', 'members'],
    ['a.md', 'members_only: yes', 'members'],
    ['a.md', 'status: trash', 'trashed'],
    ['a.md', 'status: archived\npublishDate: 2027-01-01', 'archived'],
    ['a.md', 'build: {list: never}', 'archived'],
    ['a.md', '_build: {render: link}', 'archived'],
    ['a.md', 'headless: true', 'archived'],
    ['a.md', 'Unlisted: yes', 'archived'],
    ['a.md', 'hidden: true', 'archived'],
    ['a.md', 'visibility: unlisted', 'archived'],
    ['a.md', 'ExpiryDate: 2026-05-31', 'expired'],
  ])('of %s with %j is hidden: %s', async (path, frontMatter, reason) => {
    const { items } = await readFolder(folderOf({ [path]: dated(frontMatter) }));
    expect(items).toEqual([{ kind: 'hidden', hidden: { source: `markdown:${path}`, reason } }]);
  });

  it.each([
    ['expiryDate: 2026-06-02', '2026-06-02T00:00:00+00:00'],
    ['expiryDate: 2026-07-02T10:00:00-05:00\nunpublishDate: 2026-06-02', '2026-06-02T00:00:00+00:00'],
    ['publishDate: 2027-01-01\nexpiryDate: 2027-02-01', '2027-02-01T00:00:00+00:00'],
    ['expiryDate: 0001-01-01T00:00:00Z', null],
    ['title: a', null],
  ])('of a public post with %j ends at %s', async (frontMatter, expiresAt) => {
    expect((await readPost('a.md', dated(frontMatter))).expiresAt).toBe(expiresAt);
  });

  it.each([
    ['updated: 2026-06-02', '2026-06-02T00:00:00+00:00'],
    ['lastmod: 2026-06-02T10:00:00-05:00\nmodified: 2026-06-03', '2026-06-02T10:00:00-05:00'],
    ['last_modified_at: June 2, 2026', '2026-06-02T00:00:00+00:00'],
    ['Modified: 2026-06-02 10:00', '2026-06-02T10:00:00+00:00'],
    ['updated: true\nmodified: 2026-06-02', '2026-06-02T00:00:00+00:00'],
    ['updated: last week', null],
    ['lastmod: 0001-01-01T00:00:00Z', null],
    ['title: a', null],
  ])('with %j was changed at %s', async (frontMatter, updatedAt) => {
    expect((await readPost('a.md', dated(frontMatter))).updatedAt).toBe(updatedAt);
  });

  it('of everything in an imported folder of drafts is hidden', async () => {
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
  ])('of %s containing %j is hidden', async (path, content) => {
    const { items } = await readFolder(folderOf({ [path]: content }));
    expect(items).toMatchObject([{ kind: 'hidden' }]);
  });

  it.each([
    ['2024-01-02-a.md', '---\ntitle: Secret\ndraft: true\n\nhidden', /without an end/],
    ['2024-01-02-a.md', Buffer.from('\uFEFF---\ndraft: true\n---\nhidden', 'utf16le'), /not UTF-8 text/],
    ['a.md', dated('expiryDate: soon'), /expiry date that cannot be read: "soon"/],
    ['a.md', dated('expiryDate: {year: 2027}'), /expiry date that cannot be read/],
    ['.2024-01-02-a.md', 'Text.', /has a name that begins with a dot/],
    ['.trash/2024-01-02-a.md', 'Text.', /has a name that begins with a dot/],
    ['_posts/_2024-01-02-a.md', 'Text.', /has a name that begins with _/],
    ['_posts/_old/2024-01-02-a.md', 'Text.', /is in a folder whose name begins with _/],
  ])('of %s containing %j is none: the post is left out by name', async (path, content, reason) => {
    const { posts, skipped } = await readFolder(folderOf({ [path]: content }));
    expect([...posts.keys()]).toEqual([]);
    expect(skipped.get(path)).toMatch(reason);
  });
});

describe('slug and address', () => {
  it.each([
    ['posts/My-Post.md', 'title: a', 'My-Post', null],
    ['posts/hello/index.md', 'title: a', 'hello', null],
    ['posts/2015-03-17-hello/index.md', 'title: a', 'hello', null],
    ['a.md', 'slug: Мнение-о-chef\nUrl: it/Другое', 'Мнение-о-chef', '/it/Другое'],
    ['a.md', 'permalink: /old/%D0%BE.html', 'о', '/old/%D0%BE.html'],
    ['a.md', 'permalink: /:year/:title/', 'a', null],
    ['a.md', 'permalink: /2024/01/31/', 'a', '/2024/01/31/'],
    ['a.md', 'url: /b/EN\nlang: en', 'a', '/b/EN'],
    ['1984.md', 'url: /books/1984.html', '1984', '/books/1984.html'],
    ['a.md', 'permalink: /%2e%2e/%2e%2e/baddie.html', 'a', null],
    ['a.md', 'url: https://old.example/b/', 'b', 'https://old.example/b/'],
    ['a.md', 'slug: ../../x', 'x', null],
    ['a.md', 'basename: b', 'b', null],
    ['node.js.md', 'title: a', 'node.js', null],
    ['2015-01-01-v1.2.3-released.md', 'title: a', 'v1.2.3-released', null],
    ['2014-03-22-escape-+ %20[].markdown', 'title: a', 'escape-+-20', null],
  ])('of %s with %j are %s and %s', async (path, frontMatter, slug, url) => {
    expect(await readPost(path, dated(frontMatter))).toMatchObject({ slug, url });
  });

  it('are those of a path in the front matter', async () => {
    expect(await readPost('a.md', '+++\npath = "2025/06/26/Rust-1.88.0"\n+++\n')).toMatchObject({
      slug: 'Rust-1.88.0',
      url: '/2025/06/26/Rust-1.88.0',
    });
  });
});

describe('languages', () => {
  it('are recognised by suffixes of translations', async () => {
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

  it('are read from the front matter', async () => {
    expect((await readPost('b.md', dated('title: a\nlang: FR'))).language).toBe('fr');
  });
});

describe('categories and tags', () => {
  it.each([
    ['category: a b\ntags: c d', 'a b', ['c', 'd']],
    ['categories: a b', 'a', ['b']],
    ['categories: "a, b c"', 'a', ['b c']],
    ['category: x\ncategories: [y, X]', 'x', ['y']],
    ['category:\ntag: lorem ipsum', null, ['lorem ipsum']],
    ['category: 2013\ntags: [1.10, yes, ~]', '2013', ['1.10', 'yes']],
    ['categories: [{name: N, slug: n}]', 'N', []],
    ['Category: IT\nCategories: [IT, Russian]\ntags: [russian, C++, C]', 'IT', ['Russian', 'C++', 'C']],
    ['taxonomies: {tags: [b]}', null, ['b']],
    ['tags: [{label: A b, permalink: /b}, c]', null, ['A b', 'c']],
  ])('of %j are %s and %j', async (frontMatter, category, tags) => {
    const post = await readPost('a.md', dated(frontMatter));
    expect(post.category?.name ?? null).toBe(category);
    expect(post.tags.map((tag) => tag.name)).toEqual(tags);
  });
});

describe('the author', () => {
  const DATA = JSON.stringify({
    'Ann-Lee': { name: 'Ann Lee', avatar_url: 'https://a.example/ann.png', bio: '<b>' },
    bo: { username: 'bo', name: 'Bo' },
  });
  it.each([
    ['author: Ann-Lee', { username: 'Ann-Lee', name: 'Ann Lee', avatar: 'https://a.example/ann.png' }],
    ['authors:\n  - bo\n  - Ann-Lee', { username: 'bo', name: 'Bo', avatar: null }],
    ['author: Ann Lee', { username: 'Ann-Lee', name: 'Ann Lee', avatar: 'https://a.example/ann.png' }],
    ['author: cy', { username: 'cy', name: 'cy', avatar: null }],
    ['author: Cy Öz <cy@mail.example>', { username: 'cy-öz', name: 'Cy Öz', avatar: null }],
    ['author: cy@mail.example', { username: 'cy', name: 'cy', avatar: null }],
    ['authors: [{name: Di, image_url: /di.png}]', { username: 'di', name: 'Di', avatar: '/di.png' }],
    ['author: {name: Di, avatar: /di.png}', { username: 'di', name: 'Di', avatar: '/di.png' }],
    ['authors: [{id: bo}, {name: Di}]', { username: 'bo', name: 'Bo', avatar: null }],
    ['author: {name: Di, avatar: "javascript:x"}', { username: 'di', name: 'Di', avatar: null }],
    ['author:', null],
  ])('of %j is found', async (frontMatter, author) => {
    const post = await readPost('content/a.md', dated(frontMatter), { 'src/_data/all_authors.json': DATA });
    expect(post.author).toEqual(author);
  });

  it.each([
    ['authors: [Ann, Bob, ann, {name: Cy}]', ['Ann', 'Bob', 'Cy']],
    ['author: Ann\nauthors: [Ann, Bob, Cy]', ['Ann', 'Bob', 'Cy']],
    ['author: {name: [Ann, Bob, Cy]}', ['Ann', 'Bob', 'Cy']],
    ['author: Ann\nauthors: {name: , email: }\nbyline: Bob', ['Ann']],
    ['authors: Ann Lee, Jr. and Bob', ['Ann Lee, Jr. and Bob']],
  ])('of %j is the first of %j', async (frontMatter, names) => {
    const { author, coAuthors } = await readPost('a.md', dated(frontMatter));
    expect([author?.name, ...(coAuthors ?? [])]).toEqual(names);
  });

  it('is found in lists, in groups and in YAML', async () => {
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
    expect(skipped.get('_data/authors.yml')).toBe('is data about authors');
    expect(skipped.get('_data/members.json')).toMatch(/^is data about authors, but cannot be used: ./);
  });
});

describe('the cover', () => {
  const bundle = 'content/posts/hello/index.md';
  it.each([
    ['a.md', 'image: /assets/a.png', '/assets/a.png'],
    ['a.md', 'cover: https://a.example/b.png', 'https://a.example/b.png'],
    ['a.md', 'cover: //a.example/b.png', 'https://a.example/b.png'],
    ['a.md', 'cover: {image: /a.png, alt: x}', '/a.png'],
    ['a.md', 'images: [/a.png, /b.png]', '/a.png'],
    ['a.md', 'image: release.png', null],
    ['a.md', 'image: assets/img/a.png', '/assets/img/a.png'],
    ['a.md', 'hero: false\nimage: /a.png', '/a.png'],
    ['a.md', 'heroImage: /a.png', '/a.png'],
    ['a.md', 'image: "data:image/png;base64,AAAA"', null],
    ['a.md', 'image: "javascript:alert(1)"', null],
    [bundle, 'image: cover.jpg', '/posts/hello/cover.jpg'],
    [bundle, 'image: ../../../../../etc/passwd', '/etc/passwd'],
    [
      bundle,
      'images: []\nresources:\n- {name: other, src: a.jpg}\n- {name: featured-image, src: b.jpg}',
      '/posts/hello/b.jpg',
    ],
    [bundle, 'url: /own/place/\nimage: cover.jpg', '/own/place/cover.jpg'],
    [bundle, 'url: /own/v1.2/place\nimage: cover.jpg', '/own/v1.2/place/cover.jpg'],
    [bundle, 'url: /own/place.html\nimage: cover.jpg', null],
    [bundle, 'extra: {local_image: projects/hello/a.webp}', '/projects/hello/a.webp'],
    [bundle, 'extra: {local_image: img/a.webp}', '/posts/hello/img/a.webp'],
  ])('of %s with %j is %s', async (path, frontMatter, cover) => {
    const post = await readPost(path, dated(frontMatter), { 'content/posts/hello/img/a.webp': 'x' });
    expect(post.cover).toBe(cover);
  });
});

describe('the body', () => {
  it('is CommonMark with what GitHub adds', async () => {
    const text =
      '"a" -- b :tada: **b**(c)\n\n> [!NOTE]\n> in\n\n- [x] d\n- [ ] e[^1]\n\n[^1]: f\n\n|g|\n|-|\n|~~h~~|\n\nt\n: d';
    const { body } = await readPost('a.md', dated('title: T', text));
    expect(body).toContain('<p>&quot;a&quot; -- b 🎉 <strong>b</strong>(c)</p>');
    expect(body).toContain('<blockquote>\n<p><strong>Note</strong></p>\n<p>in</p>\n</blockquote>');
    expect(body).toContain('<li>☑ d</li>\n<li>☐ e<sup>');
    expect(body).toMatch(/<section class="footnotes">[^]*f <a/);
    expect(body).toMatch(/<td><s>h<\/s><\/td>/);
    expect(body).toContain('<p>t\n: d</p>');
  });

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

describe('a file that is not a post', () => {
  it('is named with its reason', async () => {
    const folder = folderOf({
      'README.md': '# Read me',
      'style.css': 'x',
      '_index.md': page('title: Home'),
      'content/blog/_index.es.md': dated('title: List'),
      'about.md': page('layout: page'),
      'a.mdx': dated('title: MDX'),
      'latin1.md': Buffer.from('---\ndate: 2020-01-01\n---\ncaf\xe9', 'latin1'),
      '2020-01-01-empty.md': ' \n',
      '#.md': dated('title: only signs'),
    });
    const { skipped, posts } = await readFolder(folder);
    expect(posts.size).toBe(0);
    expect(Object.fromEntries(skipped)).toEqual({
      'README.md': 'has no front matter with a date',
      'style.css': 'is not a Markdown or HTML file',
      '_index.md': 'has a name that begins with _',
      'content/blog/_index.es.md': 'has a name that begins with _',
      'about.md': 'has no date in its front matter, its name or its path',
      'a.mdx': 'is in the format .mdx, which is not read',
      'latin1.md': 'is not UTF-8 text; convert it',
      '2020-01-01-empty.md': 'is empty',
      '#.md': 'has a file name that gives no slug; set one with "slug:"',
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
});
