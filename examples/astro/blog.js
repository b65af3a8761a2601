/** The blog from the API, as the pages of a site need it. */
import { join } from 'node:path';
import { createClient, OffprintError } from 'offprint-client';
import { addressOf, pathsOf } from './paths.js';
import { openStore, readJson, writeJson } from './store.js';

/** @import { Author, Category, Client, Tag, WholePost } from 'offprint-client' */
/** @typedef {{ categories: Category[], tags: Tag[], authors: Author[] }} Lists */
/** @typedef {{ kind: keyof Lists, name: string, address: string }} Group */

/**
 * The whole blog. A copy in a folder lets each build ask only for what changed since the one before.
 *
 * @param {object} options
 * @param {string} options.url the address of the service, such as https://api.example.org
 * @param {string | undefined} options.key an API key; without one, the limits of this machine's address apply
 * @param {string} options.folder keeps the copy; if it is lost, the next build reads the whole blog again
 * @throws {Error} if a limit of the API is reached; what was read is kept, and the next build continues there
 */
export async function readBlog({ url, key, folder }) {
  let requests = 0;
  const client = createClient({
    url,
    key: key || undefined,
    fetch: (...call) => {
      requests += 1;
      return fetch(...call);
    },
  });
  try {
    const store = await openStore(folder);
    const { lists } = await client.sync(store);
    const all = await readLists(client, lists, join(folder, 'lists.json'));
    console.log(`Read the blog: ${store.articles.size} articles, ${requests} requests.`);
    return arranged([...store.articles.values()], all);
  } catch (error) {
    if (!(error instanceof OffprintError) || error.status !== 429) throw error;
    const time = new Date(Date.now() + (error.retryAfter ?? 0) * 1000).toISOString();
    throw new Error(
      `The API's limit of requests is reached. Build again after ${time}: the build continues where it stopped.`,
      { cause: error },
    );
  }
}

/**
 * The blog's name and its lists; only lists that changed are read again. A list that could not be read is missing in the
 * file, so that the next build reads it.
 *
 * @param {Client} client
 * @param {Record<keyof Lists, boolean>} changed
 * @param {string} file
 */
async function readLists(client, changed, file) {
  /** @type {Partial<Lists>} */
  const kept = (await readJson(file)) ?? {};
  if (changed.categories) delete kept.categories;
  if (changed.tags) delete kept.tags;
  if (changed.authors) delete kept.authors;
  await writeJson(file, kept);
  const { site } = await client.overview();
  const categories = kept.categories ?? (await client.categories());
  const tags = kept.tags ?? (await client.tags());
  const authors = kept.authors ?? (await Array.fromAsync(client.eachAuthor()));
  await writeJson(file, { categories, tags, authors });
  return { site, categories, tags, authors };
}

/**
 * The articles, newest first, and a group for each category, tag and author.
 *
 * @param {WholePost[]} posts
 * @param {Lists & { site: { name: string, url: string } }} lists
 */
function arranged(posts, { site, categories, tags, authors }) {
  const pathOf = pathsOf(posts.map(({ slug }) => slug));
  const articles = posts
    .sort((a, b) => Date.parse(b.published_at) - Date.parse(a.published_at) || (a.slug < b.slug ? -1 : 1))
    .map((post) => {
      const path = pathOf(post.slug);
      // Wide tables scroll, by keyboard too.
      const content = post.content.replaceAll('<table', '<table tabindex="0"');
      const groups = /** @type {Group[]} */ ([]);
      return { ...post, content, path, address: addressOf('posts', path), groups };
    });

  /**
   * @param {keyof Lists} kind
   * @param {{ slug: string, name: string }[]} list
   * @param {(post: WholePost, record: { slug: string, name: string }) => boolean} isOf
   */
  function groupsOf(kind, list, isOf) {
    const pathOf = pathsOf(list.map(({ slug }) => slug));
    return list.map((record) => {
      const path = pathOf(record.slug);
      const group = { kind, name: record.name, address: addressOf(kind, path) };
      const own = articles.filter((post) => isOf(post, record));
      for (const article of own) article.groups.push(group);
      return { ...group, path, articles: own };
    });
  }
  const people = authors.map(({ username, name }) => ({ slug: username, name }));
  const groups = [
    ...groupsOf('categories', categories, ({ category }, { slug }) => category?.slug === slug),
    ...groupsOf('tags', tags, (post, { name }) => post.tags.includes(name)),
    ...groupsOf('authors', people, ({ author }, { slug }) => author?.username === slug),
  ];
  return { site, articles, groups };
}
