import { isList } from '../../../contract/json.ts';
import { PostUnreadable } from '../../content/errors.ts';
import { tidyText } from '../../content/text.ts';
import { cleanHtml } from '../../content/ghost-html.ts';
import { renderLexical } from './lexical.ts';
import { withAddresses } from './links.ts';
import { ghostMarkdown } from './markdown.ts';
import { renderMobiledoc } from './mobiledoc.ts';
import { payloadOf } from './payload.ts';
import type { PostRow } from './tables.ts';

/**
 * A post's text as HTML. Ghost keeps what it rendered itself, and that is taken where it is there; else
 * the document is rendered here: Lexical (since 5.0), Mobiledoc (since 1.0), or Markdown.
 *
 * @param lose is told of each part of a document that cannot be rendered, by its kind
 * @throws PostUnreadable where there is a document, and it cannot be read
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

/** Documents are JSON in JSON; some tools write them out. */
function documentOf(field: string, document: unknown): unknown {
  if (typeof document !== 'string') return document;
  try {
    return JSON.parse(tidyText(document));
  } catch {
    throw new PostUnreadable(`has a text that cannot be read: its "${field}" is not JSON`);
  }
}

/** Each list in a list is four levels of a document. */
const MAX_DEPTH = 500;

/** @throws PostUnreadable if the parts of a document nest deeper than can be rendered */
function notTooDeep(document: unknown): unknown {
  let level: unknown[] = [document];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new PostUnreadable(`has a text nested more than ${MAX_DEPTH} deep`);
    level = level.flatMap((part) => (isList(part) ? part : Object.values(payloadOf(part))));
  }
  return document;
}
