import { withEmoji } from '../article/emoji.ts';
import { withBase } from '../../common/content/html-tree.ts';
import { escapeHtml, tidyText } from '../../common/content/text.ts';
import { childrenNamed, resolved, type XmlElement } from '../xml/elements.ts';
import type { Enclosure, FeedEntry } from './entry.ts';

export interface Body {
  readonly html: string;
  /** Whether the feed only has a summary of the text. */
  readonly isSummary: boolean;
}

/** An entry's text as HTML, or else its summary. */
export function renderEntryBody({ content, summary, base }: FeedEntry): Body {
  const isSummary = content.trim() === '';
  const html = withoutFooter(shownHtml(isSummary ? summary : content)).trim();
  return { html: base === null ? html : withBase(html, base), isSummary };
}

const COUNTER_ADDRESS =
  /\ssrc\s*=\s*["'](?:https?:)?\/\/(?:pixel\.wp\.com|stats\.wordpress\.com|medium\.com\/_\/stat)\b/i;
const ONE_PIXEL = ['width', 'height'].map(
  (side) => new RegExp(`[\\s"';]${side}\\s*[=:]\\s*["']?[01](?:px)?["'\\s/>;]`, 'i'),
);

/** HTML of a feed, without invisible images that count its readers. */
export function shownHtml(written: string): string {
  return withEmoji(tidyText(written)).replace(/<img\b[^<>]*>/gi, (image) =>
    COUNTER_ADDRESS.test(image) || ONE_PIXEL.every((side) => side.test(image)) ? '' : image,
  );
}

const FOOTER_START = '<p>The post <a ';
const MAX_FOOTER = 5000;

/** Removes a line that WordPress only adds in feeds: `The post … appeared first on …`. */
function withoutFooter(html: string): string {
  const start = html.lastIndexOf(FOOTER_START);
  if (start === -1 || html.length - start > MAX_FOOTER) return html;
  const isFooter = /<\/a> (?:first )?appeared (?:first )?on <a [^<>]*>[^<>]*<\/a>\.?<\/p>\s*$/.test(
    html.slice(start),
  );
  return isFooter ? html.slice(0, start) : html;
}

/** Converts plain text to HTML: a blank line separates paragraphs. */
export function paragraphs(plain: string): string {
  return tidyText(plain)
    .split(/\n(?:[ \t]*\n)+/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => `<p>${escapeHtml(part).replaceAll('\n', '<br>\n')}</p>`)
    .join('\n');
}

/**
 * The image of an entry (from Media RSS, an enclosure, a thumbnail, or a podcast episode), and its other attachments.
 */
export function findMedia(
  entry: XmlElement,
  enclosures: readonly Enclosure[],
  url: string | null,
): { readonly cover: string | null; readonly attachments: readonly Enclosure[] } {
  const media = [entry, ...childrenNamed(entry, 'media:group')];
  const contents = media.flatMap((group) => childrenNamed(group, 'media:content'));
  const thumbnails = [
    ...media.flatMap((group) => childrenNamed(group, 'media:thumbnail')),
    ...childrenNamed(entry, 'itunes:image'),
  ];
  const images = [...contents.map((content) => toEnclosure(content, url)), ...enclosures].filter(isImage);
  const covers = [...images, ...thumbnails.map((thumbnail) => toEnclosure(thumbnail, url))];
  return {
    cover: covers.find((file) => /^https?:\/\/./i.test(file.url))?.url ?? null,
    attachments: enclosures.filter((enclosure) => enclosure.url !== '' && !isImage(enclosure)),
  };
}

function toEnclosure({ attributes, base }: XmlElement, url: string | null): Enclosure {
  const address = attributes['url'] ?? attributes['href'] ?? '';
  const kind = attributes['medium'] === undefined ? '' : `${attributes['medium']}/*`;
  return { url: address.trim() && resolved(address, base ?? url), type: attributes['type'] ?? kind };
}

/** WordPress.com puts the author's picture first. */
function isImage({ url, type }: Enclosure): boolean {
  if (/^https?:\/\/[^/]*gravatar\.com\/avatar\//i.test(url)) return false;
  return type === '' ? /\.(?:jpe?g|png|gif|webp|avif|svg)(?:[?#]|$)/i.test(url) : type.startsWith('image/');
}
