import renderHtml from 'dom-serializer';
import { DomUtils } from 'htmlparser2';
import { PostUnreadable } from './errors.ts';
import { textOfHtml } from './html-text.ts';
import { attributeOf, firstNamed, type HtmlElement, type HtmlNodes, parseHtml } from './html-tree.ts';
import { escapeHtml } from './text.ts';

/**
 * HTML that Ghost rendered, without the parts that need Ghost's own pages: buttons and sliders of players become plain
 * elements; subscription forms and members-only parts are removed. The rest is unchanged.
 */
export function cleanHtml(html: string): string {
  const shown = withoutGated(html);
  if (!/kg-(?:audio|bookmark|file|signup|toggle|video)-card/.test(shown)) return shown;
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
  const cards = DomUtils.findAll((element) => cardOf(element) !== undefined, nodes);
  for (const card of cards) {
    const { startIndex, endIndex } = card;
    // A nested card was removed with its parent.
    if (startIndex === null || endIndex === null || startIndex < at) continue;
    out += html.slice(at, startIndex) + (cardOf(card)?.(card) ?? '');
    at = endIndex + 1;
  }
  return out + html.slice(at);
}

function cardOf(element: HtmlElement): ((element: HtmlElement) => string) | undefined {
  const name = /(?:^|\s)kg-(\w+)-card(?:\s|$)/.exec(element.attribs['class'] ?? '')?.[1] ?? '';
  return Object.hasOwn(CARDS, name) ? CARDS[name] : undefined;
}

const CARDS: Readonly<Record<string, (card: HtmlElement) => string>> = {
  audio: (card) => audio(attributeOf(firstNamed(card, 'audio'), 'src'), htmlOf(card, 'kg-audio-title')),
  bookmark: (card) =>
    bookmark({
      url: attributeOf(firstNamed(card, 'a'), 'href'),
      title: plainOf(card, 'kg-bookmark-title'),
      description: plainOf(card, 'kg-bookmark-description'),
      caption: captionOf(card),
    }),
  file: (card) =>
    file({
      src: attributeOf(firstNamed(card, 'a'), 'href'),
      title: plainOf(card, 'kg-file-card-title') || plainOf(card, 'kg-file-card-filename'),
      caption: plainOf(card, 'kg-file-card-caption'),
      size: plainOf(card, 'kg-file-card-filesize'),
    }),
  signup: () => '',
  toggle: (card) => toggle(htmlOf(card, 'kg-toggle-heading-text'), htmlOf(card, 'kg-toggle-content')),
  video: (card) => {
    const player = firstNamed(card, 'video');
    return video({
      src: attributeOf(player, 'src') || attributeOf(firstNamed(card, 'source'), 'src'),
      // The poster is an empty picture; the real one is in the style.
      poster:
        attributeOf(card, 'data-kg-custom-thumbnail') ||
        attributeOf(card, 'data-kg-thumbnail') ||
        (/url\(\s*['"]?([^'")]+)/.exec(attributeOf(player, 'style'))?.[1] ?? ''),
      width: attributeOf(player, 'width'),
      height: attributeOf(player, 'height'),
      loops: player !== undefined && 'loop' in player.attribs,
      caption: captionOf(card),
    });
  },
};

/** The inner HTML of the first element with a class. */
function htmlOf(element: HtmlElement, className: string): string {
  const [found] = DomUtils.getElementsByClassName(className, element.children, true, 1);
  return found === undefined ? '' : renderHtml(found.children).trim();
}

function plainOf(element: HtmlElement, className: string): string {
  return textOfHtml(htmlOf(element, className));
}

function captionOf(element: HtmlElement): string {
  const caption = firstNamed(element, 'figcaption');
  return caption === undefined ? '' : renderHtml(caption.children).trim();
}

function audio(src: string, title: string): string {
  return src === '' ? '' : figure('audio', `<audio${attributes({ src })} controls></audio>`, title);
}

function video(card: {
  readonly src: string;
  readonly poster: string;
  readonly width: string;
  readonly height: string;
  readonly loops: boolean;
  readonly caption: string;
}): string {
  const { src, poster, width, height, loops, caption } = card;
  if (src === '') return '';
  const flags = loops ? ' controls loop' : ' controls';
  return figure('video', `<video${attributes({ src, poster, width, height })}${flags}></video>`, caption);
}

/** @param card texts, as plain text */
function file(card: Readonly<Record<'src' | 'title' | 'caption' | 'size', string>>): string {
  const { src, title, caption, size } = card;
  if (src === '') return '';
  const link = linked(src, escapeHtml(title || (src.split('/').at(-1) ?? src)));
  const about = [caption, size && `(${size})`].filter((text) => text !== '').map(escapeHtml);
  return block('file', wrapped('p', [link, ...about].join(' ')));
}

/** @param card title and description as plain text, the caption as HTML */
function bookmark(card: Readonly<Record<'url' | 'title' | 'description' | 'caption', string>>): string {
  const { url, title, description, caption } = card;
  if (url === '') return '';
  const about = wrapped('p', escapeHtml(description));
  return figure('bookmark', `<p>${linked(url, escapeHtml(title || url))}</p>${about}`, caption);
}

/** @param heading as HTML, like `content` */
function toggle(heading: string, content: string): string {
  const summary = heading.replace(/<\/?p\b[^>]*>/gi, '');
  return `<details class="kg-card kg-toggle-card"><summary>${summary}</summary>${content}</details>`;
}

/** @param caption as HTML, as Ghost stores it */
function figure(kind: string, content: string, caption: string): string {
  if (content === '') return '';
  return `<figure class="kg-card kg-${kind}-card">${content}${wrapped('figcaption', caption.trim())}</figure>`;
}

function block(kind: string, content: string): string {
  return content === '' ? '' : `<div class="kg-card kg-${kind}-card">${content}</div>`;
}

function wrapped(tag: string, content: string): string {
  return content === '' ? '' : `<${tag}>${content}</${tag}>`;
}

function linked(href: string, content: string): string {
  return href === '' || content === '' ? content : `<a href="${escapeHtml(href)}">${content}</a>`;
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => (value === '' ? '' : ` ${name}="${escapeHtml(value)}"`))
    .join('');
}
