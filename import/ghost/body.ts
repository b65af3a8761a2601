import { PostUnreadable } from '../../common/content/errors.ts';
import { messageOf } from '../../common/thrown.ts';
import { parseJson } from '../sources/json.ts';
import { tidyText } from '../../common/content/text.ts';
import { cleanHtml } from '../../common/content/ghost-html.ts';
import { renderLexical } from './lexical.ts';
import { withAddresses } from './links.ts';
import { ghostMarkdown } from './markdown.ts';
import { renderMobiledoc } from './mobiledoc.ts';
import type { PostRow } from './tables.ts';

/**
 * A post's text as HTML. The HTML that Ghost stored is preferred; otherwise the document is rendered here: Lexical
 * (since 5.0), Mobiledoc (since 1.0), or Markdown.
 *
 * @param reportLoss is called with the kind of each part that cannot be rendered
 * @throws PostUnreadable if the document is unreadable
 */
export function bodyOf(row: PostRow, site: string | null, reportLoss: (what: string) => void): string {
  const html = row.html?.trim() ? cleanHtml(tidyText(row.html)) : rendered(row, reportLoss);
  return withAddresses(html, site).trim();
}

function rendered({ lexical, mobiledoc, markdown }: PostRow, reportLoss: (what: string) => void): string {
  if (isThere(lexical)) return renderLexical(documentOf('lexical', lexical), reportLoss);
  if (isThere(mobiledoc)) return renderMobiledoc(documentOf('mobiledoc', mobiledoc), reportLoss);
  return ghostMarkdown(tidyText(markdown ?? ''));
}

function isThere(document: unknown): boolean {
  return typeof document === 'string'
    ? document.trim() !== ''
    : typeof document === 'object' && document !== null;
}

/** Documents are JSON in a JSON string; some tools store the object itself. */
function documentOf(field: string, document: unknown): unknown {
  if (typeof document !== 'string') return document;
  try {
    return parseJson(tidyText(document));
  } catch (error) {
    throw new PostUnreadable(
      `has a text that cannot be read: its "${field}" cannot be read as JSON (${messageOf(error)})`,
    );
  }
}
