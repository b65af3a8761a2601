/**
 * Generated sites, rendered by the installed Hugo. Hugo's own output is what is expected.
 */
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { folderOf } from '../import/folder.ts';
import { spawnOffprint } from '../service/command.ts';
import { isRunning } from '../service/process-running.ts';
import { isTested } from './installed.ts';
import { fingerprint, importer, readSite } from './site.ts';

const CONFIG = `
baseURL = "https://blog.example/sub/"
title = "A Blog"
timeZone = "Europe/Berlin"
[permalinks]
  posts = "/:year/:month/:slug/"
[params]
  author = "Ada"
`;

/** Front matter and text. */
const post = (facts: string, text = 'Text.') => `---\n${facts}\n---\n${text}\n`;

const SITE = {
  'hugo.toml': CONFIG,
  'layouts/_default/single.html': '<html><body>Menu {{ .Content }}</body></html>',
  'layouts/posts/single.html': '{{ partial "no-such-partial.html" . }}',
  'layouts/shortcodes/note.html': '<aside>{{ .Inner | markdownify }} ({{ .Page.Title }})</aside>',
  'layouts/partials/mark.html': '✓',
  'layouts/_default/_markup/render-link.html':
    '<a href="{{ .Destination | safeURL }}">{{ .Text }}{{ partial "mark.html" . }}</a>',
  'content/_index.md': post('title: Home'),
  'content/about.md': post('title: About'),
  'content/docs/one.md': post('title: A document\ndate: 2024-01-01'),
  'content/posts/first.md': post(
    'title: First\ndate: 2024-05-01T10:00:00\ntags: [Go, "C++"]\ncategories: News\ndescription: About *it*.',
    'Hello {{< note >}}**so**{{< /note >}} [other]({{< ref "bundle" >}}) [up](/up/)',
  ),
  'content/posts/bundle/index.md': post(
    'title: Bundle\nslug: the-bundle\ndate: 2024-07-01\ncover: {image: a.png}\ntags: two words\nauthors: [Ann, Bob]',
    'Beginning.\n\n<!--more-->\n\n![A](a.png)',
  ),
  'content/posts/bundle/a.png': 'png',
};

const STATES = {
  'content/posts/draft.md': post('title: Secret draft\ndate: 2024-01-01\ndraft: true'),
  'content/posts/later.md': post(
    'title: Later\ndate: 2024-01-01\npublishDate: 2096-01-01T08:00:00Z',
    '{{< titles >}}',
  ),
  'content/posts/expired.md': post('title: Expired\ndate: 2020-01-01\nexpiryDate: 2021-01-01'),
  'content/posts/locked.md': post('title: Locked\ndate: 2020-01-01\npassword: open'),
  'content/posts/unlisted.md': post('title: Unlisted\ndate: 2020-01-01\n_build: {list: never}'),
  'content/posts/list.md': post('title: List\ndate: 2020-01-02', '{{< titles >}}'),
  'content/posts/dateless.md': post('title: Dateless'),
  'layouts/shortcodes/titles.html': '{{ range site.RegularPages.ByTitle }}[{{ .Title }}]{{ end }}',
};

