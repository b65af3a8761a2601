/**
 * A page of articles: all, the results of a search or filter, or the articles of an author.
 */
import { articleAddress, listAddress } from './address.js';
import { CONFIG } from './config.js';
import { element } from './element.js';
import { counted, formatDay, formatNumber } from './format.js';
import { OffprintError } from './offprint-client.js';

/** @typedef {import('./api.js').Summary} Summary */
/** @typedef {import('./api.js').Author} Author */
/** @typedef {import('./address.js').ListQuery} ListQuery */

/**
 * @param {import('./reader.js').Stage} stage
 * @param {ListQuery} query
 */
export async function showList({ api, signal, show, settings, seen }, query) {
  const name = `list ${JSON.stringify(query)}`;
  const authorName = `author ${query.author}`;
  // Invalid values are sent too: the API explains what is wrong.
  const asked = /** @type {import('./offprint-client.js').PostsPage} */ ({
    ...query,
    ...(query.page && { page: Number(query.page) }),
    per_page: CONFIG.perPage,
  });

  /**
   * @param {import('./offprint-client.js').Page<Summary>} list
   * @param {Author | null} author
   */
  function page({ items, meta }, author) {
    for (const summary of items) seen.set(summary.slug, summary);
    const place =
      meta.last_page > 1 ? `, page ${formatNumber(meta.page)} of ${formatNumber(meta.last_page)}` : '';
    const head = heading(query, author, items[0], settings.images);
    return {
      title: head.title,
      announcement: counted(meta.total, 'article') + place,
      content: [
        element(
          'header',
          { class: 'head' },
          ...head.content,
          element('p', { class: 'count' }, counted(meta.total, 'article') + place),
        ),
        items.length === 0
          ? nothing(query, meta.last_page)
          : element(
              'ol',
              { class: 'posts', role: 'list' },
              ...items.map((item) => row(item, settings.images)),
            ),
        meta.last_page > 1 && pager(query, meta.page, meta.last_page),
      ],
    };
  }

  /** @type {import('./offprint-client.js').Page<Summary> | undefined} */
  const known = api.known(name);
  /** @type {Author | undefined} */
  const knownAuthor = query.author === undefined ? undefined : api.known(authorName);
  if (known) show(page(known, knownAuthor ?? null));
  else show(null, skeleton(query));

  const askedList = api.get(name, (blog) => blog.posts(asked, { signal }));
  const { author: username } = query;
  const askedAuthor =
    username === undefined ? null : api.get(authorName, (blog) => blog.author(username, { signal }));
  const [list, author] = await Promise.all([askedList, askedAuthor?.catch(withoutAuthor) ?? null]);
  if (list !== known || (author ?? undefined) !== knownAuthor) show(page(list, author));
}

/**
 * Hides the error for an author without articles, or one that the key may not see: the list is enough.
 *
 * @param {unknown} error
 */
function withoutAuthor(error) {
  if (error instanceof OffprintError && (error.status === 404 || error.status === 403)) return null;
  throw error;
}

/**
 * @param {ListQuery} query
 * @param {Author | null} author
 * @param {Summary | undefined} first the first article; it has the names of the filtered category and author
 * @param {readonly string[]} images
 */
function heading({ q, category, tag }, author, first, images) {
  const hyphened = (/** @type {string} */ name) => name.toLowerCase().replaceAll(' ', '-');
  const tagName = tag && (first?.tags.find((name) => hyphened(name) === hyphened(tag)) ?? tag);
  const categoryName = category && (first?.category?.name ?? category);
  const title = q ? `Search: ${q}` : (author?.name ?? tagName ?? categoryName ?? 'All articles');
  const h1 = element('h1', { tabindex: -1, dir: 'auto' }, title);
  if (!author || q) return { title, content: [h1] };
  return {
    title,
    content: [element('div', { class: 'author' }, picture(author.avatar, images, 'avatar', author.name), h1)],
  };
}

/**
 * @param {Summary} summary
 * @param {readonly string[]} images
 */
function row({ slug, title, description, cover, views, category, author, tags, published_at }, images) {
  return element(
    'li',
    {},
    element(
      'article',
      { class: 'post', dir: 'auto' },
      element('h2', { dir: 'auto' }, element('a', { href: articleAddress(slug) }, title)),
      category && categoryLink(category),
      description !== null && element('p', { class: 'description', dir: 'auto' }, description),
      tags.length > 0 && tagList(tags),
      element(
        'p',
        { class: 'meta' },
        author && element('a', { href: listAddress({ author: author.username }), dir: 'auto' }, author.name),
        element('time', { datetime: published_at }, formatDay(published_at)),
        views > 0 && element('span', {}, counted(views, 'read')),
      ),
      picture(cover, images, 'cover', title),
    ),
  );
}

