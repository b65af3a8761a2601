import type { MarkdownIt, StateBlock, StateCore, StateInline } from 'markdown-it';
import { definitionLists } from './definition-lists.ts';
import { stopAtQuotes } from './inline-text.ts';
import { attributesAt } from './kramdown-attributes.ts';
import { kramdownEmphasis } from './kramdown-emphasis.ts';
import { kramdownHtml } from './kramdown-html.ts';
import { kramdownQuotes, kramdownSigns } from './kramdown-quotes.ts';
import { kramdownTable } from './kramdown-table.ts';
import { taskLists } from './task-lists.ts';
import { tableOfContents } from './table-of-contents.ts';
import { escapeHtml } from './text.ts';

/** A Jekyll site's settings for Markdown, below `kramdown`. */
export interface KramdownOptions {
  /** Typographic quotes. */
  readonly quotes: boolean;
}

/** Where Jekyll's Markdown (kramdown with its GitHub parser) differs from CommonMark. */
export function kramdown(md: MarkdownIt, { quotes }: KramdownOptions): void {
  md.use(definitionLists).use(taskLists).use(tableOfContents).use(kramdownHtml);
  md.set({ linkify: false });
  md.block.ruler.at('table', kramdownTable, { alt: [] });
  md.block.ruler.at('heading', heading, { alt: ['paragraph', 'reference', 'blockquote'] });
  md.block.ruler.before('table', 'math', blockMath);
  md.block.ruler.before('reference', 'abbreviation', abbreviation);
  md.block.ruler.before('reference', 'definition', definition);
  md.use(stopAtQuotes);
  md.inline.ruler.at('escape', escapedSigns);
  md.inline.ruler.before('link', 'attributes', attributes);
  md.inline.ruler.at('backticks', codeSpan);
  md.inline.ruler.at('emphasis', kramdownEmphasis);
  md.inline.ruler2.disable('emphasis');
  md.inline.ruler.before('link', 'math', inlineMath);
  md.inline.ruler.after('image', 'lenient_link', lenientLink);
  if (quotes) md.inline.ruler.push('quotes', kramdownQuotes);
  md.inline.ruler.push('signs', kramdownSigns);
  md.core.ruler.push('empty_paragraphs', withoutEmptyParagraphs);
  for (const kind of ['math', 'math_block'])
    md.renderer.rules[kind] = (tokens, at) => {
      const { content = '' } = tokens[at] ?? {};
      return kind === 'math' ? `\\(${escapeHtml(content)}\\)` : `\\[${escapeHtml(content)}\\]\n`;
    };
}

const HEADING = /^#{1,6}(?=[ \t]|$)/;

/** A heading is not indented. */
function heading(state: StateBlock, start: number, _end: number, silent: boolean): boolean {
  if ((state.sCount[start] ?? 0) !== state.blkIndent) return false;
  const line = state.getLines(start, start + 1, state.blkIndent, false);
  const [marks] = HEADING.exec(line) ?? [];
  if (marks === undefined) return false;
  if (silent) return true;
  state.line = start + 1;
  const map: [number, number] = [start, state.line];
  const tag = `h${marks.length}`;
  Object.assign(state.push('heading_open', tag, 1), { markup: marks, map });
  Object.assign(state.push('inline', '', 0), {
    content: withoutClosing(line.slice(marks.length).trim()),
    map,
    children: [],
  });
  state.push('heading_close', tag, -1).markup = marks;
  return true;
}

/** A heading's text without the optional closing marks, which follow a space. */
function withoutClosing(text: string): string {
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  const isApart = end === 0 || /[ \t]/.test(text[end - 1] ?? '');
  return end < text.length && isApart ? text.slice(0, end).trimEnd() : text;
}

/** A standalone attribute list is not a paragraph. */
function withoutEmptyParagraphs(state: StateCore): void {
  const isEmpty = (at: number): boolean => {
    const [open, inline, close] = state.tokens.slice(at, at + 3);
    return (
      open?.type === 'paragraph_open' && inline?.children?.length === 0 && close?.type === 'paragraph_close'
    );
  };
  state.tokens = state.tokens.filter((_token, at) => ![at, at - 1, at - 2].some((start) => isEmpty(start)));
}

const ESCAPED = /\\[\\.*_+`<>()[\]{}#!:|"'$=\-~]/y;

/** Fewer characters than in CommonMark can be escaped. */
function escapedSigns(state: StateInline, silent: boolean): boolean {
  if (state.src.startsWith('\\\n', state.pos)) {
    if (!silent) state.push('hardbreak', 'br', 0);
    state.pos += 2;
    return true;
  }
  ESCAPED.lastIndex = state.pos;
  if (!ESCAPED.test(state.src)) return false;
  if (!silent) {
    const token = state.push('text_special', '', 0);
    token.content = state.src[state.pos + 1] ?? '';
    token.markup = `\\${token.content}`;
    token.info = 'escape';
  }
  state.pos += 2;
  return true;
}

/** Code ends at the first run with the same number of back-ticks, even within a longer one. */
function codeSpan(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src[pos] !== '`') return false;
  let size = 1;
  while (src[pos + size] === '`') size += 1;
  const from = pos + size;
  const isLoose =
    size === 1 && /(?:^|\s)$/.test(src.slice(Math.max(0, pos - 1), pos)) && /\s/.test(src[from] ?? '');
  // This length was searched for before and is not there.
  const known = state.backticks[size];
  const close = isLoose || (known !== undefined && known <= pos) ? -1 : src.indexOf('`'.repeat(size), from);
  if (close === -1 || close >= state.posMax) {
    if (!isLoose) state.backticks[size] = 0;
    if (!silent) state.pending += src.slice(pos, from);
    state.pos = from;
    return true;
  }
  if (!silent) {
    const token = state.push('code_inline', 'code', 0);
    const text = src.slice(from, close);
    token.content = size === 1 ? text : text.replace(/^ /, '').replace(/ $/, '');
  }
  state.pos = close + size;
  return true;
}

