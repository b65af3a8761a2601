/** The blog from the API, as the pages of a site need it. */
import { createClient, OffprintError } from 'offprint-client';
import { syncFolder } from 'offprint-client/files';
import { addressOf, pathsOf } from './paths.js';

/** @import { WholePost } from 'offprint-client' */
/** @import { FolderCopy } from 'offprint-client/files' */
/** @import { Kind } from './paths.js' */
/** @typedef {{ kind: Kind, name: string, address: string }} Group */
/** @typedef {WholePost & { updated_at?: string | null, former_slugs?: string[] }} Post older versions of the API lack both */

/**
 * The whole blog. With a copy in a folder, each build requests only changes since the last one.
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
    const blog = await syncFolder(client, folder);
    console.log(`Read the blog: ${blog.articles.size} articles, ${requests} requests.`);
    return arranged(blog);
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
 * The articles, newest first; a group for each category, tag, author and year; and where articles have moved from.
 *
 * @param {FolderCopy} blog
 */
function arranged({ site, articles: bySlug, categories, tags, authors }) {
  const pathOf = pathsOf([...bySlug.keys()]);
  const articles = /** @type {Post[]} */ ([...bySlug.values()])
    .sort((a, b) => Date.parse(b.published_at) - Date.parse(a.published_at) || (a.slug < b.slug ? 1 : -1))
    .map((post) => {
      const path = pathOf(post.slug);
      // Wide tables scroll, by keyboard too.
      const content = post.content.replaceAll('<table', '<table tabindex="0"');
      const groups = /** @type {Group[]} */ ([]);
      return { ...post, content, path, address: addressOf('posts', path), updated: updatedOf(post), groups };
    });

  /**
   * @param {Kind} kind
   * @param {{ slug: string, name: string }[]} list
   * @param {(post: Post, record: { slug: string, name: string }) => boolean} isOf
   */
  function groupsOf(kind, list, isOf) {
    const pathOf = pathsOf(list.map(({ slug }) => slug));
    return list.map((record) => {
      const path = pathOf(record.slug);
      const group = { kind, name: record.name, address: addressOf(kind, path) };
      const own = articles.filter((post) => isOf(post, record));
      if (kind !== 'years') for (const article of own) article.groups.push(group);
      return { ...group, path, articles: own };
    });
  }
  const years = [...new Set(articles.map(yearOf))].map((year) => ({ slug: year, name: year }));
  const people = authors.map(({ username, name }) => ({ slug: username, name }));
  const groups = [
    ...groupsOf('categories', categories, ({ category }, { slug }) => category?.slug === slug),
    ...groupsOf('tags', tags, (post, { name }) => post.tags.includes(name)),
    ...groupsOf('authors', people, ({ author }, { slug }) => author?.username === slug),
    ...groupsOf('years', years, (post, { slug }) => yearOf(post) === slug),
  ];
  return { site, articles: withNeighbours(articles), groups, moves: movesOf(articles) };
}

/** The year of publication in UTC. */
const yearOf = (/** @type {Post} */ { published_at }) => String(new Date(published_at).getUTCFullYear());

/** When the article was last changed, if that was on a later day than its publication; else null. */
function updatedOf(/** @type {Post} */ { published_at, updated_at }) {
  const dayOf = (/** @type {string} */ time) => new Date(time).toISOString().slice(0, 10);
  return updated_at && dayOf(updated_at) > dayOf(published_at) ? updated_at : null;
}

/**
 * Adds to each article the one before and the one after it; null at the ends.
 *
 * @template {{ title: string, address: string }} Article
 * @param {Article[]} articles newest first
 */
function withNeighbours(articles) {
  const linkTo = (/** @type {Article | undefined} */ article) =>
    article ? { title: article.title, address: article.address } : null;
  return articles.map((article, i) => ({
    ...article,
    ...{ previous: linkTo(articles[i + 1]), next: linkTo(articles[i - 1]) },
  }));
}

/**
 * Where articles had their pages under former slugs, unless another page is there now.
 *
 * @param {{ path: string, address: string, former_slugs?: string[] }[]} articles
 */
function movesOf(articles) {
  const taken = new Set(articles.map(({ path }) => path.toLowerCase()));
  return articles.flatMap(({ address, former_slugs = [] }) =>
    former_slugs.flatMap((slug) => {
      const path = pathsOf([slug])(slug);
      if (taken.has(path.toLowerCase())) return [];
      taken.add(path.toLowerCase());
      return [{ path, address }];
    }),
  );
}
