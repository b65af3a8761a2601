/**
 * Generated sites, rendered by the installed Jekyll. Jekyll's own output is what is expected.
 */
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { addFiles, folderOf } from '../import/folder.ts';
import { isTested } from './installed.ts';
import { fingerprint, importer, readSite } from './site.ts';

const CONFIG = `
title: A Blog
url: https://blog.example/
baseurl: sub
timezone: Europe/Berlin
permalink: /:categories/:year/:month/:title/
author: ada
collections:
  notes: {output: true}
  facts: {}
`;

/** Front matter and text. */
const post = (facts: string, text = 'Text.') => `---\n${facts}\n---\n${text}\n`;

const SITE = {
  '_config.yml': CONFIG,
  '_data/authors.yml': 'ada: {name: Ada Lovelace}\n',
  '_includes/note.html': '<aside>{{ include.text }} ({{ page.title }})</aside>',
  '_layouts/post.html': '<html>Menu {{ content }}</html>',
  '_layouts/broken.html': '{% include no-such-include.html %}',
  '_plugins/shout.rb':
    'module Shout; def shout(text); text.upcase + "!"; end; end\nLiquid::Template.register_filter(Shout)\n' +
    'Jekyll::Hooks.register(:posts, :post_render) { |doc| doc.output = doc.output.gsub(":wave:", "👋") }\n',
  '_posts/2024-05-01-first.md': post(
    'layout: broken\ntitle: First\ndate: 2024-05-01 10:00:00\ncategory: News\ntags: [Go, "C++"]\nimage: /a.png',
    '{% include note.html text="so" %}\n\n{{ "hi" | shout }} :wave: [other]({% post_url 2024-07-01-second %}) [up](/up/)',
  ),
  '_posts/2024-07-01-second.md': post(
    'layout: post\nlang: de\nauthors: [ada, Bob]',
    'Beginning.\n\n<!--more-->\n\n```ruby\nputs 1\n```',
  ),
  '_notes/one.md': post('title: Note\ndate: 2024-01-02'),
  '_facts/two.md': post('title: Fact\ndate: 2024-01-02'),
  'about.md': post('title: About', '{% include no-such-include.html %}'),
  'feed.xml': post('layout: null', '{% include no-such-include.html %}'),
};

const STATES = {
  '_drafts/draft.md': post('title: Secret draft'),
  '_posts/2020-01-01-unpublished.md': post('title: Secret too\npublished: false'),
  '_posts/2096-01-01-later.md': post('title: Later', '{% for p in site.posts %}[{{ p.title }}]{% endfor %}'),
  '_posts/2020-01-02-expired.md': post('title: Expired\nexpiryDate: 2021-01-01'),
  '_posts/2020-01-06-brief.md': post(
    'title: Brief\nexpiryDate: 2096-01-01T10:00:00+01:00\nlast_modified_at: 2020-02-01 10:00:00 +0100',
  ),
  '_posts/2020-01-03-locked.md': post('title: Locked\npassword: open'),
  '_posts/2020-01-04-list.md': post('title: List', '{% for p in site.posts %}[{{ p.title }}]{% endfor %}'),
  '_posts/2020-01-05-broken.md': post('title: Broken: "x\npublished: false'),
};

