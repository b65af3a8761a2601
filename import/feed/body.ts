import { withBase } from '../../common/content/html-tree.ts';
import { escapeHtml, tidyText } from '../../common/content/text.ts';
import type { FeedEntry } from './entry.ts';

export interface Body {
  readonly html: string;
  /** Whether the feed only has a summary of the text. */
  readonly isSummary: boolean;
}

/** An entry's text as HTML, or else its summary. */
export function bodyOf({ content, summary, base }: FeedEntry): Body {
  const isSummary = content.trim() === '';
  const html = withoutFooter(tidyText(isSummary ? summary : content)).trim();
  return { html: base === null ? html : withBase(html, base), isSummary };
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
