import type { BlogDatabase } from '../database.ts';
import { cleanHtml } from '../content/ghost-html.ts';
import { COMMONMARK, renderMarkdown } from '../content/markdown.ts';
import { termSlug } from '../content/term-slug.ts';
import type { Cell } from './views.ts';

/** What views may call in addition to SQLite's own functions. Each takes a text and gives one; NULL gives NULL. */
export const FUNCTIONS: Readonly<Record<string, (text: string) => string>> = {
  /** HTML of Markdown: CommonMark with tables, strikethrough, footnotes and HTML. */
  offprint_markdown: (text) => renderMarkdown(text, { dialect: COMMONMARK, linkTo: (written) => written }),
  /** HTML that Ghost rendered, without what only Ghost's pages can use and what is for members. */
  offprint_ghost_html: cleanHtml,
  /** The slug of a category, tag or author by its name, as importers make it. */
  offprint_term_slug: termSlug,
};

export function addFunctions(db: BlogDatabase): void {
  for (const [name, give] of Object.entries(FUNCTIONS)) {
    db.function(name, { deterministic: true }, (text: Cell) => (text === null ? null : give(String(text))));
  }
}
