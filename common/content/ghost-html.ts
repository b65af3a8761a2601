import renderHtml from 'dom-serializer';
import { DomUtils, parseDocument } from 'htmlparser2';
import { textOfHtml } from './html-text.ts';
import { audio, bookmark, file, toggle, video } from './ghost-cards.ts';

type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number];

/**
 * HTML that Ghost rendered, without the parts that need Ghost's own pages: buttons and sliders of players become plain
 * elements; subscription forms and members-only parts are removed. The rest is unchanged.
 */
export function cleanHtml(html: string): string {
  const shown = withoutGated(html);
  if (!/kg-(?:audio|bookmark|file|signup|toggle|video)-card/.test(shown)) return shown;
  const document = parseDocument(shown, { withStartIndices: true, withEndIndices: true });
  return replaceAll(shown, document.children);
}

/** Ghost marks gated parts, and removes them for everybody else whenever it shows the post. */
function withoutGated(html: string): string {
  const begin = /<!--\s*kg-gated-block:begin\b/g;
  const end = /<!--\s*kg-gated-block:end\s*-->/g;
  let out = '';
  let at = 0;
  for (let match = begin.exec(html); match !== null; match = begin.exec(html)) {
    const ruleEnd = html.indexOf('-->', begin.lastIndex);
    const from = ruleEnd === -1 ? html.length : ruleEnd + 3;
    const rule = html.slice(begin.lastIndex, from);
    end.lastIndex = from;
    const close = end.exec(html);
    const content = html.slice(from, close?.index ?? html.length);
    out += html.slice(at, match.index) + (/\bnonMember:\s*["']?true\b/.test(rule) ? content : '');
    at = close === null ? html.length : end.lastIndex;
    begin.lastIndex = at;
  }
  return out + html.slice(at);
}

type Nodes = ReturnType<typeof parseDocument>['children'];

function replaceAll(html: string, nodes: Nodes): string {
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

function cardOf(element: Element): ((element: Element) => string) | undefined {
  const name = /(?:^|\s)kg-(\w+)-card(?:\s|$)/.exec(element.attribs['class'] ?? '')?.[1] ?? '';
  return Object.hasOwn(CARDS, name) ? CARDS[name] : undefined;
}

const CARDS: Readonly<Record<string, (card: Element) => string>> = {
  audio: (card) => audio(attributeOf(first(card, 'audio'), 'src'), htmlOf(card, 'kg-audio-title')),
  bookmark: (card) =>
    bookmark({
      url: attributeOf(first(card, 'a'), 'href'),
      title: plainOf(card, 'kg-bookmark-title'),
      description: plainOf(card, 'kg-bookmark-description'),
      caption: captionOf(card),
    }),
  file: (card) =>
    file({
      src: attributeOf(first(card, 'a'), 'href'),
      title: plainOf(card, 'kg-file-card-title') || plainOf(card, 'kg-file-card-filename'),
      caption: plainOf(card, 'kg-file-card-caption'),
      size: plainOf(card, 'kg-file-card-filesize'),
    }),
  signup: () => '',
  toggle: (card) => toggle(htmlOf(card, 'kg-toggle-heading-text'), htmlOf(card, 'kg-toggle-content')),
  video: (card) => {
    const player = first(card, 'video');
    return video({
      src: attributeOf(player, 'src') || attributeOf(first(card, 'source'), 'src'),
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

function first(element: Element, tag: string): Element | undefined {
  return DomUtils.getElementsByTagName(tag, element.children, true, 1)[0];
}

function attributeOf(element: Element | undefined, name: string): string {
  return element?.attribs[name]?.trim() ?? '';
}

/** The inner HTML of the first element with a class. */
function htmlOf(element: Element, className: string): string {
  const [found] = DomUtils.getElementsByClassName(className, element.children, true, 1);
  return found === undefined ? '' : renderHtml(found.children).trim();
}

function plainOf(element: Element, className: string): string {
  return textOfHtml(htmlOf(element, className));
}

function captionOf(element: Element): string {
  const caption = first(element, 'figcaption');
  return caption === undefined ? '' : renderHtml(caption.children).trim();
}