describe.skipIf(!isTested('hugo'))('a site of Hugo', () => {
  it('has the terms of its own taxonomies; its series are a loss', async () => {
    const folder = folderOf({
      'hugo.toml':
        'baseURL = "https://blog.example/"\n[taxonomies]\ntag = "tags"\ntopic = "topics"\nseries = "series"',
      'content/posts/a.md': post('title: A\ndate: 2024-01-01\ntags: [t]\ntopics: [Two]\nseries: [S]'),
    });
    const { posts } = await readSite('hugo', folder);
    expect(posts.get('a')?.tags.map(({ name }) => name)).toEqual(['t', 'Two']);
    const { losses } = await importer()('hugo', folder);
    expect(losses).toEqual([expect.objectContaining({ what: 'series', count: 1 })]);
  });

  it('names posts that stand in lists only', async () => {
    const folder = folderOf({
      'hugo.toml': 'baseURL = "https://blog.example/"',
      'content/posts/a.md': post('title: A\ndate: 2024-01-01'),
      'content/posts/b.md': post('title: B\ndate: 2024-01-01\n_build: {render: never}'),
      'content/posts/c.md': post('title: C\ndate: 2024-01-01\noutputs: [json]'),
    });
    const { posts, skipped } = await readSite('hugo', folder);
    expect([...posts.keys()]).toEqual(['a']);
    for (const path of ['content/posts/b.md', 'content/posts/c.md'])
      expect(skipped.get(path)).toBe('has no page of its own on the site');
  });

  it('is imported as Hugo renders it: bodies, permalinks, time zone, terms', async () => {
    const { posts, notes, site } = await readSite('hugo', folderOf(SITE));
    expect([...posts.keys()].sort()).toEqual(['first', 'the-bundle']);
    expect(posts.get('first')).toMatchObject({
      source: 'markdown:content/posts/first.md',
      url: 'https://blog.example/sub/2024/05/first/',
      title: 'First',
      publishedAt: '2024-05-01T10:00:00+02:00',
      status: 'published',
      language: null,
      description: 'About it.',
      category: { name: 'News' },
      tags: [{ name: 'Go' }, { name: 'C++' }],
      author: { name: 'Ada' },
    });
    expect(posts.get('first')?.body).toBe(
      '<p>Hello <aside><strong>so</strong> (First)</aside> ' +
        '<a href="https://blog.example/sub/2024/07/the-bundle/">other✓</a> <a href="/up/">up✓</a></p>',
    );
    expect(posts.get('the-bundle')).toMatchObject({
      author: { name: 'Ann' },
      coAuthors: ['Bob'],
      url: 'https://blog.example/sub/2024/07/the-bundle/',
      cover: 'https://blog.example/sub/2024/07/the-bundle/a.png',
      description: 'Beginning.',
      tags: [{ name: 'two words' }],
      body: expect.stringContaining('<img src="a.png" alt="A">'),
    });
    expect(notes).toEqual([expect.stringMatching(/^Rendered by hugo \d+\.\d+/)]);
    expect(site).toEqual({ name: 'A Blog', url: 'https://blog.example/sub/' });
  });

  it('tells its name and address even if all its posts are drafts', async () => {
    const folder = folderOf({
      'hugo.toml': CONFIG,
      'layouts/_default/single.html': '',
      'content/posts/a.md': post('title: A\ndate: 2024-05-01\ndraft: true'),
    });
    const { site, posts } = await readSite('hugo', folder);
    expect(site).toEqual({ name: 'A Blog', url: 'https://blog.example/sub/' });
    expect(posts.size).toBe(0);
  });

  it('reports pages that are not posts, and imports other sections by name', async () => {
    const folder = folderOf(SITE);
    expect(Object.fromEntries((await readSite('hugo', folder)).skipped)).toEqual({
      'content/_index.md': 'is a home page, not a post',
      'content/about.md': 'is a page without a section, not a post',
      'content/docs/one.md': 'is a page of the section "docs", not a post',
    });
    const { posts } = await readSite('hugo', folder, { section: ['docs', 'posts'] });
    expect([...posts.keys()].sort()).toEqual(['first', 'one', 'the-bundle']);
  });

  it.each([
    ['as it is', ''],
    [
      'whose configuration builds everything',
      'buildDrafts = true\nbuildFuture = true\nbuildExpired = true\n',
    ],
  ])('%s has only what a visitor sees', async (_, config) => {
    const folder = folderOf({ ...SITE, ...STATES, 'hugo.toml': config + CONFIG });
    const { posts, skipped, hidden } = await readSite('hugo', folder);
    const states = Object.fromEntries([...posts.values()].map(({ title, status }) => [title, status]));
    expect(states).toEqual({ First: 'published', Bundle: 'published', List: 'published' });
    expect(Object.fromEntries(hidden)).toEqual({ 'markdown:content/posts/locked.md': 'password' });
    expect(skipped.get('content/posts/unlisted.md')).toBe('is not in any list of the site');
    expect(skipped.get('content/posts/dateless.md')).toBe('has no date');
    expect(posts.get('list')?.body).toContain('[First]');
    expect(posts.get('list')?.body).not.toMatch(/Secret|Expired|Later/);
  });

  it('has the dates of expiry and of the last change that the site says, not one that Hugo makes', async () => {
    const [expiry, lastmod] = ['2096-01-01T10:00:00+01:00', '2020-02-01T10:00:00+01:00'];
    const brief = post(`title: Brief\ndate: 2020-01-01\nexpiryDate: ${expiry}\nlastmod: ${lastmod}`);
    const { posts } = await readSite('hugo', folderOf({ ...SITE, 'content/posts/brief.md': brief }));
    const { status, expiresAt, updatedAt } = posts.get('brief') ?? expect.fail('no post');
    expect([status, ...[expiresAt, updatedAt].map((date) => Date.parse(date ?? ''))]).toEqual([
      'published',
      ...[expiry, lastmod].map(Date.parse),
    ]);
    expect(posts.get('first')).toMatchObject({ expiresAt: null, updatedAt: null });
  });

  it('has paths if the site does not configure its address', async () => {
    const { posts, site } = await readSite(
      'hugo',
      folderOf({ ...SITE, 'hugo.toml': 'title = "No address"' }),
    );
    expect(posts.get('the-bundle')).toMatchObject({
      url: '/posts/the-bundle/',
      cover: '/posts/the-bundle/a.png',
    });
    expect(site?.name).toBe('No address');
  });

  it('has translations after the main language, or one language alone', async () => {
    const config =
      'baseURL = "https://blog.example/"\ndefaultContentLanguage = "de"\n[languages]\n' +
      '[languages.de]\ntitle = "Blatt"\ncontentDir = "content/de"\nweight = 2\n' +
      '[languages.en]\ntitle = "Paper"\ncontentDir = "content/en"\nweight = 1\n';
    const folder = folderOf({
      'hugo.toml': config,
      'content/de/posts/hallo.md': post('title: Hallo\ndate: 2024-01-01'),
      'content/en/posts/hallo.md': post('title: Hello\ndate: 2024-01-01'),
    });
    const { posts, site } = await readSite('hugo', folder);
    expect([...posts]).toEqual([
      ['hallo', expect.objectContaining({ title: 'Hallo', url: 'https://blog.example/posts/hallo/' })],
      [
        'hallo (en)',
        expect.objectContaining({ title: 'Hello', url: 'https://blog.example/en/posts/hallo/' }),
      ],
    ]);
    expect(site?.name).toBe('Blatt');
    const german = await readSite('hugo', folder, { language: 'de' });
    expect([...german.posts.keys()]).toEqual(['hallo']);
    expect(german.skipped.get('content/en/posts/hallo.md')).toBe('is not in the language "de"');
  });

  it('keeps translations of one file apart', async () => {
    const config =
      'baseURL = "https://blog.example/"\n[languages.en]\n[languages.es]\n' +
      '[[module.mounts]]\nsource = "content"\ntarget = "content"\nlang = "en"\n' +
      '[[module.mounts]]\nsource = "content"\ntarget = "content"\nlang = "es"\n';
    const folder = folderOf({
      'hugo.toml': config,
      'content/posts/a.md': post('title: A\ndate: 2024-01-01'),
    });
    const { posts } = await readSite('hugo', folder);
    const sources = [...posts.values()].map(({ source }) => source);
    expect(sources.sort()).toEqual(['markdown:content/posts/a.md', 'markdown:content/posts/a.md#es']);
  });

  it('may have a configuration folder, short and ugly URLs, and other formats of a page', async () => {
    const folder = folderOf({
      'config/_default/hugo.yaml':
        'baseURL: https://blog.example\ntitle: Ugly\nuglyURLs: true\nrelativeURLs: true\n',
      'config/_default/outputs.toml': 'page = ["html", "amp"]\nhome = ["json"]\n',
      'config/production/params.toml': 'mainSections = ["articles"]\n',
      'layouts/_default/single.amp.html': 'AMP',
      'layouts/index.json': '{{ errorf "is not to be rendered" }}',
      'content/articles/a.md': post('title: A\ndate: 2024-01-01', '[b]({{< relref "b" >}}) ![i](/i.png)'),
      'content/articles/b.md': post('title: B\ndate: 2024-01-01\nurl: /b.html\noutputs: [html]'),
      'content/docs/c.md': post('title: C'),
    });
    const { posts } = await readSite('hugo', folder);
    expect([...posts.values()].map(({ url }) => url)).toEqual([
      'https://blog.example/articles/a.html',
      'https://blog.example/b.html',
    ]);
    const base = 'https://blog.example/articles/a.html';
    const links = [...(posts.get('a')?.body ?? '').matchAll(/(?:href|src)="([^"]*)"/g)];
    expect(links.map(([, link = '']) => new URL(link, base).href)).toEqual([
      'https://blog.example/b.html',
      'https://blog.example/i.png',
    ]);
  });

  it('uses the shortcodes of a theme, and none of its pages', async () => {
    const folder = folderOf({
      ...SITE,
      'hugo.toml': `theme = "mine"\n${CONFIG}`,
      'themes/mine/layouts/shortcodes/hi.html': 'Hi {{ .Page.Render "card" }}',
      'themes/mine/layouts/_default/card.html': '[{{ .Title }}]',
      'themes/mine/layouts/posts/card.html': '{{ .Title }}!',
      'themes/mine/layouts/_default/baseof.html': '{{ errorf "is not to be rendered" }}',
      'themes/mine/layouts/posts/single.html': '{{ define "main" }}{{ errorf "neither" }}{{ end }}',
      'content/posts/first.md': post('title: First\ndate: 2024-05-01', '{{< hi >}}'),
    });
    expect((await readSite('hugo', folder)).posts.get('first')?.body).toContain('Hi First!');
  });

  it('that mounts layouts of its own is refused, and the message says so', async () => {
    const folder = folderOf({
      'hugo.toml': '[[module.mounts]]\nsource = "mine"\ntarget = "layouts"\n',
      'mine/posts/single.html': '{{ .Title }}',
      'content/posts/a.md': post('title: A\ndate: 2024-01-01'),
    });
    await expect(readSite('hugo', folder)).rejects.toThrow('the site may mount its own');
  });

  it('is not changed by the import', async () => {
    const folder = folderOf({
      ...SITE,
      ...STATES,
      'hugo.toml': `${CONFIG}[build]\nwriteStats = true\n`,
      'static/big.bin': 'x',
      'assets/a.scss': 'a { b: c }',
    });
    const before = fingerprint(folder);
    await readSite('hugo', folder);
    expect(fingerprint(folder)).toEqual(before);
  });

  it('is read completely, whatever the form of its URLs', async () => {
    const urls = ['/2010/a.php', '/b.htm', '/c.aspx', '/d.html', '/v1.2', '/e.txt', '/same/', '/same/'];
    const files = urls.map((url, i) => [
      `content/posts/p${i}.md`,
      post(`title: P${i}\ndate: 2024-01-0${i + 1}\nurl: ${url}`, `Text ${i}.`),
    ]);
    const { posts } = await readSite('hugo', folderOf({ 'hugo.toml': CONFIG, ...Object.fromEntries(files) }));
    // Of two pages with the same path, Hugo writes one.
    expect([...posts.values()].map(({ url }) => url ?? '').sort()).toEqual(
      [...new Set(urls)].map((url) => `https://blog.example/sub${url}`).sort(),
    );
    for (const { title, body } of posts.values()) expect(body).toContain(`Text ${title.slice(1)}.`);
  });
});

