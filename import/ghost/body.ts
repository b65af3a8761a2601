import { isList } from '../../contract/json.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import { tidyText } from '../../common/content/text.ts';
import { cleanHtml } from '../../common/content/ghost-html.ts';
import { renderLexical } from './lexical.ts';
import { withAddresses } from './links.ts';
import { ghostMarkdown } from './markdown.ts';
import { renderMobiledoc } from './mobiledoc.ts';
import { payloadOf } from './payload.ts';
import type { PostRow } from './tables.ts';

/**
 * A post's text as HTML. The HTML that Ghost stored is preferred; otherwise the document is rendered here: Lexical
 * (since 5.0), Mobiledoc (since 1.0), or Markdown.
 *
 * @param lose is called with the kind of each part that cannot be rendered
 * @throws PostUnreadable if the document is unreadable
 */
export function bodyOf(row: PostRow, site: string | null, lose: (what: string) => void): string {
  const html = row.html?.trim() ? cleanHtml(tidyText(row.html)) : rendered(row, lose);
  return withAddresses(html, site).trim();
}

function rendered({ lexical, mobiledoc, markdown }: PostRow, lose: (what: string) => void): string {
  if (isThere(lexical)) return renderLexical(notTooDeep(documentOf('lexical', lexical)), lose);
  if (isThere(mobiledoc)) return renderMobiledoc(notTooDeep(documentOf('mobiledoc', mobiledoc)), lose);
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
    return JSON.parse(tidyText(document));
  } catch {
    throw new PostUnreadable(`has a text that cannot be read: its "${field}" is not JSON`);
  }
}

/** Each nested list adds four levels to a document. */
const MAX_DEPTH = 500;

/** @throws PostUnreadable if a document nests too deeply to be rendered */
function notTooDeep(document: unknown): unknown {
  let level: unknown[] = [document];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new PostUnreadable(`has a text nested more than ${MAX_DEPTH} deep`);
    level = level.flatMap((part) => (isList(part) ? part : Object.values(payloadOf(part))));
  }
  return document;
}
