import type { BlogDatabase } from '../database.ts';
import { cleanHtml } from '../../common/content/ghost-html.ts';
import { renderMarkdown } from '../../common/content/markdown.ts';
import { termSlug } from '../../common/content/term-slug.ts';
import type { Cell } from './views.ts';

/** Functions that views can call besides SQLite's own. Each takes and returns a text; NULL gives NULL. */
export const FUNCTIONS: Readonly<Record<string, (text: string) => string>> = {
  /** HTML of Markdown: CommonMark with tables, strikethrough, footnotes and HTML. */
  offprint_markdown: (text) => renderMarkdown(text, { dialect: 'commonmark' }),
  /** HTML that Ghost rendered, without parts for members and parts that only Ghost's pages can use. */
  offprint_ghost_html: cleanHtml,
  /** The slug of a category, tag or author from its name, as in imports. */
  offprint_term_slug: termSlug,
};

export function addFunctions(db: BlogDatabase): void {
  for (const [name, give] of Object.entries(FUNCTIONS)) {
    db.function(name, { deterministic: true }, (text: Cell) => (text === null ? null : give(String(text))));
  }
}
