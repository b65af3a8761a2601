/**
 * The page's address contains its whole state, so that links, reloads, back and forward work: `?post=SLUG` is an article,
 * anything else a list. No address needs support by the server.
 */

/** Parameters of a list, named as in the API. */
export const LIST_PARAMETERS = /** @type {const} */ (['category', 'tag', 'author', 'q', 'sort', 'page']);

/** @typedef {Partial<Record<typeof LIST_PARAMETERS[number], string>>} ListQuery */
/** @typedef {{ view: 'article', slug: string } | { view: 'list', query: ListQuery }} Place */

/**
 * @param {string | URL} url
 * @returns {Place}
 */
export function placeOf(url) {
  const { searchParams } = new URL(url, document.baseURI);
  const slug = searchParams.get('post');
  if (slug !== null) return { view: 'article', slug };
  /** @type {ListQuery} */
  const query = {};
  for (const name of LIST_PARAMETERS) {
    const value = searchParams.get(name)?.trim();
    if (value) query[name] = value;
  }
  return { view: 'list', query };
}

/** @param {string} slug */
export const articleAddress = (slug) => `?${new URLSearchParams({ post: slug })}`;

/**
 * @param {ListQuery} query
 * @returns {string} `./` for everything
 */
export function listAddress(query) {
  const given = LIST_PARAMETERS.flatMap((name) => {
    const value = query[name];
    return value && !(name === 'page' && value === '1') ? [[name, value]] : [];
  });
  return given.length === 0 ? './' : `?${new URLSearchParams(given)}`;
}
