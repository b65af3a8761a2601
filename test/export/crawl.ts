import { PREFIX } from '../../contract/api.ts';
import { send } from '../service/client.ts';

/** The texts of exported files by path, as a client finds them. */
export type Crawled = ReadonlyMap<string, string>;

/**
 * Reads exported files by following links. Self-contained, so that a browser can run it too.
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

interface Envelope {
  readonly data: {
    readonly items: readonly { readonly slug: string; readonly username: string }[];
    readonly meta: { readonly last_page: number };
  };
  readonly links: {
    readonly next: string | null;
    readonly prev: string | null;
    readonly items: readonly string[];
  };
}

/**
 * Compares exported files with a gateway that serves the same snapshot. Every answer of the gateway must have the
 * same `data` in the file that the links lead to.
 *
 * @returns the differences, and the number of compared answers
 */
export async function compareWithGateway(
  gateway: string,
  tree: Crawled,
  perPage: number,
): Promise<{ readonly faults: readonly string[]; readonly compared: number }> {
  const faults: string[] = [];
  let compared = 0;
  const textAt = (path: string) => tree.get(path) ?? 'nothing';
  const resolve = (from: string, link: string) => new URL(link, `http://tree/${from}`).pathname.slice(1);

  /** The answer in an exported file. It must start like the gateway's; after `data` it has links. */
  const same = async (path: string, target: string): Promise<Envelope> => {
    const { status, text } = await send(gateway, { path: PREFIX + target });
    compared += 1;
    const isSame =
      status === 200 && (textAt(path) === text || textAt(path).startsWith(`${text.slice(0, -1)},"links":{`));
    if (!isSame) faults.push(`${path} is not ${target} (${status}): ${textAt(path).slice(0, 200)}`);
    return JSON.parse(text);
  };
  /** All pages of a list, in order; each must link back. */
  const list = async (
    first: string,
    query: string,
    each: (item: Envelope['data']['items'][number], path: string) => Promise<void>,
  ) => {
    let path: string | null = first;
    let before: string | null = null;
    let page = 0;
    while (path !== null) {
      page += 1;
      const { data } = await same(path, `${query}per_page=${perPage}&page=${page}`);
      const { links }: Envelope = JSON.parse(textAt(path));
      if ((links.prev === null ? null : resolve(path, links.prev)) !== before)
        faults.push(`${path} has another page before`);
      if ((links.next === null) !== (page === data.meta.last_page)) faults.push(`${path} ends at ${page}`);
      for (const [i, item] of data.items.entries()) await each(item, resolve(path, links.items[i] ?? ''));
      before = path;
      path = links.next === null ? null : resolve(path, links.next);
    }
  };

  const { links }: { links: Record<string, string> } = JSON.parse(textAt('v1/index.json'));
  const from = (name: string) => resolve('v1/index.json', links[name] ?? '');
  const ignore = () => Promise.resolve();
  await list(from('posts'), '/posts?', async ({ slug }, path) => {
    await same(path, `/posts/${encodeURIComponent(slug)}`);
  });
  await list(from('oldest_posts'), '/posts?sort=old&', ignore);
  await list(from('popular_posts'), '/posts?sort=popular&', ignore);
  await list(from('authors'), '/authors?', async ({ username }, path) => {
    const name = encodeURIComponent(username);
    await same(path, `/authors/${name}`);
    const author: { links: { posts: string } } = JSON.parse(textAt(path));
    await list(resolve(path, author.links.posts), `/posts?author=${name}&`, ignore);
  });
  for (const [kind, filter] of [
    ['categories', 'category'],
    ['tags', 'tag'],
  ] as const) {
    await same(from(kind), `/${kind}`);
    const terms: { data: { slug: string }[]; links: { items: string[] } } = JSON.parse(textAt(from(kind)));
    for (const [i, { slug }] of terms.data.entries()) {
      const path = resolve(from(kind), terms.links.items[i] ?? '');
      await list(path, `/posts?${filter}=${encodeURIComponent(slug)}&`, ignore);
    }
  }
  return { faults, compared };
}
