import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ImportedPost } from '../../../import/imported-item.ts';
import { folderOf, onlyPostOf, type Read, readAll } from '../folder.ts';

/** The importer's result for files or addresses. */
export const readPaths = (...paths: readonly [string, ...string[]]): Promise<Read> => readAll('feed', paths);

/** The importer's result for a file with this content. */
export const readText = (content: string | Buffer): Promise<Read> =>
  readPaths(join(folderOf({ feed: content }), 'feed'));

/** The post of a feed with one entry; fails if there is none. */
export const onlyPost = (content: string | Buffer): Promise<ImportedPost> => onlyPostOf(readText(content));

export const JSON_ITEM = {
  id: 'a',
  url: 'https://blog.example/2020/a/',
  title: 'A',
  content_html: '<p>Text</p>',
  date_published: '2020-01-02T03:04:05+01:00',
};

/** A JSON Feed with these items. Each has the fields of JSON_ITEM, with the given changes. */
export function jsonFeed(items: readonly unknown[], fields: Readonly<Record<string, unknown>> = {}): string {
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title: 'A blog',
    home_page_url: 'https://blog.example/',
    feed_url: 'https://blog.example/feed.json',
  };
  const whole = items.map((item) => (typeof item === 'object' ? { ...JSON_ITEM, ...item } : item));
  return JSON.stringify({ ...feed, ...fields, items: whole });
}

export function atom(entries: string, attributes = ''): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:app="http://www.w3.org/2007/app"${attributes}>
<title type="html">A &amp;amp; B</title><id>urn:feed</id>
<link rel="self" href="https://blog.example/atom.xml"/><link href="https://blog.example/"/>
<author><name>Ada</name></author>
${entries}</feed>`;
}

/** An entry of Atom with `fields` after its id, address, title and date. */
export function entry(more: string, id = 'urn:1'): string {
  return `<entry><id>${id}</id><link href="https://blog.example/2020/${id.slice(4)}/"/><title>One</title>
<published>2020-01-02T03:04:05+01:00</published><updated>2021-01-01T00:00:00Z</updated>${more}</entry>\n`;
}

export function rss(items: string, channel = ''): string {
  return `<?xml version="1.0"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:media="http://search.yahoo.com/mrss/" xmlns:atom="http://www.w3.org/2005/Atom">
<channel><title>A blog</title><link>https://blog.example</link><language>en-US</language>${channel}
${items}</channel></rss>`;
}

export function item(more: string, id = '1'): string {
  return `<item><guid isPermaLink="false">${id}</guid><link>https://blog.example/2020/${id}/</link><title>One</title>
<pubDate>Thu, 02 Jan 2020 03:04:05 +0100</pubDate>${more}</item>\n`;
}

const SCHEMES = { kind: 'http://schemas.google.com/g/2005#kind', label: 'http://www.blogger.com/atom/ns#' };

/** The format of Blogger's own backup, until 2024. */
export function classic(entries: string): string {
  return `<?xml version='1.0' encoding='UTF-8'?><feed xmlns='http://www.w3.org/2005/Atom' xmlns:app='http://purl.org/atom/app#'>
<id>tag:blogger.com,1999:blog-7.archive</id><title type='text'>A &amp; B</title>
<link rel='alternate' type='text/html' href='http://ada.blogspot.com/'/><author><name>Ada</name></author>
${entries}</feed>`;
}

/** An entry of it, with `more` at its end. */
export function classicEntry(id: string, kind: string, more = '', words: Partial<Words> = {}): string {
  const { title = `Title ${id}`, text = 'Text', author = 'Ada L.' } = words;
  const { date = '2020-01-02T03:04:05.678+01:00' } = words;
  return `<entry><id>tag:blogger.com,1999:blog-7.${id}</id><published>${date}</published><updated>2021-01-01T00:00:00Z</updated>
<category scheme='${SCHEMES.kind}' term='http://schemas.google.com/blogger/2008/kind#${kind}'/>
<title type='text'>${title}</title><content type='html'>&lt;p&gt;${text}&lt;/p&gt;</content>
<link rel='replies' type='text/html' href='http://ada.blogspot.com/x#comment-form'/>
<link rel='alternate' type='text/html' href='http://ada.blogspot.com/2020/01/${id}.html'/>
<author><name>${author}</name></author>${label(words.tag)}${more}</entry>\n`;
}

export const label = (term?: string) =>
  term === undefined ? '' : `<category scheme='${SCHEMES.label}' term='${term}'/>`;

/** What an entry says. */
interface Words {
  readonly title: string;
  readonly text: string;
  readonly author: string;
  readonly tag: string;
  readonly description: string;
  readonly date: string;
}

/** The format of Google Takeout. */
export function takeout(entries: string): string {
  return `<?xml version='1.0' encoding='utf-8'?><feed xmlns='http://www.w3.org/2005/Atom' xmlns:blogger='http://schemas.google.com/blogger/2018'>
<id>tag:blogger.com,1999:blog-7</id><title>A blog</title>${entries}</feed>`;
}

type Taken = Partial<Words> & { readonly more?: string; readonly kind?: string };

/** An entry of it. */
export function taken(id: string, status: string, words: Taken = {}): string {
  const { more = '', kind = 'POST' } = words;
  const { title = `Title &amp;#39;${id}&amp;#39;`, text = 'Text', author = 'Ada', tag = 'News' } = words;
  const { description = 'For search', date = '2020-01-02T03:04:05.678Z' } = words;
  return `<entry><id>tag:blogger.com,1999:blog-7.${id}</id><blogger:type>${kind}</blogger:type><blogger:status>${status}</blogger:status>
<author><name>${author}</name></author><title>${title}</title><content type='html'>&lt;p&gt;${text}&lt;/p&gt;</content>
<blogger:metaDescription>${description}</blogger:metaDescription><blogger:created>2019-01-01T00:00:00Z</blogger:created>
<published>${date}</published><category scheme='tag:blogger.com,1999:blog-7' term='${tag}'/><category/>
<blogger:filename>/2020/01/${id}.html</blogger:filename><link/><enclosure/>${more}<blogger:trashed/></entry>\n`;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server with these paths, for the duration of the test; returns its address. */
export async function serverOf(answers: Readonly<Record<string, Answer | string>>): Promise<string> {
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    if (answer === undefined) response.writeHead(404).end();
    else if (typeof answer === 'string') response.end(answer);
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}
