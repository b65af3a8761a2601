/** One article. Fields known from a list are shown at once, the rest after the response. */
import { articleHtml } from './article-html.js';
import { listAddress } from './address.js';
import { element } from './element.js';
import { formatDay } from './format.js';
import { categoryLink, mayLoad, picture, tagList } from './list.js';

/** @typedef {import('./api.js').Article} Article */
/** @typedef {import('./api.js').Summary} Summary */

/**
 * @param {import('./reader.js').Stage} stage
 * @param {string} slug
 */
export async function showArticle({ api, signal, show, settings, seen, listUrl }, slug) {
  const name = `article ${slug}`;
  const summary = seen.get(slug);

  /** @param {Article} article */
  const whole = (article) => ({
    title: article.title,
    announcement: null,
    content: [
      back(listUrl),
      element(
        'article',
        { class: 'article' },
        head(article, settings.images),
        articleHtml(article.content, settings.images),
        element(
          'footer',
          { class: 'end' },
          article.tags.length > 0 && tagList(article.tags),
          element('p', {}, element('a', { href: article.url }, `On ${new URL(article.url).host}`)),
        ),
      ),
    ],
  });

  /** @type {Article | undefined} */
  const known = api.known(name);
  if (known) show(whole(known));
  else show(null, skeleton(summary, listUrl, settings.images));

  const article = await api.get(name, (blog) => blog.post(slug, { include: ['summary'], signal }));
  if (article !== known) show(whole(article));
}

/** @param {string} listUrl */
function back(listUrl) {
  return element('p', { class: 'back' }, element('a', { href: listUrl }, 'All articles'));
}

/**
 * @param {Summary | Article} article
 * @param {readonly string[]} images
 */
function head({ title, description, category, author, cover, published_at }, images) {
  return element(
    'header',
    { class: 'head' },
    category && categoryLink(category),
    element('h1', { tabindex: -1, dir: 'auto' }, title),
    description !== null && element('p', { class: 'description', dir: 'auto' }, description),
    element(
      'p',
      { class: 'meta' },
      author && element('a', { href: listAddress({ author: author.username }), dir: 'auto' }, author.name),
      element('time', { datetime: published_at }, formatDay(published_at)),
    ),
    cover !== null && mayLoad(cover, images) && picture(cover, images, 'cover', title),
  );
}

/**
 * @param {Summary | undefined} summary
 * @param {string} listUrl
 * @param {readonly string[]} images
 */
function skeleton(summary, listUrl, images) {
  const lines = ['full', 'full', 'long', 'full', 'full', 'short', 'full', 'full', 'full', 'long'].map(
    (width) => element('span', { class: `line ${width}`, 'aria-hidden': true }),
  );
  return [
    back(listUrl),
    element(
      'div',
      { class: 'article' },
      summary ? head(summary, images) : element('span', { class: 'line title', 'aria-hidden': true }),
      element('div', { class: 'prose' }, ...lines),
    ),
  ];
}
