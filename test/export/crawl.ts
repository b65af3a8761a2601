import { PREFIX } from '../../contract/api.ts';
import { send } from '../service/client.ts';

/** The texts of a tree's files by their path in it, as a client finds them. */
export type Crawled = ReadonlyMap<string, string>;

/**
 * Reads a tree by following links alone. It uses nothing from outside, so that a browser can run it too.
 *
 * @param home the address of the tree, with a slash at the end
 * @returns path and text of each file; a text of `STATUS 404` where there is none
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
 * Compares a tree with a gateway that serves the same snapshot: everything that the gateway answers, found in the tree
 * by its links, must have the same `data`.
 *
 * @returns what differs, and how many answers were compared
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

  /** The answer at a path of the tree, which must begin as the gateway's does: what follows `data` is links. */
  const same = async (path: string, target: string): Promise<Envelope> => {
    const { status, text } = await send(gateway, { path: PREFIX + target });
    compared += 1;
    const isSame =
      status === 200 && (textAt(path) === text || textAt(path).startsWith(`${text.slice(0, -1)},"links":{`));
    if (!isSame) faults.push(`${path} is not ${target} (${status}): ${textAt(path).slice(0, 200)}`);
    return JSON.parse(text);
  };
  /** All pages of a list, forwards; each must lead back. */
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
