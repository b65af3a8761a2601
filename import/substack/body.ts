import * as v from 'valibot';
import { escapeHtml } from '../../common/content/text.ts';
import {
  attributeOf,
  firstNamed,
  firstOfClass,
  type HtmlElement,
  parseHtml,
  rewriteHtml,
} from '../../common/content/html-tree.ts';
import { parseJson } from '../sources/json.ts';
import { iframe, playerOf } from '../article/player.ts';

/** Called for each loss, with the address that it leads to. */
export type Lost = (what: string, detail: string) => void;

/** Forms, subscribe buttons and calls to action, which need Substack's own pages. */
const REMOVED =
  /(?:^|\s)(?:button-wrapper|captioned-button-wrap|subscription-widget[\w-]*|subscribe-widget|community-chat|directMessage|install-substack-app-embed[\w-]*|image-link-expand|header-anchor-parent|comments-page)(?:\s|$)/;
/** Elements that embed another page, by a part of their class. */
const CARD =
  /(?:^|\s)(?:digest-post-embed|embedded-post(?:-wrap)?|embedded-publication(?:-wrap)?|tweet|twitter-embed|comment)(?:\s|$)/;
/** Elements that only Substack can show. */
const LOST =
  /(?:^|\s)(poll-embed|native-video-embed|native-audio-embed|latex-rendered|instagram|tiktok-wrap|apple-podcast-container|datawrapper-wrap|recipe-embed|prediction-market-wrap|bluesky-wrap)(?:\s|$)/;

/** An element's data about its content, as JSON. */
const data = v.object({
  url: v.optional(v.fallback(v.string(), ''), ''),
  canonical_url: v.optional(v.fallback(v.string(), ''), ''),
  base_url: v.optional(v.fallback(v.string(), ''), ''),
  src: v.optional(v.fallback(v.string(), ''), ''),
  title: v.optional(v.fallback(v.string(), ''), ''),
  name: v.optional(v.fallback(v.string(), ''), ''),
  full_text: v.optional(v.fallback(v.string(), ''), ''),
  persistentExpression: v.optional(v.fallback(v.string(), ''), ''),
});

/**
 * A post's text as plain HTML: without buttons and forms, with embedded posts as links. Everything after the paywall is
 * removed.
 *
 * @param podcast the address of the episode; empty without one
 */
export function bodyOf(html: string, podcast: string, lost: Lost): string {
  const body = rewriteHtml(parseHtml(beforePaywall(html, lost)), (element, content) => {
    const { name, attribs } = element;
    const classes = attribs['class'] ?? '';
    if (REMOVED.test(classes) || /^(?:form|button|input|svg|script|style|source)$/.test(name)) return '';
    const [, kind] = LOST.exec(classes) ?? [];
    if (kind !== undefined) return replaced(kind, element, lost);
    if (CARD.test(classes)) return card(element);
    if (name === 'iframe') return player(element, lost);
    if (name === 'a' && firstNamed(element, 'img') !== undefined && /image-link/.test(classes))
      return content();
    // Captions and notes use divs too.
    return /^(?:picture|span|section)$/.test(name) || (name === 'div' && attribs['id'] === undefined)
      ? content()
      : null;
  });
  const episode = /^https?:\/\//i.test(podcast)
    ? `<figure><audio src="${escapeHtml(podcast)}" controls></audio></figure>\n`
    : '';
  return (episode + body).trim();
}

function beforePaywall(html: string, lost: Lost): string {
  const wall = firstOfClass(parseHtml(html), 'paywall-jump');
  if (wall === undefined) return html;
  lost('text for those who pay', 'what follows the paywall is left out');
  return html.slice(0, wall.startIndex ?? 0);
}

function dataOf(element: HtmlElement): v.InferOutput<typeof data> {
  try {
    return v.parse(data, parseJson(attributeOf(element, 'data-attrs')));
  } catch {
    return v.parse(data, {});
  }
}

/** A quotation of a message, or a link to a page. */
function card(element: HtmlElement): string {
  const about = dataOf(element);
  const url =
    [about.canonical_url, about.url, about.base_url, attributeOf(firstNamed(element, 'a'), 'href')].find(
      (address) => /^https?:\/\//i.test(address),
    ) ?? '';
  if (url === '') return '';
  const title = about.title || about.name || url;
  const link = `<a href="${escapeHtml(url)}">${escapeHtml(title)}</a>`;
  if (about.full_text === '') return `<p>${link}</p>`;
  return `<blockquote><p>${escapeHtml(about.full_text)}</p><p>${link}</p></blockquote>`;
}

function replaced(kind: string, element: HtmlElement, lost: Lost): string {
  const about = dataOf(element);
  if (kind === 'latex-rendered' && about.persistentExpression !== '')
    return `<pre><code class="language-latex">${escapeHtml(about.persistentExpression)}</code></pre>`;
  const inner = firstOfClass([element], 'tiktok-link') ?? firstNamed(element, 'a');
  const url = [about.url, about.src, attributeOf(inner, 'href')].find((address) =>
    /^https?:\/\//i.test(address),
  );
  lost(`embed ${kind}`, url ?? 'without an address');
  return url === undefined ? '' : `<p><a href="${escapeHtml(url)}">${escapeHtml(about.title || url)}</a></p>`;
}

function player(element: HtmlElement, lost: Lost): string {
  const src = attributeOf(element, 'src');
  const known = playerOf(src);
  if (known !== null) return known;
  if (!/^https?:\/\//i.test(src)) return '';
  // The build shows it if the owner allows its host.
  lost('embed of a site whose players are not known', src);
  return iframe(src) ?? '';
}
