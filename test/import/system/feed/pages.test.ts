import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AddressRefused } from '../../../../import/errors.ts';
import { importBlog } from '../../../../data/imported/import.ts';
import { readBlog } from '../../../../import/formats.ts';
import { emptyBlog, folderOf, NOW, readAll } from '../../folder.ts';
import { atom, entry, item, jsonFeed, readPaths, readText, rss, serverOf } from '../../feed/feed.ts';

const ids = ({ posts }: { posts: readonly { source: string }[] }) => posts.map(({ source }) => source);

describe('a feed at an address', () => {
  it('is read with all its pages; entries on two pages are one', async () => {
    const site = await serverOf({
      '/feed.json': jsonFeed([{}], { next_url: '2.json' }),
      '/2.json': jsonFeed([{}, { id: 'b' }], { next_url: '/feed.json' }),
    });
    const read = await readPaths(`${site}/feed.json`);
    expect(ids(read)).toEqual(['feed:a', 'feed:b']);
    expect(read.skipped).toEqual([]);
    expect(read.notes).toEqual([expect.stringContaining('on 2 pages')]);
  });

  it('is read with the pages and archives that Atom and RSS link to', async () => {
    const link = (rel: string, href: string) => `<link rel="${rel}" href="${href}"/>`;
    const site = await serverOf({
      '/atom': atom(`${link('next', '/atom2')}${entry('<content>a</content>')}`),
      '/atom2': atom(`${entry('<content>b</content>', 'urn:2')}${link('prev-archive', '/atom3')}`),
      '/atom3': atom(entry('<content>c</content>', 'urn:3')),
      '/rss': rss(item('<description>a</description>'), '<atom:link rel="next" href="/rss2"/>'),
      '/rss2': rss(item('<description>b</description>', '2')),
    });
    // Addresses in it are relative to its own address.
    expect(ids(await readPaths(`${site}/atom`))).toEqual(['feed:urn:1', 'feed:urn:2', 'feed:urn:3']);
    expect(ids(await readPaths(`${site}/rss`))).toEqual(['feed:1', 'feed:2']);
  });

  it('keeps all posts if a page cannot be read, even with --complete', async () => {
    const site = await serverOf({
      '/feed.json': jsonFeed([{}], { next_url: '/gone' }),
      '/whole.json': jsonFeed([{}, { id: 'b', url: 'https://blog.example/b' }]),
    });
    const db = emptyBlog();
    const read = (path: string) => readBlog('feed', [`${site}${path}`], { now: NOW });
    await importBlog({ db, items: read('/whole.json'), complete: true });
    const report = await importBlog({ db, items: read('/feed.json'), complete: true });
    expect(report.skipped).toEqual([
      {
        source: expect.stringMatching(/\/gone$/),
        reason: expect.stringContaining('answered with status 404'),
      },
    ]);
    expect(report.gone).toEqual([]);
    expect(db.prepare('SELECT slug, status FROM posts ORDER BY slug').raw().all()).toEqual([
      ['a', 'published'],
      ['b', 'published'],
    ]);
  });

  it('is not followed to another site, nor from a file', async () => {
    const other = await serverOf({});
    const site = await serverOf({ '/feed.json': jsonFeed([{}], { next_url: `${other}/2.json` }) });
    const { skipped } = await readPaths(`${site}/feed.json`);
    expect(skipped).toEqual([expect.stringContaining('at another site')]);
    const file = await readText(jsonFeed([{}], { next_url: `${site}/feed.json` }));
    expect(file.skipped).toEqual([expect.stringContaining('import the feed by its URL')]);
    expect(ids(file)).toEqual(['feed:a']);
  });

  it('may be redirected, but not endlessly, and not to a file', async () => {
    const to = (location: string) => (_: unknown, response: ServerResponse) =>
      void response.writeHead(302, { location }).end();
    const site = await serverOf({
      '/a': to('/b'),
      '/b': jsonFeed([{}]),
      '/round': to('/round'),
      '/file': to('file:///etc/passwd'),
    });
    expect(ids(await readPaths(`${site}/a`))).toEqual(['feed:a']);
    await expect(readPaths(`${site}/round`)).rejects.toThrow('redirects more than 5 times');
    await expect(readPaths(`${site}/file`)).rejects.toThrow('it redirects to file:///etc/passwd');
  });

  it("is requested with a user agent, and read in the response's encoding", async () => {
    let agent: string | undefined;
    const site = await serverOf({
      '/rss': (request, response) => {
        agent = request.headers['user-agent'];
        response.setHeader('content-type', 'application/rss+xml; charset=iso-8859-1');
        response.end(Buffer.from(rss(item('<description>é</description>')), 'latin1'));
      },
    });
    expect((await readPaths(`${site}/rss`)).posts[0]?.body).toBe('é');
    expect(agent).toMatch(/^offprint\b/);
  });

  it('may be compressed, and is refused if it unpacks to a multiple', async () => {
    const packed = (content: string | Buffer) => (_: unknown, response: ServerResponse) =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(content));
    const site = await serverOf({
      '/feed.json': packed(jsonFeed([{}])),
      '/bomb.xml': packed(rss(`<item><description>${'x'.repeat(40_000_000)}`)),
      '/bomb.json': packed(jsonFeed([{ title: 'x'.repeat(40_000_000) }])),
      '/other': (_, response) => void response.writeHead(200, { 'content-encoding': 'br' }).end('x'),
    });
    expect(ids(await readPaths(`${site}/feed.json`))).toEqual(['feed:a']);
    await expect(readPaths(`${site}/bomb.xml`)).rejects.toThrow('unpacks to more than 15 times its size');
    await expect(readPaths(`${site}/bomb.json`)).rejects.toThrow('unpacks to more than 15 times its size');
    await expect(readPaths(`${site}/other`)).rejects.toThrow('its encoding "br" is unknown');
  });

  it('that nobody serves is an error with its reason', async () => {
    await expect(readPaths('http://127.0.0.1:1/feed')).rejects.toThrow(AddressRefused);
    const site = await serverOf({
      '/cut': (_, response) =>
        void response.writeHead(200, { 'content-length': '99' }).write('{', () => response.destroy()),
    });
    await expect(readPaths(`${site}/cut`)).rejects.toThrow(AddressRefused);
  });
});

describe('the files of a feed’s pages', () => {
  it('are one feed, whose next page is among them', async () => {
    const page = (id: string) =>
      jsonFeed([{}, { id }], { next_url: 'https://blog.example/2', feed_url: `urn:${id}` });
    const folder = folderOf({ '1.json': page('b'), '2.json': page('c') });
    const read = await readPaths(join(folder, '1.json'), join(folder, '2.json'));
    expect(ids(read)).toEqual(['feed:a', 'feed:b', 'feed:c']);
    expect(read.skipped).toEqual([]);
    expect(read.items.filter(({ kind }) => kind === 'blog')).toHaveLength(1);
    await expect(readPaths(join(folder, '1.json'), join(folder, '3.json'))).rejects.toThrow('3.json');
  });
});

it('a folder of them is rejected', async () => {
  const folder = folderOf({ 'feed.xml': rss('') });
  await expect(readPaths(folder)).rejects.toThrow(
    / is a folder, not a file\. Give a file in it, or several\.$/,
  );
});

it.each([true, false])('warns that posts may be missing, unless it is complete: %s', async (complete) => {
  const folder = folderOf({ 'feed.json': jsonFeed([{}]) });
  const { notes } = await readAll('feed', [join(folder, 'feed.json')], { complete });
  expect(notes).toEqual([expect.stringMatching(complete ? /1 entry$/ : /1 entry\. Many feeds have only/)]);
});