describe.skipIf(!isTested('jekyll'))('a site of Jekyll', () => {
  it('is imported as Jekyll renders it: includes, plug-ins, permalinks, time zone, terms', async () => {
    const { posts, notes, site } = await readSite('jekyll', folderOf(SITE));
    expect([...posts.keys()].sort()).toEqual(['first', 'second (de)']);
    expect(posts.get('first')).toMatchObject({
      source: 'markdown:_posts/2024-05-01-first.md',
      url: 'https://blog.example/sub/news/2024/05/first/',
      title: 'First',
      publishedAt: '2024-05-01T12:00:00+02:00', // In YAML, a time without a zone is in UTC.
      status: 'published',
      cover: 'https://blog.example/sub/a.png',
      category: { name: 'News' },
      tags: [{ name: 'Go' }, { name: 'C++' }],
      author: { username: 'ada', name: 'Ada Lovelace' },
    });
    expect(posts.get('first')?.body).toBe(
      '<aside>so (First)</aside>\n\n<p>HI! 👋 <a href="/sub/2024/07/second/">other</a> <a href="/up/">up</a></p>',
    );
    expect(posts.get('second (de)')).toMatchObject({
      title: 'Second',
      description: 'Beginning.',
      publishedAt: '2024-07-01T00:00:00+02:00',
      author: { name: 'Ada Lovelace' },
      coAuthors: ['Bob'],
      body: expect.stringContaining('<div class="language-ruby highlighter-rouge">'),
    });
    expect(notes).toEqual([expect.stringMatching(/^Rendered by jekyll \d+\.\d+/)]);
    expect(site).toEqual({ name: 'A Blog', url: 'https://blog.example/sub' });
  });

  it('reports pages that are not posts, and imports other collections by name', async () => {
    const folder = folderOf(SITE);
    expect(Object.fromEntries((await readSite('jekyll', folder)).skipped)).toEqual({
      '_notes/one.md': 'is a document of the collection "notes", not a post',
      '_facts/two.md': 'is a document of the collection "facts", not a post',
      'about.md': 'is a page, not a post',
      'feed.xml': 'is a page, not a post',
    });
    const { posts, skipped } = await readSite('jekyll', folder, { collection: ['notes', 'facts'] });
    expect([...posts.keys()].sort()).toEqual(['first', 'one', 'second (de)']);
    expect(skipped.get('_facts/two.md')).toMatch(/for which the site has no pages/);
  });

  it('is found in the folder that its configuration names', async () => {
    const folder = folderOf({
      '_config.yml': 'url: https://blog.example\nsource: src\n',
      'src/_posts/2024-01-01-a.md': post('title: A'),
      'src/_config.yml': 'url: https://another.example\n',
    });
    const { posts } = await readSite('jekyll', folder);
    expect(posts.get('a')).toMatchObject({
      source: 'markdown:src/_posts/2024-01-01-a.md',
      url: 'https://blog.example/2024/01/01/a.html',
    });
  });

  it('can be limited to one language', async () => {
    const { posts, skipped } = await readSite('jekyll', folderOf(SITE), { language: 'de' });
    expect([...posts.keys()]).toEqual(['second (de)']);
    expect(skipped.get('_posts/2024-05-01-first.md')).toBe('is not in the language "de"');
  });

  it.each([
    ['as it is', ''],
    [
      'whose configuration shows everything',
      'show_drafts: true\nunpublished: true\nfuture: true\nsafe: true\n',
    ],
  ])('%s has only what a visitor sees', async (_, config) => {
    const folder = folderOf({ ...SITE, ...STATES, '_config.yml': CONFIG + config });
    const { posts, skipped, hidden } = await readSite('jekyll', folder);
    expect([...posts.values()].map(({ title, status }) => `${title}: ${status}`).sort()).toEqual([
      'Brief: published',
      'First: published',
      'List: published',
      'Second: published',
    ]);
    expect(Date.parse(posts.get('brief')?.expiresAt ?? '')).toBe(Date.parse('2096-01-01T10:00:00+01:00'));
    expect(Date.parse(posts.get('brief')?.updatedAt ?? '')).toBe(Date.parse('2020-02-01T10:00:00+01:00'));
    expect(Object.fromEntries(hidden)).toEqual({
      'markdown:_posts/2020-01-02-expired.md': 'expired',
      'markdown:_posts/2020-01-03-locked.md': 'password',
    });
    expect(skipped.get('_posts/2020-01-05-broken.md')).toMatch(/^its YAML is broken in line 2: .*in quotes/);
    expect(posts.get('list')?.body).toContain('[First]');
    expect(posts.get('list')?.body).not.toMatch(/Secret|Later/);
  });

  it('is rendered by one run of Jekyll, each document once', async () => {
    const log = join(folderOf({}), 'log');
    const program = folderOf({ jekyll: `#!/bin/sh\necho run >> ${log}\nexec jekyll "$@"\n` });
    chmodSync(join(program, 'jekyll'), 0o755);
    const count = `Jekyll::Hooks.register(:documents, :post_render) { |doc| File.write(${JSON.stringify(log)}, doc.basename + "\n", :mode => "a") }\n`;
    await readSite('jekyll', folderOf({ ...SITE, '_plugins/count.rb': count }), {
      engine: join(program, 'jekyll'),
    });
    expect(readFileSync(log, 'utf8').trim().split('\n').sort()).toEqual(
      ['2024-05-01-first.md', '2024-07-01-second.md', 'one.md', 'run', 'two.md'].sort(),
    );
  });

  it('sees none of the secrets of other programs', async () => {
    const secrets = [
      'PGPASSWORD',
      'PGPASSFILE',
      'ADDRESS_SECRET',
      'CLOUDFLARE_API_TOKEN',
      'AWS_SECRET_ACCESS_KEY',
    ];
    for (const name of [...secrets, 'OFFPRINT_GHOST_KEY', 'GITHUB_TOKEN', 'BUNDLE_GEMS__EXAMPLE'])
      vi.stubEnv(name, 'secret');
    onTestFinished(() => void vi.unstubAllEnvs());
    const shown = join(folderOf({}), 'shown.json');
    const show = `require "json"\nFile.write(${JSON.stringify(shown)}, JSON.generate(ENV.to_h))\n`;
    await readSite('jekyll', folderOf({ ...SITE, '_plugins/show.rb': show }));
    const seen: Record<string, string> = JSON.parse(readFileSync(shown, 'utf8'));
    expect(Object.keys(seen).filter((name) => seen[name] === 'secret')).toEqual(['BUNDLE_GEMS__EXAMPLE']);
    expect(seen).toMatchObject({ PATH: process.env['PATH'], HOME: process.env['HOME'] });
  });

  it('keeps a document of a collection whose file was emptied, which is no document for Jekyll', async () => {
    const run = importer();
    const folder = folderOf(SITE);
    const collection = ['notes'];
    expect((await run('jekyll', folder, { collection })).posts.published).toBe(3);
    addFiles(folder, { '_notes/one.md': '', '_includes/note.html': '' });
    const { skipped, gone } = await run('jekyll', folder, { collection });
    expect(skipped.filter(({ noPost }) => !noPost)).toEqual([
      { source: '_notes/one.md', reason: 'is empty' },
    ]);
    expect(gone).toEqual([]);
  });

  it.each([
    ['theme', 'theme: no-such-theme-of-offprint', 'The no-such-theme-of-offprint theme could not be found'],
    ['gem', 'plugins: [no-such-gem-of-offprint]', "you don't have no-such-gem-of-offprint"],
  ])('without its %s has a hint to install it', async (_what, setting, said) => {
    const folder = folderOf({ ...SITE, '_config.yml': `${CONFIG}${setting}\n` });
    const failure: unknown = await readSite('jekyll', folder).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      message: expect.stringMatching(/"bundle install".* needs no theme\. Its output:$/),
      output: expect.stringContaining(said),
    });
  });

  it.each([
    ['without a Gemfile', {}, /^Rendered by jekyll [\d.]+\.$/],
    ['with a Gemfile', { Gemfile: 'gem "jekyll"\n' }, /\(bundle exec\)\.$/],
    [
      'with gems that are missing',
      { Gemfile: 'gem "no-such-gem-of-offprint"\n' },
      /^Rendered by jekyll [\d.]+\.$/,
    ],
  ])('is not changed by the import, %s', async (_, gems, note) => {
    const folder = folderOf({ ...SITE, ...gems, 'image.png': 'png', 'css/a.scss': '---\n---\na {b: c}' });
    const before = fingerprint(folder);
    const { posts, notes } = await readSite('jekyll', folder);
    expect(posts.get('first')?.body).toContain('HI!');
    expect(notes).toEqual([expect.stringMatching(note)]);
    expect(fingerprint(folder)).toEqual(before);
  });
});