/** `{: .class}`, which has no effect without the site's styles. */
function attributes(state: StateInline): boolean {
  const length = attributesAt(state.src, state.pos);
  state.pos += length;
  return length > 0;
}

/** `*[HTML]: Hypertext …` only shows when the mouse is over the word. */
function abbreviation(state: StateBlock, startLine: number, _endLine: number, silent: boolean): boolean {
  const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  if (!/^\*\[[^\]\n]+\]:/.test(state.src.slice(start, state.eMarks[startLine]))) return false;
  if (!silent) state.line = startLine + 1;
  return true;
}

const DEFINITION =
  /^\[([^\]^][^\]]*)\]:[ \t]*(?:<([^>]*)>|(\S(?:[^"']|["'](?!.*["'][ \t]*$))*?))(?:[ \t]+(["'])(.+)\4)?[ \t]*$/;

/** `[a]: address`: the address is the rest of the line, including blanks. */
function definition(state: StateBlock, startLine: number, _endLine: number, silent: boolean): boolean {
  const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  const [all, label = '', bracketed, bare, , title = ''] =
    DEFINITION.exec(state.src.slice(start, Math.min(state.eMarks[startLine] ?? 0, start + MAX_ADDRESS))) ??
    [];
  if (all === undefined) return false;
  const href = state.md.normalizeLink(bracketed ?? bare ?? '');
  if (!state.md.validateLink(href)) return false;
  if (silent) return true;
  const references = (state.env.references ??= {});
  references[state.md.utils.normalizeReference(label)] = { title, href };
  state.line = startLine + 1;
  return true;
}

/** Inline `$$ … $$`: a formula that MathJax shows. */
function inlineMath(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith('$$', state.pos)) return false;
  const close = state.src.indexOf('$$', state.pos + 2);
  if (close === -1 || close >= state.posMax) return false;
  if (!silent) state.push('math', '', 0).content = state.src.slice(state.pos + 2, close).trim();
  state.pos = close + 2;
  return true;
}

/** A block of `$$ … $$` between blank lines. */
function blockMath(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  if (!state.src.startsWith('$$', start) || (startLine > 0 && !state.isEmpty(startLine - 1))) return false;
  for (let line = startLine; line < endLine; line++) {
    if (line > startLine && state.isEmpty(line)) return false;
    const from = line === startLine ? start + 2 : (state.bMarks[line] ?? 0);
    const close = state.src.indexOf('$$', from);
    const end = state.eMarks[line] ?? 0;
    if (close === -1 || close >= end) continue;
    if (state.src.slice(close + 2, end).trim() !== '' || (line + 1 < endLine && !state.isEmpty(line + 1)))
      return false;
    if (silent) return true;
    const token = state.push('math_block', '', 0);
    token.content = state.src.slice(start + 2, close).trim();
    token.map = [startLine, line + 1];
    state.line = line + 1;
    return true;
  }
  return false;
}

const TITLE = /[ \t\n]*(["'])([^]+?)\1\s*\)/y;

/** `[a](b c.png)`: an address may contain blanks. */
function lenientLink(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  const isImage = src.startsWith('![', pos);
  if (!isImage && (src[pos] !== '[' || state.linkLevel > 0)) return false;
  const labelStart = pos + (isImage ? 2 : 1);
  const labelEnd = state.md.helpers.parseLinkLabel(state, labelStart - 1, !isImage);
  if (labelEnd < 0 || src[labelEnd + 1] !== '(') return false;
  const address = addressAt(src, labelEnd + 1, posMax);
  if (address === null) return false;
  const href = state.md.normalizeLink(address.text);
  if (!state.md.validateLink(href)) return false;
  if (!silent) {
    state.pos = labelStart;
    state.posMax = labelEnd;
    if (isImage) {
      const token = state.push('image', 'img', 0);
      token.attrs = [
        ['src', href],
        ['alt', ''],
      ];
      token.content = src.slice(labelStart, labelEnd);
      token.children = [];
      state.md.inline.parse(token.content, state.md, state.env, token.children);
    } else {
      state.push('link_open', 'a', 1).attrs = [['href', href]];
      state.linkLevel += 1;
      state.md.inline.tokenize(state);
      state.linkLevel -= 1;
      state.push('link_close', 'a', -1);
    }
  }
  state.pos = address.end;
  state.posMax = posMax;
  return true;
}

const MAX_ADDRESS = 4_000;

/** The text between a bracket and its matching end, before a title; null if there is no end. */
function addressAt(src: string, open: number, max: number): { text: string; end: number } | null {
  let depth = 0;
  for (let at = open; at < Math.min(max, open + MAX_ADDRESS); at++) {
    if (src[at] === '(') depth += 1;
    else if (src[at] === ')') depth -= 1;
    else if (/\s/.test(src[at] ?? '') && /["']/.test(src[at + 1] ?? '')) {
      TITLE.lastIndex = 0;
      const title = TITLE.exec(src.slice(at, at + MAX_ADDRESS));
      return title === null ? null : { text: src.slice(open + 1, at).trim(), end: at + TITLE.lastIndex };
    }
    if (depth === 0) return { text: src.slice(open + 1, at).trim(), end: at + 1 };
  }
  return null;
}
