/**
 * Puts an article's HTML into the page safely, whatever it contains. The API has sanitised it, but this module does
 * not rely on that:
 *
 * 1. DOMParser makes an inert document: no script runs in it and nothing is loaded.
 * 2. The article is rebuilt from the elements and attributes listed here. Other elements are dropped, and
 *    their text is kept.
 * 3. This is the only place where a string becomes HTML. The page's policy (trusted-types) forbids it
 *    elsewhere, and only runs scripts that are files of this folder.
 *
 * Images load only from the hosts in the settings. Other images, players and frames become links, so that third
 * parties do not learn who reads an article.
 */
import { element } from './element.js';

const ELEMENTS = new Set(
  (
    'h1 h2 h3 h4 h5 h6 p br hr wbr div section aside address blockquote details summary figure figcaption ' +
    'ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr th td ' +
    'a abbr b bdi bdo cite code data del dfn em i ins kbd mark pre q ruby rp rt s samp small span strong ' +
    'sub sup time u var img audio video iframe'
  ).split(' '),
);

/** Elements whose content is dropped too. */
const WITHOUT_TEXT = new Set(
  'script style noscript template title object svg math textarea select'.split(' '),
);

/** @type {Record<string, string[]>} */
const ATTRIBUTES = {
  '*': ['id', 'title', 'lang', 'dir', 'role', 'aria-label', 'aria-hidden', 'aria-describedby'],
  a: ['href'],
  col: ['span'],
  data: ['value'],
  del: ['datetime'],
  details: ['open'],
  img: ['alt', 'width', 'height'],
  ins: ['datetime'],
  li: ['value'],
  ol: ['start', 'reversed', 'type'],
  td: ['colspan', 'rowspan', 'headers'],
  th: ['colspan', 'rowspan', 'headers', 'scope'],
  time: ['datetime'],
};

/** Prefix of the article's ids, so that they cannot equal ids of the page. */
const OWN = 'in-article-';

/** @typedef {{ createPolicy(name: string, policy: Policy): Policy }} TrustedTypes */
/** @typedef {{ createHTML(html: string): string }} Policy */

/** @type {typeof globalThis & { trustedTypes?: TrustedTypes }} */
const { trustedTypes } = globalThis;
const policy = trustedTypes?.createPolicy('article', { createHTML: (html) => html });

/**
 * @param {string} html
 * @param {readonly string[]} images origins from which images may be loaded
 * @returns {HTMLElement}
 */
export function articleHtml(html, images) {
  // The policy would refuse and report a style attribute as soon as it is parsed.
  const quiet = html.replace(/(<[a-z][^>]*?\s)style=/gi, '$1data-style=');
  const parsed = new DOMParser().parseFromString(policy?.createHTML(quiet) ?? quiet, 'text/html');
  const made = element('div', { class: 'prose', dir: 'auto' });
  // The page already has an h1: the article's title.
  const lower = parsed.body.querySelector('h1') ? 1 : 0;
  made.append(...build(parsed.body, { images, lower }));
  return made;
}

/**
 * @param {Node} parent
 * @param {{ images: readonly string[], lower: number }} options
 * @returns {Node[]}
 */
function build(parent, options) {
  return [...parent.childNodes].flatMap((node) => {
    if (node.nodeType === Node.TEXT_NODE) return [document.createTextNode(node.nodeValue ?? '')];
    if (!(node instanceof Element)) return [];
    const name = node.localName;
    if (WITHOUT_TEXT.has(name)) return [];
    if (!ELEMENTS.has(name)) return build(node, options);
    if (name === 'img') return [image(node, options.images)];
    if (name === 'iframe' || name === 'audio' || name === 'video') return media(node);

    const level = /^h([1-6])$/.exec(name)?.[1];
    const made = document.createElement(level ? `h${Math.min(6, Number(level) + options.lower)}` : name);
    copyAttributes(node, made);
    made.append(...build(node, options));
    return [scrollable(made)];
  });
}

/**
 * @param {Element} from
 * @param {HTMLElement} to
 */
function copyAttributes(from, to) {
  for (const name of [...(ATTRIBUTES['*'] ?? []), ...(ATTRIBUTES[from.localName] ?? [])]) {
    const value = from.getAttribute(name);
    if (value === null) continue;
    if (name === 'href') setAddress(to, value);
    else if (name === 'id') to.id = OWN + value;
    else if (name === 'headers' || name === 'aria-describedby')
      to.setAttribute(
        name,
        value
          .split(/\s+/)
          .map((id) => OWN + id)
          .join(' '),
      );
    else to.setAttribute(name, value);
  }
  const align = /text-align:\s*(left|right|center|start|end)/.exec(
    from.getAttribute('data-style') ?? '',
  )?.[1];
  if (align) to.style.textAlign = align;
}

/**
 * @param {HTMLElement} link
 * @param {string} href
 */
function setAddress(link, href) {
  if (href.startsWith('#')) {
    // Relative to this page, so that the link stays on the article.
    link.setAttribute('href', `${location.search}#${OWN}${href.slice(1)}`);
    return;
  }
  const url = webAddress(href, ['http:', 'https:', 'mailto:', 'tel:']);
  if (!url) return;
  link.setAttribute('href', url.href);
  link.setAttribute('rel', 'noopener noreferrer');
}

/**
 * @param {Element} from
 * @param {readonly string[]} images
 */
function image(from, images) {
  const src = from.getAttribute('src') ?? '';
  const alt = from.getAttribute('alt') ?? '';
  const url = webAddress(src, ['http:', 'https:']);
  if (!/^data:image\//i.test(src) && !(url && images.includes(url.origin))) {
    if (!url) return document.createTextNode(alt);
    const message = alt === '' ? `Image on ${url.host}` : `Image: ${alt} (on ${url.host})`;
    // Links cannot be nested, so the image's own address is not linked.
    if (from.closest('a')) return element('span', { class: 'elsewhere' }, message);
    return element('a', { class: 'elsewhere', href: url.href, rel: 'noopener noreferrer' }, message);
  }
  const made = element('img', { alt, loading: 'lazy', decoding: 'async' });
  copyAttributes(from, made);
  made.src = url?.href ?? src;
  return made;
}

/** @param {Element} from */
function media(from) {
  const src = from.getAttribute('src') ?? from.querySelector('source')?.getAttribute('src') ?? '';
  const url = webAddress(src, ['http:', 'https:']);
  if (!url) return [];
  const kind =
    from.localName === 'iframe' ? 'To be seen or heard' : from.localName === 'video' ? 'Video' : 'Recording';
  const message = `${from.getAttribute('title') ?? kind} (on ${url.host})`;
  return [element('a', { class: 'elsewhere', href: url.href, rel: 'noopener noreferrer' }, message)];
}

/**
 * Makes an element that may be wider than the page scrollable, also by keyboard.
 *
 * @param {HTMLElement} made
 */
function scrollable(made) {
  if (made.localName === 'pre') {
    for (const [name, value] of [
      ['tabindex', '0'],
      ['role', 'group'],
      ['aria-label', 'Code'],
      ['dir', 'ltr'],
    ])
      made.setAttribute(name ?? '', value ?? '');
    return made;
  }
  if (made.localName !== 'table') return made;
  return element('div', { class: 'wide', tabindex: 0, role: 'group', 'aria-label': 'Table' }, made);
}

/**
 * @param {string} text
 * @param {string[]} schemes
 */
function webAddress(text, schemes) {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return schemes.includes(url.protocol) ? url : null;
}
