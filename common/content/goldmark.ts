import type { Env, MarkdownIt, StateInline, Token } from 'markdown-it';
import { definitionLists } from './definition-lists.ts';
import { goldmarkLinks } from './goldmark-links.ts';
import { replaceSigns, stopAtQuotes } from './inline-text.ts';
import { taskLists } from './task-lists.ts';

/** A Hugo site's settings for Markdown, below `markup.goldmark`. */
export interface GoldmarkOptions {
  /** Typographic quotes, dashes and ellipses. */
  readonly typographer: boolean;
  /** Whether HTML in the Markdown is shown; Hugo's default leaves it out. */
  readonly unsafe: boolean;
}

/** The loss that is reported for a text whose HTML Hugo leaves out too. */
export const HTML_LEFT_OUT = 'HTML that Hugo leaves out';

function isHtml({ type, content, children }: Token): boolean {
  const isOwn = type === 'html_block' || type === 'html_inline';
  return (isOwn && !/^\s*<!--[^]*-->\s*$/.test(content)) || (children?.some(isHtml) ?? false);
}

/** Hugo's extensions to CommonMark. */
export function goldmark(
  md: MarkdownIt,
  { typographer, unsafe }: GoldmarkOptions,
  loseOf: (env: Env) => ((what: string) => void) | undefined,
): void {
  md.use(definitionLists).use(taskLists).use(goldmarkLinks);
  md.core.ruler.after(
    'normalize',
    'short_headers',
    (state) => void (state.src = withWholeHeaders(state.src)),
  );
  if (!unsafe) {
    md.renderer.rules['html_block'] = () => '';
    md.renderer.rules['html_inline'] = () => '';
    md.core.ruler.push('html_left_out', (state) => {
      if (state.tokens.some(isHtml)) loseOf(state.env)?.(HTML_LEFT_OUT);
    });
  }
  if (!typographer) return;
  md.use(stopAtQuotes);
  md.inline.ruler.push('dashes', dashes);
  md.inline.ruler.push('quotes', quotes);
}

const FENCE = /^[ \t>]*(`{3,}|~{3,})/;
const COLUMNS = /^[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$/;

/** A header may have fewer cells than its table has columns. */
function withWholeHeaders(text: string): string {
  if (!text.includes('|--') && !text.includes('| --') && !text.includes('|:-')) return text;
  const lines = text.split('\n');
  let fence = '';
  for (const [at, line] of lines.entries()) {
    const [, mark = ''] = FENCE.exec(line) ?? [];
    if (mark !== '' && (fence === '' || mark.startsWith(fence))) fence = fence === '' ? mark : '';
    const header = lines[at - 1] ?? '';
    if (fence !== '' || !COLUMNS.test(line) || !/^[ \t]*\|.*\|[ \t]*$/.test(header)) continue;
    const missing = line.split('|').length - header.split(/(?<!\\)\|/).length;
    if (missing > 0) lines[at - 1] = `${header.trimEnd()}${' |'.repeat(missing)}`;
  }
  return lines.join('\n');
}

const DASHES: readonly (readonly [string, string])[] = [
  ['---', '—'],
  ['--', '–'],
  ['...', '…'],
  ['<<', '«'],
  ['>>', '»'],
];

function dashes(state: StateInline, silent: boolean): boolean {
  const found = DASHES.find(([written]) => state.src.startsWith(written, state.pos));
  return found !== undefined && replaceSigns(state, silent, found[1], found[0].length);
}

/** The number of open quotes in a block. */
const OPEN = new WeakMap<StateInline, { single: number; double: number }>();

const LETTER = /^[\p{L}]/u;
const LETTER_OR_DIGIT = /[\p{L}\p{Nd}]$/u;
const SPACE_OR_SIGN = /[\p{P}\s]$/u;
/** Contractions, whose apostrophe looks like an opening quote: `'s`, `'ve`. */
const SHORTENED = /^(?:[smtd]|ve|ll|re)(?![\p{L}\p{N}])/u;

/** Goldmark's typographer: the characters around a quote and the open quotes decide which sign it becomes. */
function quotes(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  const quote = src[pos];
  if (quote !== '"' && quote !== "'") return false;
  const text = quoteAt(state, quote, silent);
  return text !== null && replaceSigns(state, silent, text, 1);
}

function quoteAt(state: StateInline, quote: '"' | "'", silent: boolean): string | null {
  const { src, pos } = state;
  const before = pos === 0 ? '\n' : src.slice(Math.max(0, pos - 2), pos);
  const after = src.slice(pos + 1, pos + 8);
  const { can_open: canOpen, can_close: canClose } = state.scanDelims(pos, true);
  const open = OPEN.get(state) ?? { single: 0, double: 0 };
  OPEN.set(state, open);
  const count = (kind: 'single' | 'double', by: number): void => void (open[kind] += silent ? 0 : by);
  const closes = canClose && (!canOpen || /^[\p{P}](?:[\s\p{P}]|$)/u.test(after));
  if (quote === '"') {
    if (canOpen && !canClose) {
      count('double', 1);
      return '“';
    }
    if (open.double === 0 || !closes || (after.startsWith('"') && /\d$/.test(before))) return null;
    count('double', -1);
    return '”';
  }
  if (canOpen && !canClose && /^\d\ds(?:[\s\p{P}]|$)/u.test(after)) return '’';
  if (SPACE_OR_SIGN.test(before) && /^[tenl]/.test(after)) return '’';
  if (LETTER_OR_DIGIT.test(before) && LETTER.test(after)) return '’';
  if (canOpen && !canClose) {
    if (SHORTENED.test(after)) return '’';
    count('single', 1);
    return '‘';
  }
  if (after !== '' && !/^\d/.test(after)) return '’';
  if (open.single === 0 || !closes) return null;
  count('single', -1);
  return '’';
}
