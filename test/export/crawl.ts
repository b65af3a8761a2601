import { PREFIX } from '../../contract/api.ts';
import { send } from '../service/client.ts';

/** The texts of exported files by path, as a client finds them. */
export type Crawled = ReadonlyMap<string, string>;

/**
 * Reads exported files by following links.
 *
 * @param home the address of the files, with a trailing slash
 * @returns path and text of each file; `STATUS 404` if it is missing
 */
export async function followLinks(home: string): Promise<[string, string][]> {
  const found = new Map<string, string>();
  let due = ['v1/index.json'];
  const stringsIn = (value: unknown): string[] => {
    if (typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
  };
  while (due.length > 0) {
    const batch = due.slice(0, 16);
    due = due.slice(16);
    const answers = await Promise.all(
      batch.map(async (path): Promise<[string, string]> => {
        const response = await fetch(new URL(path, home));
        return [path, response.ok ? await response.text() : `STATUS ${response.status}`];
      }),
    );
    for (const [path, text] of answers) {
      found.set(path, text);
      if (!path.endsWith('.json') || path === 'openapi.json' || text.startsWith('STATUS')) continue;
      const { links }: { links?: unknown } = JSON.parse(text);
      for (const link of stringsIn(links)) {
        const to = new URL(link, new URL(path, home)).href.slice(home.length);
        if (!found.has(to) && !due.includes(to)) due.push(to);
      }
    }
  }
  return [...found];
}

/** An article has a slug, an author a username. */
interface Item {
  readonly slug: string;
  readonly username: string;
}

interface Page {
  readonly data: { readonly items: readonly Item[]; readonly meta?: Readonly<Record<string, number>> };
  readonly links: {
    readonly first: string;
    /** Undefined: the list is in one file. */
    readonly next?: string | null;
    readonly prev?: string | null;
    readonly last: string;
    readonly items: readonly string[];
  };
}

/** A file of a list, as its links lead to it. */
export interface ListFile extends Page {
  readonly path: string;
  /** The path of another file. */
  at(link: string): string;
}

/** The files of a list in the order of their links `next`, or of their links `prev` from a later one. */
export function filesOfList(tree: Crawled, first: string, direction: 'next' | 'prev' = 'next'): ListFile[] {
  const files: ListFile[] = [];
  for (let path: string | null = first; path !== null;) {
    const from: string = path;
    const at = (link: string) => resolve(from, link);
    const page: Page = JSON.parse(textAt(tree, from));
    files.push({ ...page, path: from, at });
    const to = page.links[direction];
    path = to ? at(to) : null;
  }
  return files;
}

const textAt = (tree: Crawled, path: string) => tree.get(path) ?? 'nothing';
const resolve = (from: string, link: string) => new URL(link, `http://tree/${from}`).pathname.slice(1);

/**
 * Compares exported files with a gateway that serves the same snapshot. Every article, author, category and tag of the
 * gateway must be the same in the file that the links lead to, and every list have the same items in the same order.
 *
 * @returns the differences, and the number of compared answers of the gateway
 */
export async function compareWithGateway(
  gateway: string,
  tree: Crawled,
  perPage: number,
): Promise<{ readonly faults: readonly string[]; readonly compared: number }> {
  const faults: string[] = [];
  let compared = 0;
  const answerOf = async (target: string): Promise<string> => {
    const { status, text } = await send(gateway, { path: PREFIX + target });
    compared += 1;
    if (status !== 200) faults.push(`${target} is answered with ${status}`);
    return text;
  };
  const expectSame = (what: string, found: unknown, expected: unknown) => {
    const [text, other] = [JSON.stringify(found), JSON.stringify(expected)];
    if (text !== other) faults.push(`${what}: ${text?.slice(0, 200)}, not ${other?.slice(0, 200)}`);
  };
  /** The answer in an exported file. It must start like the gateway's; after `data` it has links. */
  const same = async (path: string, target: string): Promise<void> => {
    const text = await answerOf(target);
    const found = textAt(tree, path);
    if (found !== text && !found.startsWith(`${text.slice(0, -1)},"links":{`))
      faults.push(`${path} is not ${target}: ${found.slice(0, 200)}`);
  };
  /** The items of the gateway's pages. */
  const itemsOf = async (query: string, pages = Infinity): Promise<Item[]> => {
    const items: Item[] = [];
    for (let page = 1, last = 1; page <= Math.min(last, pages); page++) {
      const { data } = JSON.parse(await answerOf(`${query}per_page=50&page=${page}`));
      items.push(...data.items);
      last = data.meta.last_page;
    }
    return items;
  };
  const names = new Map<string, unknown>();
  /** The slug or username in the file at a path. */
  const nameAt = (path: string) => {
    if (!names.has(path)) {
      const { data }: { data: Item } = JSON.parse(textAt(tree, path));
      names.set(path, data.slug ?? data.username);
    }
    return names.get(path);
  };
  const expectLinks = ({ path, at, links, data }: ListFile) =>
    expectSame(
      `the items that ${path} links to`,
      links.items.map((link) => nameAt(at(link))),
      data.items.map(({ slug, username }) => slug ?? username),
    );
  /** A list of articles: its items forwards and backwards, its numbers, and where its links lead. */
  const list = async (newest: string, query: string) => {
    const files = filesOfList(tree, newest);
    const items = await itemsOf(query);
    const itemsIn = (some: readonly ListFile[]) => some.flatMap(({ data }) => data.items);
    expectSame(newest, itemsIn(files), items);
    const backwards = filesOfList(tree, files.at(-1)?.path ?? newest, 'prev');
    const oldestFirst = backwards.flatMap(({ data }) => data.items.toReversed());
    expectSame(`${newest} backwards`, oldestFirst, await itemsOf(`${query}sort=old&`));
    for (const [i, file] of files.entries()) {
      expectLinks(file);
      expectSame(`the first of ${file.path}`, file.at(file.links.first), newest);
      expectSame(`the last of ${file.path}`, file.at(file.links.last), files.at(-1)?.path);
      const meta = { page: 1, per_page: perPage, last_page: files.length, total: items.length };
      expectSame(`the numbers of ${file.path}`, file.data.meta, i === 0 ? meta : undefined);
      const { length } = file.data.items;
      const isFit =
        i === 0 ? length >= Math.min(items.length, perPage) && length < 2 * perPage : length === perPage;
      if (!isFit) faults.push(`${file.path} has ${length} items`);
    }
  };
  const { links }: { links: Record<string, string> } = JSON.parse(textAt(tree, 'v1/index.json'));
  const from = (name: string) => resolve('v1/index.json', links[name] ?? '');
  await list(from('posts'), '/posts?');
  for (const { at, data, links } of filesOfList(tree, from('posts')))
    for (const [i, { slug }] of data.items.entries())
      await same(at(links.items[i] ?? ''), `/posts/${encodeURIComponent(slug)}`);
  const popular = filesOfList(tree, from('popular_posts'))[0]!;
  expectLinks(popular);
  expectSame(popular.path, popular.data.items, await itemsOf('/posts?sort=popular&', 1));
  const authors = filesOfList(tree, from('authors'))[0]!;
  expectLinks(authors);
  expectSame(authors.path, authors.data.items, await itemsOf('/authors?'));
  for (const [i, { username }] of authors.data.items.entries()) {
    const path = authors.at(authors.links.items[i] ?? '');
    const name = encodeURIComponent(username);
    await same(path, `/authors/${name}`);
    const author: { links: { posts: string } } = JSON.parse(textAt(tree, path));
    await list(resolve(path, author.links.posts), `/posts?author=${name}&`);
  }
  for (const [kind, filter] of [
    ['categories', 'category'],
    ['tags', 'tag.any'],
  ] as const) {
    await same(from(kind), `/${kind}`);
    const terms: { data: { slug: string }[]; links: { items: string[] } } = JSON.parse(
      textAt(tree, from(kind)),
    );
    for (const [i, { slug }] of terms.data.entries()) {
      // `tag.any` would split it.
      const parameter = slug.includes(',') ? filter.replace('.any', '') : filter;
      const newest = resolve(from(kind), terms.links.items[i] ?? '');
      await list(newest, `/posts?${parameter}=${encodeURIComponent(slug)}&`);
    }
  }
  return { faults, compared };
}