describe.skipIf(!isTested('hugo'))('an import through Hugo', () => {
  it('of a site whose theme is missing names it; an empty folder is enough', async () => {
    const folder = folderOf({ ...SITE, 'layouts/.keep': '' });
    const config = readdirSync(folder).find((name) => /^(?:hugo|config)\./.test(name)) ?? '';
    writeFileSync(join(folder, config), `theme = "nowhere"\n${readFileSync(join(folder, config), 'utf8')}`);
    const failure: unknown = await readSite('hugo', folder).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      message: expect.stringMatching(/an empty folder themes\/NAME/),
      output: expect.stringContaining('module "nowhere" not found'),
    });
    mkdirSync(join(folder, 'themes/nowhere'), { recursive: true });
    expect((await readSite('hugo', folder)).posts.size).toBeGreaterThan(0);
  });

  it('of a site that changes during the import writes nothing', async () => {
    const folder = folderOf({ ...SITE, 'content/posts/moving.md': post('title: Moving\ndate: 2024-05-03') });
    const moving = join(folder, 'content/posts/moving.md');
    const engine = join(
      folderOf({ hugo: `#!/bin/sh\nhugo "$@" || exit 1\necho Changed. >> "${moving}"\n` }),
      'hugo',
    );
    chmodSync(engine, 0o755);
    await expect(readSite('hugo', folder, { engine })).rejects.toThrow('changed while being read');
    expect((await readSite('hugo', folder)).posts.has('moving')).toBe(true);
  });

  it('that is interrupted leaves no process', async () => {
    const temporary = mkdtempSync(join(tmpdir(), 'killed-'));
    const folder = folderOf(SITE);
    // Instead of Hugo, a program that prints a version and then hangs.
    const slow = folderOf({ hugo: `#!/bin/sh\necho $$ > "${temporary}/pid"\nexec sleep 600\n` });
    chmodSync(join(slow, 'hugo'), 0o755);
    const args = ['import', 'hugo', folder, '--db', join(slow, 'blog.db'), '--engine', join(slow, 'hugo')];
    const child = spawnOffprint(args, undefined, { TMPDIR: temporary });
    // The file exists before the number is written.
    const written = () => existsSync(join(temporary, 'pid')) && readFileSync(join(temporary, 'pid'), 'utf8');
    const pid = Number(await vi.waitUntil(() => written() || undefined, { timeout: 300_000 }));
    onTestFinished(() => {
      if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    });
    child.kill('SIGINT');
    await once(child, 'close');
    await vi.waitUntil(() => !isRunning(pid), { timeout: 300_000 });
  });
});
