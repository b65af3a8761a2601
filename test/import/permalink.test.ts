import { describe, expect, it } from 'vitest';
import { folderOf, readFolder } from './folder.ts';

/** Addresses by path, of a site with this configuration; compared with Jekyll 4.3 and Hugo 0.111. */
async function addresses(files: Readonly<Record<string, string>>): Promise<Record<string, string | null>> {
  const { posts } = await readFolder(folderOf(files));
  return Object.fromEntries([...posts].map(([path, { url }]) => [path, url]));
}

const page = (...lines: string[]) => `---\n${lines.join('\n')}\n---\ntext\n`;

describe('Jekyll', () => {
  it.each([
    ['', '/a-b/c/2020/01/05/Hello_w%C3%B6rld.html'],
    ['permalink: pretty', '/a-b/c/2020/01/05/Hello_w%C3%B6rld/'],
    ['permalink: none', '/a-b/c/Hello_w%C3%B6rld.html'],
    ['permalink: ordinal', '/a-b/c/2020/005/Hello_w%C3%B6rld.html'],
    ['permalink: weekdate', '/a-b/c/2020/W01/Sun/Hello_w%C3%B6rld.html'],
    ['permalink: ":year/:short_year/:i_month/:i_day/:title.html"', '/2020/20/1/5/Hello_w%C3%B6rld.html'],
    ['permalink: /:y_day/:short_month/:long_month/:slug', '/005/Jan/January/hello-w%C3%B6rld'],
    [
      'permalink: /:hour:minute:second/:w_year/:week/:w_day/:short_day/:long_day/',
      '/111213/2020/01/7/Sun/Sunday/',
    ],
    ['permalink: /:collection/:name:output_ext', '/posts/2020-01-04-hello-w%C3%B6rld.html'],
    ['permalink: /:slugified_categories/:title_/', '/a-b/c/Hello_w%C3%B6rld_/'],
    ['permalink: /:no_such/', null],
    ['collections: {posts: {permalink: "/news/:title/"}}\npermalink: pretty', '/news/Hello_w%C3%B6rld/'],
    ['defaults: [{scope: {path: ""}, values: {permalink: "/d/:title"}}]', '/d/Hello_w%C3%B6rld'],
    ['baseurl: /blog\npermalink: /:title/', '/blog/Hello_w%C3%B6rld/'],
  ])('with %j has %s', async (config, url) => {
    const path = '_posts/2020-01-04-Hello_wörld.md';
    const post = page('date: 2020-01-05 11:12:13 +0000', 'categories: [A-b, C]');
    expect(await addresses({ '_config.yml': config, [path]: post })).toEqual({ [path]: url });
  });

  it('uses the time zone of its site', async () => {
    const files = {
      'site/_config.yml': 'timezone: America/Los_Angeles',
      'site/_posts/2020-01-01-plain.md': page('date: 2020-01-02 03:04:05'),
      'site/_posts/2020-01-01-quoted.md': page('date: "2020-01-02 03:04:05"'),
      'site/_posts/2020-01-01-short.md': page('date: 2020-01-02 03:04'),
      'site/_posts/2020-01-01-offset.md': page('date: 2020-01-02 03:04:05 +0900'),
      'site/x/_posts/2020-07-01-none.md': page('title: x'),
    };
    const { posts } = await readFolder(folderOf(files));
    expect([...posts.values()].map(({ url, publishedAt }) => [url, publishedAt])).toEqual([
      ['/2020/01/01/offset.html', '2020-01-02T03:04:05+09:00'],
      ['/2020/01/01/plain.html', '2020-01-02T03:04:05+00:00'],
      ['/2020/01/02/quoted.html', '2020-01-02T03:04:05-08:00'],
      ['/2020/01/02/short.html', '2020-01-02T03:04:00-08:00'],
      ['/x/2020/07/01/none.html', '2020-07-01T00:00:00-07:00'],
    ]);
  });

  it('accepts a pattern, a path or a slug from the post', async () => {
    expect(
      await addresses({
        '_config.yml': 'permalink: /:categories/:title/',
        '_posts/2020-01-01-a.md': page('permalink: /x/:year/:title'),
        '_posts/2020-01-01-b.md': page('permalink: x/index.html'),
        '_posts/2020-01-01-c.md': page('permalink: ../../c/'),
        '_posts/2020-01-01-d.md': page('slug: Foo Bar', 'category: X y', 'categories: A b'),
        '_posts/sub/2020-01-01-e.md': page('title: x'),
      }),
    ).toEqual({
      '_posts/2020-01-01-a.md': '/x/2020/a',
      '_posts/2020-01-01-b.md': '/x/index.html',
      '_posts/2020-01-01-c.md': '/c/',
      '_posts/2020-01-01-d.md': '/a/b/x%20y/Foo-Bar/',
      '_posts/sub/2020-01-01-e.md': '/e/',
    });
  });
});

