/** One article. What the list has told of it is shown at once, the text when it comes. */
import { articleHtml } from './article-html.js';
import { listAddress } from './address.js';
import { element } from './element.js';
import { formatDay } from './format.js';
import { tagList } from './list.js';

/** @typedef {import('./api.js').Article} Article */

/**
 * @param {import('./reader.js').Stage} stage
 * @param {string} slug
 */
export async function showArticle({ api, signal, show, settings, seen, listUrl }, slug) {
  const name = `article ${slug}`;
  const summary = seen.get(slug);

  /** @param {Article} article */
  const whole = ({ title, content, tags, published_at }) => ({
    title,
    said: null,
    content: [
      back(listUrl),
      element(
        'article',
        { class: 'article' },
        head({ title, published_at, summary }),
        articleHtml(content, settings.images),
        element(
          'footer',
          { class: 'end' },
          tags.length > 0 && tagList(tags),
          summary && element('p', {}, element('a', { href: summary.url }, `On ${new URL(summary.url).host}`)),
        ),
      ),
    ],
  });

  /** @type {Article | undefined} */
  const known = api.known(name);
  if (known) show(whole(known));
  else show(null, skeleton(summary, listUrl));

  const article = await api.get(name, (blog) => blog.post(slug, { signal }));
  if (article !== known) show(whole(article));
}

/** @param {string} listUrl */
function back(listUrl) {
  return element('p', { class: 'back' }, element('a', { href: listUrl }, 'All articles'));
}

/** @param {{ title: string, published_at: string, summary: import('./api.js').Summary | undefined }} article */
function head({ title, published_at, summary }) {
  const { author = null, category = null, description = null } = summary ?? {};
  return element(
    'header',
    { class: 'head' },
    element('h1', { tabindex: -1, dir: 'auto' }, title),
    element(
      'p',
      { class: 'meta' },
      element('time', { datetime: published_at }, formatDay(published_at)),
      author && element('a', { href: listAddress({ author: author.username }), dir: 'auto' }, author.name),
      category &&
        element('a', { href: listAddress({ category: category.slug }), dir: 'auto' }, category.name),
    ),
    description !== null && element('p', { class: 'description', dir: 'auto' }, description),
  );
}

/**
 * @param {import('./api.js').Summary | undefined} summary
 * @param {string} listUrl
 */
function skeleton(summary, listUrl) {
  const lines = ['full', 'full', 'long', 'full', 'full', 'short', 'full', 'full', 'full', 'long'].map(
    (width) => element('span', { class: `line ${width}`, 'aria-hidden': true }),
  );
  return [
    back(listUrl),
    element(
      'div',
      { class: 'article' },
      summary ? head({ ...summary, summary }) : element('span', { class: 'line title', 'aria-hidden': true }),
      element('div', { class: 'prose' }, ...lines),
    ),
  ];
}
