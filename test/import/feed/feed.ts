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
