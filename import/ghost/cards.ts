import renderHtml from 'dom-serializer';
import { DomUtils } from 'htmlparser2';
import { PostUnreadable } from '../../common/content/errors.ts';
import { plainText } from '../../common/content/html-text.ts';
import {
  elementHtml,
  firstNamed,
  getAttribute,
  type HtmlElement,
  type HtmlNodes,
  parseHtml,
} from '../../common/content/html-tree.ts';
import { escapeHtml } from '../../common/content/text.ts';

/**
 * HTML that Ghost rendered, without the parts that need Ghost's own pages: buttons and sliders of players become plain
 * elements; subscription forms and members-only parts are removed. The rest is unchanged.
 */
export function cleanHtml(html: string): string {
  const shown = withoutGated(html);
  if (!/kg-(?:audio|bookmark|file|signup|toggle|video)-card|kg-product-card-rating/.test(shown)) return shown;
  try {
    return replaceAll(shown, parseHtml(shown));
  } catch (error) {
    if (!(error instanceof PostUnreadable)) throw error;
    return shown; // The build leaves it out, as it does any body of this kind.
  }
}

/** A gated part with its rule; without an end, all that follows. */
const GATED = /<!--\s*kg-gated-block:begin\b([^]*?)(?:-->([^]*?)(?:<!--\s*kg-gated-block:end\s*-->|$)|$)/g;

/** Ghost marks gated parts, and removes them for everybody else whenever it shows the post. */
function withoutGated(html: string): string {
  return html.replace(GATED, (_part, rule: string, content = '') =>
    /\bnonMember:\s*["']?true\b/.test(rule) ? String(content) : '',
  );
}

function replaceAll(html: string, nodes: HtmlNodes): string {
  let out = '';
  let at = 0;
  const cards = DomUtils.findAll((element) => findCard(element) !== undefined, nodes);
  for (const card of cards) {
    const { startIndex, endIndex } = card;
    // A nested card was removed with its parent.
    if (startIndex === null || endIndex === null || startIndex < at) continue;
    out += html.slice(at, startIndex) + (findCard(card)?.(card) ?? '');
    at = endIndex + 1;
  }
  return out + html.slice(at);
}

function findCard(element: HtmlElement): ((element: HtmlElement) => string) | undefined {
  const [, card, part] =
    /(?:^|\s)kg-(?:(\w+)-card|product-card-(rating))(?:\s|$)/.exec(element.attribs['class'] ?? '') ?? [];
  const name = card ?? part ?? '';
  return Object.hasOwn(CARDS, name) ? CARDS[name] : undefined;
}

/** The plain HTML of a card, or of a part; empty without what it shows. */
const CARDS: Readonly<Record<string, (card: HtmlElement) => string>> = {
  audio(card) {
    const src = getAttribute(firstNamed(card, 'audio'), 'src');
    return src && figure('audio', media('audio', { src }), innerHtml(firstWithClass(card, 'kg-audio-title')));
  },
  bookmark(card) {
    const url = getAttribute(firstNamed(card, 'a'), 'href');
    const [title, about, author, publisher] = ['title', 'description', 'author', 'publisher'].map((part) =>
      plainText(firstWithClass(card, `kg-bookmark-${part}`)),
    );
    const thumbnail = firstWithClass(card, 'kg-bookmark-thumbnail');
    const src = thumbnail === undefined ? '' : getAttribute(firstNamed(thumbnail, 'img'), 'src');
    // The icon is left out: without Ghost's styles it is as large as the image.
    const image = src && `<a href="${escapeHtml(url)}"><img src="${escapeHtml(src)}" alt=""></a>`;
    const by = [author, publisher].filter(Boolean).join(' • ');
    const parts = [linked(url, title || url), escapeHtml(about ?? ''), escapeHtml(by), image];
    return url && figure('bookmark', parts.map((part) => wrapped('p', part)).join(''), captionHtml(card));
  },
  file(card) {
    const src = getAttribute(firstNamed(card, 'a'), 'href');
    const [title, name, caption, size] = ['title', 'filename', 'caption', 'filesize'].map((part) =>
      plainText(firstWithClass(card, `kg-file-card-${part}`)),
    );
    const about = [caption, size && `(${size})`].filter(Boolean).map((text) => ` ${escapeHtml(text ?? '')}`);
    const link = linked(src, title || name || (src.split('/').at(-1) ?? src));
    return src && `<div class="kg-card kg-file-card"><p>${link}${about.join('')}</p></div>`;
  },
  /** Of a product; the stars are drawings. */
  rating(element) {
    const isActive = ({ attribs }: HtmlElement): boolean => /rating-active/.test(attribs['class'] ?? '');
    const stars = DomUtils.findAll(isActive, element.children).length;
    return `<p>${'★'.repeat(stars)}${'☆'.repeat(Math.max(5 - stars, 0))}</p>`;
  },
  signup: () => '',
  toggle(card) {
    const heading = innerHtml(firstWithClass(card, 'kg-toggle-heading-text')).replace(/<\/?p\b[^>]*>/gi, '');
    const content = innerHtml(firstWithClass(card, 'kg-toggle-content'));
    return `<details class="kg-card kg-toggle-card"><summary>${heading}</summary>${content}</details>`;
  },
  video(card) {
    const player = firstNamed(card, 'video');
    const src = getAttribute(player, 'src') || getAttribute(firstNamed(card, 'source'), 'src');
    // The poster is an empty picture; the real one is in the style.
    const poster =
      getAttribute(card, 'data-kg-custom-thumbnail') ||
      getAttribute(card, 'data-kg-thumbnail') ||
      (/url\(\s*['"]?([^'")]+)/.exec(getAttribute(player, 'style'))?.[1] ?? '');
    const size = { width: getAttribute(player, 'width'), height: getAttribute(player, 'height') };
    const loops = player !== undefined && 'loop' in player.attribs;
    return src && figure('video', media('video', { src, poster, ...size }, loops), captionHtml(card));
  },
};

function firstWithClass(element: HtmlElement, className: string): HtmlElement | undefined {
  return DomUtils.getElementsByClassName(className, element.children, true, 1)[0];
}

function innerHtml(element: HtmlElement | undefined): string {
  return element === undefined ? '' : renderHtml(element.children).trim();
}

function captionHtml(card: HtmlElement): string {
  return innerHtml(firstNamed(card, 'figcaption'));
}

function media(name: 'audio' | 'video', attributes: Readonly<Record<string, string>>, loops = false): string {
  const given = Object.entries(attributes).filter(([, value]) => value !== '');
  return elementHtml(name, given, '').replace('>', loops ? ' controls loop>' : ' controls>');
}

/** @param caption HTML, as Ghost stores it */
function figure(kind: string, content: string, caption: string): string {
  return `<figure class="kg-card kg-${kind}-card">${content}${wrapped('figcaption', caption)}</figure>`;
}

function wrapped(tag: string, content: string): string {
  return content === '' ? '' : `<${tag}>${content}</${tag}>`;
}

function linked(href: string, text: string): string {
  return `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`;
}
