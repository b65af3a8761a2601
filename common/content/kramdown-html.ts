import type { MarkdownIt, StateBlock, Token } from 'markdown-it';
import { escapeHtml } from './text.ts';

/** Inline elements: Markdown continues after them. */
const SPAN = new Set(
  (
    'a abbr acronym b big bdo br button cite code del dfn em i img input ins kbd label mark option q rb rbc rp rt rtc ' +
    'ruby samp select small span strong sub sup tt u var'
  ).split(' '),
);
/** Block elements: within a line they are text. */
const BLOCK = new Set(
  (
    'address article aside applet body blockquote caption col colgroup dd div dl dt fieldset figcaption footer form ' +
    'h1 h2 h3 h4 h5 h6 header hgroup hr html head iframe legend menu li main map nav ol optgroup p pre section summary ' +
    'table tbody td th thead tfoot tr ul'
  ).split(' '),
);

/** Tells HTML blocks from inline HTML by the names of elements, as kramdown does. */
export function kramdownHtml(md: MarkdownIt): void {
  const rule = md.block.ruler.getRules('').find(({ name }) => name === 'html_block');
  if (rule === undefined) throw new TypeError('markdown-it has no rule for HTML');
  md.block.ruler.at(
    'html_block',
    (state, startLine, endLine, silent) =>
      !SPAN.has(nameAt(state, startLine)) && rule(state, startLine, endLine, silent),
    { alt: ['paragraph', 'reference', 'blockquote'] },
  );
  const inline = md.renderer.rules['html_inline'];
  md.renderer.rules['html_inline'] = (tokens, index, options, env, renderer) =>
    BLOCK.has(nameOf(tokens[index]))
      ? escapeHtml(tokens[index]?.content ?? '')
      : (inline?.(tokens, index, options, env, renderer) ?? '');
}

function nameAt({ src, bMarks, tShift, eMarks }: StateBlock, line: number): string {
  const text = src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]);
  return /^<\/?([a-z][a-z\d]*)/i.exec(text)?.[1]?.toLowerCase() ?? '';
}

function nameOf(token: Token | undefined): string {
  return /^<\/?([a-z][a-z\d]*)/i.exec(token?.content ?? '')?.[1]?.toLowerCase() ?? '';
}
