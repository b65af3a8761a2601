/** A copy of the blog in a folder: a file for each article, and one for the place that the copy has reached. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** @import { Store, WholePost } from 'offprint-client' */

/**
 * A store for `sync` of the client.
 *
 * @param {string} folder made if it does not exist
 * @returns {Promise<Store & { articles: ReadonlyMap<string, WholePost> }>} with the articles by slug
 */
export async function openStore(folder) {
  const [files, state] = [join(folder, 'articles'), join(folder, 'state.json')];
  await mkdir(files, { recursive: true });
  /** @type {Map<string, WholePost>} */
  const articles = new Map();
  for (const name of await readdir(files)) {
    if (!name.endsWith('.json')) continue;
    /** @type {WholePost | undefined} */
    const article = await readJson(join(files, name));
    if (article) articles.set(article.slug, article);
  }
  /** @param {string} slug */
  const fileOf = (slug) =>
    join(files, `${createHash('sha256').update(slug).digest('hex').slice(0, 32)}.json`);
  return {
    articles,
    load: () => readJson(state),
    save: (value) => writeJson(state, value),
    put: async (article) => {
      articles.set(article.slug, article);
      await writeJson(fileOf(article.slug), article);
    },
    delete: async (slug) => {
      articles.delete(slug);
      await rm(fileOf(slug), { force: true });
    },
    slugs: () => articles.keys(),
  };
}

/**
 * What `writeJson` wrote; undefined if there is no file.
 *
 * @template T
 * @param {string} path
 * @returns {Promise<T | undefined>}
 */
export async function readJson(path) {
  try {
    return /** @type {T} */ (JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Replaces a file in one step, so that a build that is interrupted leaves none half written.
 *
 * @param {string} path
 * @param {unknown} value
 */
export async function writeJson(path, value) {
  await writeFile(`${path}.new`, JSON.stringify(value));
  await rename(`${path}.new`, path);
}
