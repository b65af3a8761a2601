import { expansionCounter } from '../../common/content/expansion.ts';
import { findPlayer, iframe } from '../article/player.ts';
import { decodePercent } from '../../common/content/slug.ts';
import { escapeHtml } from '../../common/content/text.ts';
import type { Shortcode } from './shortcode.ts';
import type { Attachment } from './survey.ts';

/** The files that a post's shortcodes may refer to. */
export interface Files {
  readonly attachment: (id: string) => Attachment | null;
  /** The images that were uploaded to this post. */
  readonly images: () => readonly Attachment[];
  /** Called with the kind of each part that differs from WordPress. */
  readonly reportLoss: (what: string) => void;
}

/**
 * The replacement for a shortcode of WordPress or a common plug-in: HTML, or empty if only the site can render it.
 * `inner` is the content up to the closing tag, empty without one. Null for an unknown shortcode.
 */
export function renderEmbed(tag: Shortcode, inner: string, files: Files): string | null {
  if (CODE.has(tag.name)) return codeBlock(tag, inner);
  return EMBEDS.get(tag.name)?.(tag, inner, files) ?? (DROPPED.has(tag.name) ? '' : null);
}

/** Whether the content between the tags belongs to the shortcode, and is not text of its own. */
export function takesInner(name: string): boolean {
  return CODE.has(name) || WITH_INNER.has(name);
}

/** Whether this module knows the name. */
export function isKnown(name: string): boolean {
  return CODE.has(name) || EMBEDS.has(name) || DROPPED.has(name);
}

/** Shortcodes of code, mostly SyntaxHighlighter's; the name may be the language. */
const CODE = new Set(
  (
    'code sourcecode source crayon cc actionscript3 bash shell coldfusion cpp csharp css delphi diff erlang ' +
    'groovy html java javascript js jscript objc perl php powershell python py ruby scala sql xml'
  ).split(' '),
);
const NO_LANGUAGE = /^(?:code|sourcecode|source|crayon|cc)$/;

const WITH_INNER = new Set(
  'caption wp_caption embed video audio youtube vimeo gist tweet twitter vc_raw_html vc_raw_js'.split(' '),
);

/** Shortcodes that only the site itself can render. */
const DROPPED = new Set(
  (
    'playlist wpvideo toc contact-form contact_form contact-form-7 gravityform ninja_form wpforms sitemap ' +
    'archives subscribe_to_email newsletter_form mc4wp_form rev_slider vc_raw_js googlemaps adsense nextpage'
  ).split(' '),
);

type Embed = (tag: Shortcode, inner: string, files: Files) => string;

const EMBEDS: ReadonlyMap<string, Embed> = new Map(
  Object.entries<Embed>({
    caption,
    wp_caption: caption,
    gallery,
    embed: (tag, inner) => embedAddress(inner || (tag.named.get('src') ?? first(tag))),
    youtube: (tag, inner) => video(tag, inner, /^[\w-]{11}$/, 'https://www.youtube.com/watch?v='),
    vimeo: (tag, inner) => video(tag, inner, /^\d+$/, 'https://vimeo.com/'),
    dailymotion: (tag, inner) => video(tag, inner, /^[a-z\d]+$/i, 'https://www.dailymotion.com/video/'),
    soundcloud: page,
    spotify: page,
    codepen: page,
    instagram: page,
    facebook: page,
    iframe: (tag) => iframe(first(tag, 'src'), tag.named.get('title')) ?? '',
    gist: (tag, inner) => embedAddress(gistAddress(inner.trim() || first(tag, 'url', 'id'))),
    tweet: (tag, inner) => embedAddress(inner.trim() || first(tag, 'url', 'tweet')),
    twitter: (tag, inner) => embedAddress(inner.trim() || first(tag, 'url')),
    vc_raw_html: (_tag, inner) => rawHtml(inner),
    video: (tag, inner, files) => media('video', tag, inner, files),
    audio: (tag, inner, files) => media('audio', tag, inner, files),
  }),
);