describe('Hugo', () => {
  const date = 'date: 2020-05-05T23:00:00-05:00';

  it.each([
    ['posts/Hello  it’s.md', [], '/posts/hello-its/'],
    ['posts/2020-01-01-Foo.md', [], '/posts/2020-01-01-foo/'],
    ['posts/slugged.md', ['slug: My Slug/é!'], '/posts/my-slug/%C3%A9/'],
    ['posts/Bundle/index.md', [], '/posts/bundle/'],
    ['posts/bundle/index.md', ['slug: other'], '/posts/other/'],
    ['Blog/Deep/X/n.md', [], '/blog/deep/x/n/'],
    ['posts/a.md', ['url: foo/Bar'], '/foo/Bar/'],
    ['posts/a.md', ['url: /foo/Bar.html'], '/foo/Bar.html'],
    ['posts/中文.md', [], '/posts/%E4%B8%AD%E6%96%87/'],
    [
      'perm/sub/Name.md',
      ['title: "Héllo, Wörld & C++ — x? 50%20"'],
      '/2020/05/may/2/tuesday/126/perm/perm/sub/sub/h%C3%A9llo-w%C3%B6rld-c-x-50-/name/name/',
    ],
    [
      'perm/sub/bun/index.md',
      ['title: "中文 标题：好"', 'slug: Sl'],
      '/2020/05/may/2/tuesday/126/perm/perm/sub/sub/%E4%B8%AD%E6%96%87-%E6%A0%87%E9%A2%98%E5%A5%BD/bun/sl/',
    ],
    ['perm/a.md', ['title: "C# #1"'], null],
    ['odd/a.md', [], null],
  ])('serves %s with %j at %s', async (path, lines, url) => {
    const files = {
      'hugo.toml': [
        'baseURL = "https://blog.example/base/"',
        '[permalinks]',
        'perm = "/:year/:month/:monthname/:weekday/:weekdayname/:yearday/:section/:sections/:sections[last]/:title/:filename/:slugorfilename/"',
        'odd = "/:unknown/"',
      ].join('\n'),
      [`content/${path}`]: page(date, ...lines),
    };
    expect(await addresses(files)).toEqual({ [`content/${path}`]: url && `/base${url}` });
  });

  it('handles languages, ugly URLs, and partial configurations', async () => {
    expect(
      await addresses({
        'config/_default/hugo.yaml': 'defaultContentLanguageInSubdir: true\nuglyURLs: {notes: true}',
        'config/_default/languages.yaml': 'en: {weight: 1}\nfr: {contentDir: french}',
        'config/_default/params.toml': 'mainSections = ["notes", "posts"]',
        'config/_default/permalinks.toml': 'page = {posts = "/p/:slug/"}',
        'content/notes/a.md': page(date),
        'content/posts/B c.md': page(date, 'title: B c'),
        'content/posts/B c.de.md': page(date, 'title: B c'),
        'french/posts/d.md': page(date, 'slug: été'),
      }),
    ).toEqual({
      'content/notes/a.md': '/en/notes/a.html',
      'content/posts/B c.md': '/en/p/b-c/',
      'content/posts/B c.de.md': '/en/p/b-c/',
      'french/posts/d.md': '/fr/p/%C3%A9t%C3%A9/',
    });
    expect(
      await addresses({
        'config.toml': 'removePathAccents = true\ndisablePathToLower = true\n[languages.fr]',
        'content/Aé.md': page(date),
        'content/Aé.fr.md': page(date),
      }),
    ).toEqual({ 'content/Aé.md': '/Ae/', 'content/Aé.fr.md': '/fr/Ae/' });
  });

  it('uses the time zone of its site', async () => {
    const { posts } = await readFolder(
      folderOf({ 'hugo.toml': 'timeZone = "Europe/Berlin"', 'content/a.md': page('date: 2020-07-05 00:30') }),
    );
    expect(posts.get('content/a.md')?.publishedAt).toBe('2020-07-05T00:30:00+02:00');
  });
});

it('Zola serves pages by folder and slug, if its spelling is certain', async () => {
  const post = (...lines: string[]) => `+++\ndate = 2020-05-05\n${lines.join('\n')}\n+++\n`;
  expect(
    await addresses({
      'zola.toml': 'base_url = "https://blog.example"\n[languages.fr]',
      'content/blog/2020-01-01-Hello You.md': post(),
      'content/blog/bundle/index.md': post(),
      'content/blog/bundle/index.fr.md': post(),
      'content/blog/slug.md': post('slug = "Other"'),
      'content/blog/path.md': post('path = "x/y"'),
      'content/blog/é.md': post(),
    }),
  ).toEqual({
    'content/blog/2020-01-01-Hello You.md': '/blog/hello-you/',
    'content/blog/bundle/index.md': '/blog/bundle/',
    'content/blog/bundle/index.fr.md': '/fr/blog/bundle/',
    'content/blog/slug.md': '/blog/other/',
    'content/blog/path.md': '/x/y/',
    'content/blog/é.md': null,
  });
});
