import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importConfigured } from '../../cli/imports.ts';
import type { Config } from '../../cli/settings.ts';
import { readingFrom } from '../../data/database.ts';
import { importBlog } from '../../data/imported/import.ts';
import { SiteHasEngine } from '../../import/errors.ts';
import { readBlog } from '../../import/formats.ts';
import { allOf, emptyBlog, folderOf, NOW, sorted } from './folder.ts';

const POST = '---\ntitle: A\ndate: 2020-01-01\n---\nText.';
type Files = Readonly<Record<string, string>>;

const read = (folder: string, plain?: boolean) => allOf(readBlog('markdown', [folder], { now: NOW, plain }));

describe('a site of Hugo or Jekyll', () => {
  it.each<[string, string, Files]>([
    ['Hugo', 'content', { 'hugo.toml': '' }],
    ['Hugo', 'content/posts/2020', { 'hugo.yaml': 'title: x' }],
    ['Hugo', 'content', { 'config/_default/params.toml': '' }],
    ['Hugo', 'content', { 'config.toml': 'baseURL = "https://x.example"' }],
    ['Hugo', 'posts', { 'config.json': '{"theme": "x"}', 'layouts/a.html': '' }],
    ['Hugo', 'content', { 'hugo.toml': '', '_config.yml': 'a: b' }],
    ['Jekyll', '_posts', { '_config.yml': 'title: x' }],
    ['Jekyll', 'news/_posts', { '_config.yaml': '' }],
    ['Jekyll', 'blog', { '_config.yml': '', '_layouts/post.html': '' }],
    ['Jekyll', 'blog', { '_config.toml': '', Gemfile: 'gem "jekyll"' }],
    ['Jekyll', 'blog', { '_config.yml': 'theme: jekyll-theme-minimal' }],
    ['Jekyll', 'articles', { '_config.yml': 'collections:\n  articles:\n    output: true' }],
    ['Jekyll', 'content/posts', { '_config.yml': 'title: x\nbaseurl: ""' }],
    ['Jekyll', '_posts', { Gemfile: "gem 'github-pages'" }],
    ['Jekyll', '_posts', { '_config.yml': '', '.git/config': '' }],
  ])('%s is not read as Markdown from %s: %j', async (engine, below, files) => {
    const site = folderOf({ ...files, [`${below}/a.md`]: POST });
    const format = engine.toLowerCase();
    const command = `"import ${format} ${site}"`;
    const inEntry = expect.stringMatching(
      `"format": "${format}" and "path": "${site}", or with "plain": true`,
    );
    for (const folder of [site, join(site, below)]) {
      const error = await read(folder).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(SiteHasEngine);
      expect(error).toMatchObject({ message: expect.stringContaining(command) });
      expect(error).toMatchObject({ message: expect.stringContaining('--plain'), inEntry });
      const items = await read(folder, true);
      expect([...sorted(items).posts.values()].map(({ title }) => title)).toEqual(['A']);
    }
  });

  it.each<[string, Files]>([
    ['a repository of its own', { '_config.yml': 'jekyll', 'blog/.git/config': '' }],
    ['a configuration of something else', { '_config.yml': 'a: b', 'config.toml': 'theme = "x"' }],
    ['a configuration that cannot be read', { 'config.toml': '[', 'content/x.md': POST }],
    ['other settings', { 'config.yaml': 'port: 1', 'content/x.md': POST }],
    ['posts without a configuration', { '_layouts/a.html': '' }],
    ['a site of Hexo', { '_config.yml': 'theme: x', 'source/_posts/b.md': POST }],
    [
      'a site of Zola',
      { 'config.toml': 'base_url = "https://x.example"\ntheme = "x"', 'content/b.md': POST },
    ],
    ['a site of Astro', { 'astro.config.mjs': '', 'package.json': '{"dependencies": {"astro": "5"}}' }],
  ])('is not seen in %s', async (_what, files) => {
    const folder = folderOf({ ...files, 'blog/a.md': POST });
    expect(sorted(await read(join(folder, 'blog'))).posts.size).toBe(1);
  });
});

it('the advice for an entry of offprint.json is what to write into it', async () => {
  const folder = folderOf({ '_config.yml': '', '_posts/2020-01-01-a.md': POST });
  const path = join(folder, '_posts');
  const config = { import: [{ format: 'markdown' as const, path }], site: {} };
  const [outcome] = await importConfigured({
    db: join(folder, 'a.db'),
    out: join(folder, 'o'),
    config,
    now: NOW,
  });
  expect(outcome?.failure).toContain(`"format": "jekyll" and "path": "${folder}", or with "plain": true`);
  expect(outcome?.failure).not.toContain('--plain');
});

it('links between files follow the addresses in offprint.json', async () => {
  const folder = folderOf({ 'a.md': POST, 'b.md': `${POST}\n[A](a.md)` });
  const db = join(folder, '..', 'links.db');
  const importedLink = async (site: Config['site']) => {
    const config = { import: [{ format: 'markdown' as const, path: folder }], site };
    await importConfigured({ db, out: `${db}-out`, config, now: NOW });
    const contents = readingFrom(db, (own) => own.prepare('SELECT body FROM posts').pluck().all());
    return /href="([^"]*)"/.exec(contents.join(''))?.[1];
  };
  const [url, post] = ['https://words.example', '/{year}/{slug}'];
  expect(await importedLink({ url })).toBe('https://words.example/posts/a');
  expect(await importedLink({ url, paths: { post } })).toBe('https://words.example/2020/a');
  expect(await importedLink({ url: 'https://w.example' })).toBe('https://w.example/posts/a');
});

it('the advice for a site of an engine quotes its folder for a shell', () => {
  const { message } = new SiteHasEngine("/tmp/sp ace'q", 'Hugo', "/tmp/sp ace'q");
  expect(message).toContain(`"import hugo '/tmp/sp ace'\\''q'"`);
});

it('counts posts in formats that are not read, and leaves them out', async () => {
  const items = await read(
    folderOf({ 'a.md': POST, 'ci.yml': '', 'posts/b.adoc': '= B', 'posts/d.adoc': '= D', 'e.mdx': POST }),
  );
  const skipped = items.flatMap((item) => (item.kind === 'skipped' ? [item.skipped] : []));
  expect(skipped).toEqual([
    { source: 'ci.yml', reason: 'is not a Markdown or HTML file', noPost: true },
    { source: 'e.mdx', reason: 'is in the format .mdx, which is not supported', count: 1 },
    {
      source: 'posts/b.adoc',
      reason: 'and 1 more are in the format .adoc, which is not supported',
      count: 2,
    },
  ]);
});

it('names the formats, and no other file, if they are all that there is', async () => {
  const folder = folderOf({ '.github/ci.yml': '', 'ci.yml': '', 'posts/b.adoc': '= B', 'posts/c.rst': 'C' });
  await expect(
    importBlog({ db: emptyBlog(), items: readBlog('markdown', [folder], { now: NOW }) }),
  ).rejects.toThrow(/the first: posts\/b\.adoc is in the format \.adoc, which is not supported\./);
});
