/** What a source is taken for when its format is not named. */
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recogniseBlog } from '../../import/formats.ts';
import { atom, classic, classicEntry, entry, jsonFeed, serverOf, taken, takeout } from './feed/feed.ts';
import { fileOf } from './ghost-export.ts';
import { folderOf } from './folder.ts';
import { runWordPress } from './running-blog.ts';
import { wxr } from './wordpress/export.ts';

const formatsOf = async (path: string) => (await recogniseBlog(path)).map(({ format }) => format);
const POST = '---\ntitle: A\ndate: 2020-01-01\n---\nText.';
const WXR = wxr('');
const ATOM = atom(entry(''));
const BLOGGER = classic(classicEntry('1', 'post'));
const TAKEOUT = takeout(taken('1', 'LIVE'));
const JSON_FEED = jsonFeed([]);
const RSS =
  '<?xml version="1.0"?>\n<!-- <p> -->\n<rss version="2.0"><channel><title>A</title></channel></rss>';
const JEKYLL = { '_config.yml': 'title: A', '_posts/2020-01-01-a.md': POST };

describe('a folder', () => {
  it.each<[string, readonly string[], Readonly<Record<string, string>>]>([
    ['a Hugo site', ['hugo'], { 'hugo.toml': '', 'content/a.md': POST }],
    ['a Hugo site with other generators', ['hugo'], { 'hugo.yaml': '', 'package.json': '{"next": ""}' }],
    ['a Jekyll site', ['jekyll'], JEKYLL],
    [
      'a site of both',
      ['hugo', 'jekyll'],
      { ...JEKYLL, 'config.toml': 'baseURL = "/"', 'content/a.md': POST },
    ],
    ['Markdown', ['markdown'], { 'deep/below/a.md': 'Text' }],
    ['a site of Zola', ['markdown'], { 'config.toml': 'base_url = "/"', 'content/a.md': POST }],
    ['HTML with front matter', ['markdown'], { 'a.html': POST }],
    ['HTML without', [], { 'a.html': '<p>Text</p>' }],
    ['a README and hidden files', [], { 'README.md': 'Text', '.a/b.md': POST, 'notes/_a.md': POST }],
    ['a program', [], { 'index.js': '', 'node_modules/a/b.md': POST }],
    ['a WordPress export', ['wordpress'], { 'a.xml': ATOM, 'b.xml': WXR }],
    ['posts next to an export', ['markdown', 'wordpress'], { 'a.md': POST, 'b.xml': WXR }],
    ['nothing', [], {}],
  ])('with %s is taken for %j', async (_, formats, files) => {
    expect(await formatsOf(folderOf(files))).toEqual(formats);
  });
});

it('a folder whose Markdown is all in sites below it is no blog, and the error names them', async () => {
  const site = { 'site/hugo.toml': '', 'site/content/a.md': POST, 'site/archetypes/default.md': POST };
  const folder = folderOf(site);
  await expect(recogniseBlog(folder)).rejects.toThrow(`Import ${join(folder, 'site')}.`);
  expect(await formatsOf(folderOf({ ...site, 'notes/b.md': POST }))).toEqual(['markdown']);
});

describe('a file', () => {
  it.each<[string, readonly string[], string]>([
    ['WordPress', ['wordpress'], WXR],
    ['WordPress after a warning of PHP', ['wordpress'], `\n<b>Warning</b>: x\n${WXR}`],
    ['Ghost', ['ghost'], '{"db":[{"meta":{"exported_on":1,"version":"5"},"data":{"posts":[]}}]}'],
    ['Ghost 0.x', ['ghost'], '\uFEFF{ "meta": {"exported_on": 1}, "data": {"posts": []}}'],
    ['Blogger until 2024', ['feed'], BLOGGER],
    ['Blogger, by Google Takeout', ['feed'], TAKEOUT],
    ['Atom', ['feed'], ATOM],
    ['RSS', ['feed'], RSS],
    ['JSON Feed', ['feed'], JSON_FEED],
    ['a web page with feeds', [], `<!doctype html><p>&lt;rss <rss ></p>`],
    ['a settings file', [], '{"version": "1", "data": 2}'],
    ['Markdown', [], POST],
    ['gzip', [], '\x1F\x8B\x08'],
    ['a zip file', [], 'PK\x03\x04'],
    ['nothing', [], ''],
  ])('of %s is taken for %j', async (_, formats, text) => {
    expect(
      await formatsOf(fileOf(Buffer.from(text, text.startsWith('\x1F') ? 'latin1' : 'utf8'), 'a')),
    ).toEqual(formats);
  });

  it('in UTF-16 is decoded', async () => {
    expect(await formatsOf(fileOf(Buffer.from(`\uFEFF${RSS}`, 'utf16le'), 'a.xml'))).toEqual(['feed']);
  });
});

describe('an address', () => {
  it.each<[string, readonly string[], string]>([
    ['a feed', ['feed'], ATOM],
    ['a JSON feed', ['feed'], JSON_FEED],
    ['Ghost', ['ghost'], '<!DOCTYPE html><html><meta name="generator" content="Ghost 6.1">'],
    ['WordPress', ['wordpress'], "<html><link rel='https://api.w.org/' href='/wp-json/' />"],
    ['another site', [], '<html><meta name="generator" content="Hugo">'],
  ])('of %s is taken for %j by its first page', async (_, formats, page) => {
    expect(await formatsOf(await serverOf({ '/': page }))).toEqual(formats); // Other paths are a 404.
  });

  it('of a web page that names its feed has an error with it', async () => {
    const page = `<html><head><link rel="stylesheet" href="/a.css">
      <link href='/rss.xml' type='application/rss+xml' rel='alternate'></head></html>`;
    const url = `${await serverOf({ '/': page })}/`;
    await expect(recogniseBlog(url)).rejects.toThrow(
      `${url} is a web page. Its feed is ${url}rss.xml: import that instead.`,
    );
  });

  it('of WordPress is recognised by its header', async () => {
    expect(await formatsOf((await runWordPress([])).url)).toEqual(['wordpress']);
  });

  it('is read only as far as it takes', async () => {
    const more = ' '.repeat(65_536);
    let sent = 0;
    const write = (reply: ServerResponse): void => {
      while (!reply.destroyed && reply.write(more)) sent += more.length;
      if (!reply.destroyed) reply.once('drain', () => write(reply));
    };
    const endless = (_: unknown, reply: ServerResponse): void => {
      reply.write(ATOM);
      write(reply);
    };
    expect(await formatsOf(await serverOf({ '/': endless }))).toEqual(['feed']);
    expect(sent).toBeLessThan(50_000_000);
  });
});