/** A player for an address on a known host, or else a link: the other host provides what WordPress shows. */
export function embedAddress(written: string): string {
  const address = written
    .replaceAll('&amp;', '&')
    .replace(/<[^>]*>/g, '')
    .trim();
  if (!/^https?:\/\/[^\s"<>]+$/i.test(address)) return '';
  return findPlayer(address) ?? `<a href="${escapeHtml(address)}">${escapeHtml(address)}</a>`;
}

/** WPBakery stores HTML percent encoded in Base64, since WordPress would change it. */
function rawHtml(inner: string): string {
  const html = decodePercent(Buffer.from(inner.replace(/<[^>]*>/g, ''), 'base64').toString()).trim();
  return html && `<div>${html}</div>`;
}

function page(tag: Shortcode): string {
  return embedAddress(first(tag, 'url'));
}

function video(tag: Shortcode, inner: string, id: RegExp, address: string): string {
  const written = inner.trim() || first(tag, 'id', 'url', 'video');
  return embedAddress(id.test(written) ? address + written : written);
}

function gistAddress(written: string): string {
  return /^[\w/-]+$/.test(written) ? `https://gist.github.com/${written}` : written;
}

/** An image, possibly linked, and its caption; older posts have the caption in an argument. */
function caption(tag: Shortcode, inner: string): string {
  const match = /^\s*((?:<a\b[^>]*>\s*)?<img\b[^>]*>(?:\s*<\/a>)?)([^]*)$/i.exec(inner);
  if (match === null) return inner;
  const [, image = '', behind = ''] = match;
  const text = (tag.named.get('caption') ?? behind).replace(/\s+/g, ' ').trim();
  const align = /^align(?:left|right|center|none)$/.exec(tag.named.get('align') ?? '')?.[0] ?? '';
  const shown = text === '' ? '' : `<figcaption class="wp-caption-text">${text}</figcaption>`;
  return `<figure class="${`wp-caption ${align}`.trim()}">${oneLine(image)}${shown}</figure>`;
}

/** The named images, or else those that were uploaded to the post. */
function gallery(tag: Shortcode, _inner: string, { attachment, images }: Files): string {
  const ids = (tag.named.get('ids') ?? tag.named.get('include'))?.match(/\d+/g);
  const shown = ids?.map(attachment).filter((found) => found !== null) ?? images();
  const counted = expansionCounter();
  return shown.map((image) => counted(figure(image))).join('');
}

function figure({ url, alt, caption: text }: Attachment): string {
  const image = `<img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}">`;
  return `<figure>${image}${text === '' ? '' : `<figcaption>${oneLine(text)}</figcaption>`}</figure>`;
}

const SOURCES = ['src', 'mp4', 'm4v', 'webm', 'ogv', 'flv', 'mp3', 'm4a', 'ogg', 'wav', 'wma'];

function media(name: 'video' | 'audio', tag: Shortcode, inner: string, { attachment }: Files): string {
  const id = tag.named.get('id') ?? /^\d+$/.exec(tag.positional[0] ?? '')?.[0];
  const attached = id === undefined ? undefined : attachment(id)?.url;
  const source = first(tag, ...SOURCES) || /https?:\/\/[^\s"'<>]+/.exec(inner)?.[0] || '';
  const address = /^\d*$/.test(source) ? attached : source.replace(/\|.*$/s, '');
  if (address === undefined) return '';
  return findPlayer(address) ?? `<figure><${name} src="${escapeHtml(address)}" controls></${name}></figure>`;
}

function codeBlock(tag: Shortcode, inner: string): string {
  const named = tag.named.get('language') ?? tag.named.get('lang') ?? tag.positional[0];
  const language = (named ?? (NO_LANGUAGE.test(tag.name) ? '' : tag.name)).toLowerCase();
  const code = inner.replace(/^(?:[ \t]*\n)+|\s+$/g, '');
  // The visual editor has already escaped it, the text editor has not.
  const isEscaped = !/[<>]/.test(code) && /&(?:lt|gt|amp|quot|#\d+);/.test(code);
  const marked = /^[\w+#-]+$/.test(language) ? ` class="language-${escapeHtml(language)}"` : '';
  return `<pre><code${marked}>${isEscaped ? code : escapeHtml(code)}</code></pre>`;
}

/** The first of the named arguments that is present, or else the first positional one. */
function first({ named, positional }: Shortcode, ...keys: readonly string[]): string {
  return keys.map((key) => named.get(key)).find(Boolean) ?? positional[0] ?? '';
}

function oneLine(html: string): string {
  return html.replace(/\s*\n\s*/g, ' ').trim();
}
