import { expansionCounter } from '../../common/content/expansion.ts';
import { textOfHtml } from '../../common/content/html-text.ts';
import { tidyText } from '../../common/content/text.ts';
import { expandBlocks, hasBlocks, type BlockSources } from './blocks.ts';
import type { Files } from './embed.ts';
import { withParagraphs } from './paragraphs.ts';
import { expandShortcodes } from './shortcodes.ts';

/** The data that the text of a post may refer to. */
export interface Surroundings extends Files, BlockSources {}

/**
 * A post's body as HTML. The classic editor leaves paragraphs and line breaks to WordPress, which adds them whenever it
 * shows the post; the block editor stores them.
 */
export function bodyOf(content: string, surroundings: Surroundings): string {
  const text = tidyText(content);
  if (!hasBlocks(text)) return classicBody(text, surroundings);
  return withoutEmpty(expandShortcodes(expandBlocks(text, surroundings), surroundings));
}

/** Figures and code are complete, so each is replaced temporarily by a rule with a sign that no text has. */
function classicBody(text: string, surroundings: Surroundings): string {
  const kept: string[] = [];
  const counted = expansionCounter();
  const keep = (html: string): string => `\n\n<hr data-kept="\u0002${kept.push(counted(html)) - 1}">\n\n`;
  return withoutEmpty(withParagraphs(expandShortcodes(text, surroundings, keep))).replace(
    /<hr data-kept="\u0002(\d+)">/g,
    (_, place: string) => kept[Number(place)] ?? '',
  );
}

/** Removes paragraphs that only add space. */
export function withoutEmpty(html: string): string {
  return html.replace(/<p(?: class="[^"]*")?>(?:\s|&nbsp;)*<\/p>\n*/g, '').trim();
}

/** The visible text of an excerpt, on one line; null if empty. Losses in it are not reported. */
export function plainText(html: string, surroundings: Surroundings): string | null {
  const silent: Surroundings = { ...surroundings, reportLoss: () => undefined };
  return textOfHtml(expandShortcodes(expandBlocks(tidyText(html), silent), silent)) || null;
}

/** The text above `<!--more-->`, which the author has marked as the excerpt for lists. Null without the mark. */
export function leadOf(content: string, surroundings: Surroundings): string | null {
  const mark = /<!--\s*more\b/i.exec(content);
  return mark === null || !content.includes('-->', mark.index)
    ? null
    : plainText(content.slice(0, mark.index), surroundings);
}
