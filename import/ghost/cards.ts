import {
  attributes,
  audio,
  block,
  bookmark,
  figure,
  file,
  linked,
  toggle,
  video,
  wrapped,
} from '../../common/content/ghost-cards.ts';
import { playerOf } from '../article/player.ts';
import { textOfHtml } from '../../common/content/html-text.ts';
import { escapeHtml, tidyLine } from '../../common/content/text.ts';
import { ghostMarkdown } from './markdown.ts';
import { listOf, payloadOf, textOf, type Payload } from './payload.ts';

/**
 * HTML of a Ghost card, by Lexical's name for it or Mobiledoc's older one. Players and other things that need Ghost's
 * scripts and styles become plain elements. Parts for members or e-mail only become empty, as do unknown cards without
 * an address.
 *
 * @param reportLoss is called with the kind of each unknown card that becomes empty
 */
export function renderCard(name: string, card: Payload, reportLoss: (what: string) => void): string {
  if (isGated(card)) return '';
  const render = Object.hasOwn(CARDS, name) ? CARDS[name] : undefined;
  if (render !== undefined) return render(card);
  const html = unknownCard(card);
  if (html === '' && name !== '') reportLoss(`card ${tidyLine(name).slice(0, 100)}`);
  return html;
}

const CARDS: Readonly<Record<string, (card: Payload) => string>> = {
  image: (card) => figure('image', linked(textOf(card, 'href'), image(card)), textOf(card, 'caption')),
  gallery: (card) => {
    const images = listOf(card['images']).map((item) => image(payloadOf(item)));
    return figure('gallery', images.join(''), textOf(card, 'caption'));
  },
  codeblock: code,
  code,
  horizontalrule: () => '<hr>',
  hr: () => '<hr>',
  embed,
  bookmark: (card) => {
    const about = payloadOf(card['metadata']);
    return bookmark({
      url: textOf(card, 'url') || textOf(about, 'url'),
      title: textOf(about, 'title') || textOf(card, 'title'),
      description: textOf(about, 'description') || textOf(card, 'description'),
      caption: textOf(card, 'caption'),
    });
  },
  html: (card) => textOf(card, 'html'),
  markdown: (card) => ghostMarkdown(textOf(card, 'markdown')),
  'card-markdown': (card) => ghostMarkdown(textOf(card, 'markdown')),
  callout: (card) => {
    const emoji = escapeHtml(textOf(card, 'calloutEmoji'));
    const mark = emoji === '' ? '' : `<div class="kg-callout-emoji">${emoji}</div>`;
    return block('callout', `${mark}<div class="kg-callout-text">${textOf(card, 'calloutText')}</div>`);
  },
  toggle: (card) => toggle(textOf(card, 'heading'), textOf(card, 'content')),
  button: (card) => block('button', button(card)),
  video: (card) =>
    video({
      src: textOf(card, 'src'),
      poster: textOf(card, 'customThumbnailSrc', 'thumbnailSrc'),
      width: textOf(card, 'width'),
      height: textOf(card, 'height'),
      loops: card['loop'] === true,
      caption: textOf(card, 'caption'),
    }),
  audio: (card) => audio(textOf(card, 'src'), escapeHtml(textOf(card, 'title'))),
  file: (card) =>
    file({
      src: textOf(card, 'src'),
      title: textOf(card, 'fileTitle', 'fileName'),
      caption: textOf(card, 'fileCaption'),
      size: sizeOf(textOf(card, 'fileSize')),
    }),
  header: (card) => {
    const heading = wrapped('h2', textOf(card, 'header'));
    return block(
      'header',
      heading + wrapped('p', textOf(card, 'subheader')) + enabledButton(card, 'buttonEnabled'),
    );
  },
  product: (card) => {
    const picture = image({ src: card['productImageSrc'], alt: card['productTitle'] });
    const title = wrapped('h4', textOf(card, 'productTitle'));
    const more = button({ buttonText: card['productButton'], buttonUrl: card['productUrl'] });
    const description = textOf(card, 'productDescription');
    return block(
      'product',
      picture + title + description + (card['productButtonEnabled'] === true ? more : ''),
    );
  },
  'call-to-action': (card) => {
    const picture = image({ src: card['imageUrl'], alt: '' });
    return block('cta', picture + textOf(card, 'textValue') + enabledButton(card, 'showButton'));
  },
  // For e-mail, for members, or useless without Ghost's own pages.
  email: () => '',
  'email-cta': () => '',
  paywall: () => '',
  signup: () => '',
  transistor: () => '',
};

/** Whether visitors without an account cannot see the card. */
function isGated(card: Payload): boolean {
  const visibility = payloadOf(card['visibility']);
  return payloadOf(visibility['web'])['nonMember'] === false || visibility['showOnWeb'] === false;
}

/** A card of a later version: the fields that all cards share. */
function unknownCard(card: Payload): string {
  const [html, url] = [textOf(card, 'html'), textOf(card, 'url')];
  return html || (url === '' ? '' : wrapped('p', linked(url, escapeHtml(textOf(card, 'title') || url))));
}

function code(card: Payload): string {
  const language = textOf(card, 'language').trim();
  const attribute = language === '' ? '' : ` class="language-${escapeHtml(language)}"`;
  const text = `<pre><code${attribute}>${escapeHtml(textOf(card, 'code'))}</code></pre>`;
  const caption = textOf(card, 'caption');
  return caption === '' ? text : figure('code', text, caption);
}

/** Ghost stores the other site's HTML; without it, a link is used. */
function embed(card: Payload): string {
  const [url, caption] = [textOf(card, 'url'), textOf(card, 'caption')];
  if (textOf(card, 'type') === 'bookmark' || textOf(card, 'embedType') === 'bookmark') {
    return CARDS['bookmark']?.(card) ?? '';
  }
  const given = textOf(card, 'html')
    .replace(/<script\b[^]*?<\/script\s*>/gi, '')
    .trim();
  return figure('embed', given || playerOf(url) || linked(url, escapeHtml(url)), caption);
}

function enabledButton(card: Payload, flag: string): string {
  return card[flag] === false ? '' : button(card);
}

function button(card: Payload): string {
  const [url, text] = [textOf(card, 'buttonUrl'), textOf(card, 'buttonText')];
  return url === '' || text === ''
    ? ''
    : `<a${attributes({ href: url })} class="kg-btn">${escapeHtml(text)}</a>`;
}

function image(card: Payload): string {
  const src = textOf(card, 'src');
  if (src === '') return '';
  const given = attributes({
    title: textOf(card, 'title'),
    width: textOf(card, 'width'),
    height: textOf(card, 'height'),
  });
  return `<img src="${escapeHtml(src)}" alt="${escapeHtml(textOfHtml(textOf(card, 'alt')))}"${given}>`;
}

/** `1.2 MB` for a number of bytes; anything else unchanged. */
function sizeOf(written: string): string {
  const bytes = Number(written);
  if (written === '' || !Number.isFinite(bytes)) return written;
  const units = ['bytes', 'KB', 'MB', 'GB'];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return `${Number((bytes / 1000 ** power).toFixed(1))} ${units[power]}`;
}