/** @param {NonNullable<Summary['category']>} category */
export function categoryLink({ slug, name }) {
  return element(
    'p',
    { class: 'category' },
    element('a', { href: listAddress({ category: slug }), dir: 'auto' }, name),
  );
}

/** @param {readonly string[]} tags */
export function tagList(tags) {
  return element(
    'ul',
    { class: 'tags', role: 'list', 'aria-label': 'Tags' },
    ...tags.map((tag) => element('li', {}, element('a', { href: listAddress({ tag }), dir: 'auto' }, tag))),
  );
}

/**
 * An image if its origin is allowed, else a tile with the first letter. Both have the same size, and are hidden from
 * screen readers.
 *
 * @param {string | null} address
 * @param {readonly string[]} images
 * @param {'cover' | 'avatar'} kind
 * @param {string} name
 */
export function picture(address, images, kind, name) {
  const letter = [...new Intl.Segmenter().segment(name)].find(({ segment }) =>
    /[\p{L}\p{N}]/u.test(segment),
  )?.segment;
  const tile = element('span', { class: `${kind} tile`, 'aria-hidden': true }, letter ?? '¶');
  tile.style.setProperty(
    '--hue',
    String([...name].reduce((sum, c) => (sum * 31 + (c.codePointAt(0) ?? 0)) % 360, 7)),
  );
  if (address === null || !mayLoad(address, images)) return tile;
  const image = element('img', { src: address, alt: '', loading: 'lazy', decoding: 'async', class: kind });
  image.addEventListener('error', () => image.replaceWith(tile));
  return image;
}

/**
 * @param {string} address
 * @param {readonly string[]} images origins from which images may be loaded
 */
export function mayLoad(address, images) {
  return URL.canParse(address) && images.includes(new URL(address).origin);
}

/**
 * @param {ListQuery} query
 * @param {number} lastPage
 */
function nothing(query, lastPage) {
  const { page = '1', ...rest } = query;
  const all = (/** @type {string} */ href, /** @type {string} */ label) =>
    element('p', { class: 'buttons' }, element('a', { href, class: 'button' }, label));
  const words =
    Number(page) > lastPage
      ? [
          'There are fewer pages',
          'Articles may have been removed.',
          all(listAddress(rest), 'To the first page'),
        ]
      : Object.keys(rest).some((name) => name !== 'sort')
        ? ['Nothing was found', 'Try other words, or fewer filters.', all('./', 'Show all articles')]
        : ['No articles yet', 'They appear here when the blog publishes them.'];
  const [title, text, action] = words;
  return element('div', { class: 'notice' }, element('h2', {}, title), element('p', {}, text), action);
}

/**
 * @param {ListQuery} query
 * @param {number} page
 * @param {number} last
 */
function pager(query, page, last) {
  const shown = [...new Set([1, page - 1, page, page + 1, last])].filter((n) => n >= 1 && n <= last);
  const to = (/** @type {number} */ n) => listAddress({ ...query, page: String(n) });
  const links = shown.flatMap((n, i) => {
    const gap = n - (shown[i - 1] ?? n) > 1 ? [element('li', { 'aria-hidden': true }, '…')] : [];
    const current = n === page ? 'page' : null;
    const label = `Page ${formatNumber(n)}`;
    return [
      ...gap,
      element(
        'li',
        {},
        element('a', { href: to(n), 'aria-current': current, 'aria-label': label }, formatNumber(n)),
      ),
    ];
  });
  return element(
    'nav',
    { class: 'pager', 'aria-label': 'Pages' },
    page > 1 && element('a', { href: to(Math.min(page - 1, last)), rel: 'prev' }, 'Previous'),
    element('ol', { role: 'list' }, ...links),
    page < last && element('a', { href: to(page + 1), rel: 'next' }, 'Next'),
  );
}

/**
 * A placeholder of about the height of a page, so that nothing moves when the articles arrive.
 *
 * @param {ListQuery} query
 */
function skeleton(query) {
  const line = (/** @type {string} */ width) => element('span', { class: `line ${width}` });
  const rows = Array.from({ length: CONFIG.perPage }, () =>
    element(
      'li',
      {},
      element(
        'div',
        { class: 'post' },
        element('span', { class: 'cover' }),
        line('long'),
        line('full'),
        line('short'),
      ),
    ),
  );
  return [
    element(
      'header',
      { class: 'head', 'aria-hidden': true },
      line('heading'),
      element('p', { class: 'loading' }, query.q ? 'Searching' : 'Loading'),
    ),
    element('ol', { class: 'posts', 'aria-hidden': true }, ...rows),
  ];
}
