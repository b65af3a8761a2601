import { textOfHtml } from '../../common/content/html-text.ts';
import { element } from '../../common/content/ghost-cards.ts';
import { escapeHtml } from '../../common/content/text.ts';
import { renderCard } from './cards.ts';
import { headingIds } from './heading-ids.ts';
import { listOf, payloadOf, textOf, type Payload } from './payload.ts';

/** Bits of a text node's `format` and their elements, outermost first. */
const FORMATS = [
  [1, 'strong'],
  [2, 'em'],
  [4, 's'],
  [8, 'u'],
  [16, 'code'],
  [32, 'sub'],
  [64, 'sup'],
  [128, 'mark'],
] as const;

/**
 * HTML of a Lexical document (Ghost's editor since 5.0), rendered like Ghost does. Empty paragraphs are removed, and
 * cards become plain elements (see cards.ts).
 *
 * @param document parsed JSON
 * @param reportLoss is called with the kind of each unknown card
 */
export function renderLexical(document: unknown, reportLoss: (what: string) => void): string {
  const headingId = headingIds();
  return blocks(payloadOf(payloadOf(document)['root']));

  function blocks(parent: Payload): string {
    return children(parent)
      .map(block)
      .filter((html) => html !== '')
      .join('\n');
  }

  function block(node: Payload): string {
    switch (textOf(node, 'type')) {
      case 'paragraph':
        return element('p', inline(node));
      case 'heading':
      case 'extended-heading':
        return heading(node);
      case 'quote':
      case 'extended-quote':
        return element('blockquote', inline(node));
      case 'aside':
        return element('blockquote', inline(node), ' class="kg-blockquote-alt"');
      case 'list':
        return list(node);
      case 'text':
      case 'extended-text':
      case 'link':
        // Text outside an element becomes a paragraph.
        return element('p', inlineNode(node));
      default:
        return children(node).length > 0 ? blocks(node) : renderCard(textOf(node, 'type'), node, reportLoss);
    }
  }

  function heading(node: Payload): string {
    const tag = /^h[1-6]$/.exec(textOf(node, 'tag'))?.[0] ?? 'h2';
    const content = inline(node);
    const id = headingId(textOfHtml(content));
    return element(tag, content, id === '' ? '' : ` id="${escapeHtml(id)}"`);
  }

  /** Lexical puts a nested list into an item of its own; in HTML it belongs to the item before it. */
  function list(node: Payload): string {
    const tag = textOf(node, 'listType') === 'number' || textOf(node, 'tag') === 'ol' ? 'ol' : 'ul';
    const items: string[] = [];
    for (const item of children(node)) {
      const [first] = children(item);
      if (first === undefined || textOf(first, 'type') !== 'list') items.push(inline(item));
      else items.push((items.pop() ?? '') + children(item).map(block).join(''));
    }
    const start = textOf(node, 'start');
    const from = tag === 'ol' && /^\d+$/.test(start) && start !== '1' ? ` start="${start}"` : '';
    return element(tag, items.map((item) => `<li>${item}</li>`).join(''), from);
  }
}

function inline(parent: Payload): string {
  const html = children(parent).map(inlineNode).join('');
  // Adjacent nodes with the same format are one run of text to the author.
  return html.replace(/<\/(strong|em|s|u|code|sub|sup|mark)><\1>/g, '');
}

function inlineNode(node: Payload): string {
  const type = textOf(node, 'type');
  if (type === 'linebreak') return '<br>';
  if (typeof node['text'] === 'string') return formatted(node['text'], Number(node['format']));
  const content = inline(node);
  if (!/link$/.test(type)) return content;
  const url = textOf(node, 'url');
  return url === '' ? content : `<a href="${escapeHtml(url)}">${content}</a>`;
}

function formatted(text: string, format: number): string {
  const tags = FORMATS.filter(([bit]) => (format & bit) !== 0).map(([, tag]) => tag);
  return tags.reduceRight((content, tag) => `<${tag}>${content}</${tag}>`, escapeHtml(text));
}

function children(node: Payload): Payload[] {
  return listOf(node['children']).map(payloadOf);
}
