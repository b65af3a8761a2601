/**
 * The pages of a site must show the blog that the API gives.
 */
import { DomUtils, parseDocument } from 'htmlparser2';
import { expect } from 'vitest';
import { z } from 'zod';
import { PREFIX } from '../../contract/api.ts';
import { category, dataOf, detail, paged, summary, tag } from '../conformance/shapes.ts';

/** Pages by path: `posts/one/index.html`. */
type Pages = ReadonlyMap<string, string>;

/**
 * The index has each article once, newest first; each category and tag has an index.
 *
 * @param count the number of articles
 * @returns the addresses of the articles
 */
export async function expectLists(pages: Pages, url: string, count: number): Promise<readonly string[]> {
  const articles = await articlesOf(url);
  expect(articles).toHaveLength(count);
  const index: Listed[] = [];
  for (let at: string | undefined = '/'; at !== undefined;) {
    const page = pageAt(pages, at);
    index.push(...listOn(page));
    at = DomUtils.findOne(({ attribs }) => attribs['rel'] === 'next', page.children)?.attribs['href'];
  }
  const addresses = index.map(({ address }) => address);
  expect(new Set(addresses.map((address) => address.toLowerCase())).size).toBe(count);
  expect(index.map(({ title }) => title).sort()).toEqual(articles.map(({ title }) => title).sort());
  expect(index.map(({ time }) => Date.parse(time))).toEqual(
    articles.map(({ published_at }) => Date.parse(published_at)),
  );

  const topics = DomUtils.findAll(isIn('topics', 'a'), pageAt(pages, '/topics/').children);
  const named = [
    ...(await get(url, z.array(category), '/categories')),
    ...(await get(url, z.array(tag), '/tags')),
  ];
  expect(named.length).toBe(5);
  for (const { name, posts_count } of named) {
    const link = topics.find((topic) => DomUtils.textContent(topic) === name);
    const shown = listOn(pageAt(pages, link?.attribs['href'] ?? '')).map(({ title }) => title);
    const own = articles.filter((post) => post.category?.name === name || post.tags.includes(name));
    expect(shown.sort()).toEqual(own.map(({ title }) => title).sort());
    expect(shown).toHaveLength(posts_count);
  }
  return addresses;
}

/**
 * The pages at these addresses show the blog's articles with their full texts. Tables can be scrolled by keyboard.
 */
export async function expectArticles(pages: Pages, url: string, addresses: readonly string[]): Promise<void> {
  const left = new Map((await articlesOf(url)).map((article) => [article.url, article]));
  for (const address of addresses) {
    const page = pageAt(pages, address);
    const canonical = one(page, ({ attribs }) => attribs['rel'] === 'canonical').attribs['href'] ?? '';
    const article = left.get(canonical);
    if (!article) throw new Error(`${address} is no article of the blog, or one for the second time.`);
    left.delete(canonical);
    expect(DomUtils.textContent(one(page, ({ name }) => name === 'h1'))).toBe(article.title);
    const time = one(page, ({ name }) => name === 'time');
    expect(time.attribs['datetime']).toBe(article.published_at);
    if (article.author) expect(DomUtils.textContent(time.parent ?? page)).toContain(article.author.name);
    const cover = DomUtils.findOne(({ attribs }) => attribs['class'] === 'cover', page.children);
    expect(cover?.attribs['src'] ?? null).toBe(article.cover);
    const topics = DomUtils.findAll(isIn('topics', 'a'), page.children).map((topic) =>
      DomUtils.textContent(topic),
    );
    expect(topics).toEqual(
      [article.category?.name, ...article.tags, article.author?.name].filter((name) => name !== undefined),
    );
    const { content } = await get(url, detail, `/posts/${encodeURIComponent(article.slug)}`);
    const shown = content.replaceAll('<table', '<table tabindex="0"');
    if (!textAt(pages, address).includes(shown)) throw new Error(`${address} has another text.`);
  }
  expect([...left.keys()]).toEqual([]);
}

/** The service has no limits for callers without a key. */
async function get<T extends z.ZodType>(url: string, shape: T, path: string): Promise<z.output<T>> {
  return dataOf(shape, await (await fetch(`${url}${PREFIX}${path}`)).json());
}

/** All articles, newest first. */
async function articlesOf(url: string): Promise<z.output<typeof summary>[]> {
  const articles: z.output<typeof summary>[] = [];
  for (let page = 1, last = 1; page <= last; page++) {
    const { items, meta } = await get(url, paged(summary), `/posts?per_page=50&page=${page}`);
    articles.push(...items);
    last = meta.last_page;
  }
  return articles;
}

type Document = ReturnType<typeof parseDocument>;
type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number];

interface Listed {
  readonly address: string;
  readonly title: string;
  readonly time: string;
}

/** The list of articles on a page. */
function listOn(page: Document): Listed[] {
  return DomUtils.findAll(isIn('articles', 'a'), page.children).map((link) => ({
    address: link.attribs['href'] ?? '',
    title: DomUtils.textContent(link),
    time:
      DomUtils.findOne(({ name }) => name === 'time', link.parent?.children ?? [])?.attribs['datetime'] ?? '',
  }));
}

/** Whether a list entry with this class contains an element of this name. */
function isIn(list: string, name: string): (element: Element) => boolean {
  return (element) => {
    const parent = element.parent?.parent ?? null;
    return (
      element.name === name && parent !== null && 'attribs' in parent && parent.attribs['class'] === list
    );
  };
}

function textAt(pages: Pages, address: string): string {
  const text = pages.get(`${decodeURIComponent(address).slice(1)}index.html`);
  if (text === undefined) throw new Error(`There is no page at ${address}.`);
  return text;
}

function pageAt(pages: Pages, address: string): Document {
  return parseDocument(textAt(pages, address));
}

function one(page: Document, is: (element: Element) => boolean): Element {
  const found = DomUtils.findOne(is, page.children);
  if (!found) throw new Error('The page lacks an element.');
  return found;
}
