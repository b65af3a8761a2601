import { escapeHtml } from '../../common/content/text.ts';
import {
  attributeOf,
  firstNamed,
  hasClass,
  type HtmlElement,
  rewriteHtml,
} from '../../common/content/html-tree.ts';
import { plainText } from '../../common/content/html-text.ts';
import { iframe, playerOf } from '../article/player.ts';

/** Called for each loss, with the address that it leads to. */
export type Lost = (what: string, detail: string) => void;

/**
 * A story's text as plain HTML: without the sections, dividers and classes of Medium's pages, and without the repeated
 * title and subtitle. Cards of links become links, embeds players or links.
 */
export function bodyOf(story: HtmlElement, title: string, lost: Lost): string {
  let isBegun = false;
  const html = rewriteHtml(story.children, (element, content) => {
    const { name } = element;
    const isHeading = /^h[1-6]$/.test(name);
    if (!isBegun && isHeading && (hasClass(element, 'graf--title') || sameText(plainText(element), title)))
      return '';
    if (!isBegun && isHeading && hasClass(element, 'graf--subtitle')) return '';
    if (hasClass(element, 'section-divider'))
      return isBegun && name === 'hr' ? '<hr>' : isBegun ? content() : '';
    isBegun ||=
      /^(?:p|h[1-6]|figure|blockquote|pre|ul|ol)$/.test(name) || hasClass(element, 'graf--mixtapeEmbed');
    if (hasClass(element, 'graf--mixtapeEmbed')) return linkCard(element);
    if (name === 'pre') return `<pre><code>${codeIn(content())}</code></pre>`;
    if (/^(?:section|div|span)$/.test(name)) return content();
    if (name === 'script') return gist(attributeOf(element, 'src'), lost);
    if (name === 'iframe') return embed(attributeOf(element, 'src'), lost);
    return null;
  });
  return html.trim();
}

function sameText(a: string, b: string): boolean {
  const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  return bare(a) !== '' && bare(a) === bare(b);
}

/** Stories use `<br>` for lines of code. */
function codeIn(html: string): string {
  return html.replace(/<br>/g, '\n').replace(/<\/?code>/g, '');
}

function linkCard(element: HtmlElement): string {
  const link = firstNamed(element, 'a');
  const href = attributeOf(link, 'href');
  if (link === undefined || href === '') return '';
  const title = plainText(firstNamed(link, 'strong')) || plainText(link) || href;
  const about = plainText(firstNamed(link, 'em'));
  return `<p><a href="${escapeHtml(href)}">${escapeHtml(title)}</a>${about && `<br>${escapeHtml(about)}`}</p>`;
}

function gist(src: string, lost: Lost): string {
  const page = src.replace(/\.js(?:\?.*)?$/, '');
  if (!/^https?:\/\//i.test(page)) return '';
  lost('code that is embedded from another site', page);
  return `<p><a href="${escapeHtml(page)}">${escapeHtml(page)}</a></p>`;
}

function embed(src: string, lost: Lost): string {
  const player = playerOf(src);
  if (player !== null) return player;
  if (!/^https?:\/\//i.test(src)) return '';
  // The build shows it if the owner allows its host.
  lost('embed of a site whose players are not known', src);
  return iframe(src) ?? `<a href="${escapeHtml(src)}">${escapeHtml(src)}</a>`;
}
