import { PositionIndex, TextSearch } from '../article/text-search.ts';

/**
 * Finds code in Markdown, where template tags are examples. A full parser cannot do it, as the text is not Markdown
 * until the tags are expanded; so this uses the same marks.
 */

const FENCE = /(?<prefix>[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*)(?<mark>`{3,}|~{3,})(?<info>[^\n]*)/y;
const CLOSING_FENCE = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/gm;
const ELEMENT = /<(pre|code|script|style|textarea)\b/iy;
const ELEMENT_ENDS = new Map(
  ['pre', 'code', 'script', 'style', 'textarea'].map((name) => [name, new RegExp(`</${name}\\s*>`, 'gi')]),
);
const PARAGRAPH_END = /\n[ \t]*\n/g;

/**
 * Returns the end of the code that begins exactly at a position, or null: a fenced or indented block (at a line's
 * start), a span between back-ticks, or an HTML element. Positions must rise; the text is read once.
 */
export function codeFinder(text: string): (start: number) => number | null {
  const search = new TextSearch(text);
  const openerBefore = openers(text);
  let runs: PositionIndex | null = null;

  return (start) => {
    const atLineStart = start === 0 || text[start - 1] === '\n';
    return (
      (atLineStart ? (fenceEnd(text, start) ?? indentedEnd(start)) : null) ??
      (text[start] === '`' ? spanEnd(start) : null) ??
      (text[start] === '<' ? elementEnd(start) : null)
    );
  };

  /** An indented block follows a blank line, and is not in a list, where indentation continues an item. */
  function indentedEnd(start: number): number | null {
    if (!/^(?: {4}| {0,3}\t)[ \t]*\S/.test(text.slice(start, start + 80))) return null;
    if (!/(?:^|\n)[ \t]*\n$/.test(text.slice(Math.max(0, start - 80), start)) && start > 0) return null;
    if (/^ {0,3}(?:[-*+]|\d+[.)])[ \t]/.test(openerBefore(start))) return null;
    const after = /^(?![ \t]*$)(?! {4}| {0,3}\t)/gm;
    after.lastIndex = start;
    const next = after.exec(text);
    return next === null ? text.length : next.index;
  }

  /** A span closes with the same number of back-ticks, and never continues after a blank line. */
  function spanEnd(start: number): number | null {
    if (text[start - 1] === '\\' || text[start - 1] === '`') return null;
    const size = runLength(text, start);
    runs ??= backtickRuns(text);
    const close = runs.next(String(size), start + size);
    const limit = search.match(PARAGRAPH_END, start)?.index ?? text.length;
    return close === null || close >= limit ? null : close + size;
  }

  function elementEnd(start: number): number | null {
    if (text.startsWith('<!--', start)) {
      const close = search.indexOf('-->', start + 4);
      return close === null ? null : close + 3;
    }
    ELEMENT.lastIndex = start;
    const [tag = '', name = ''] = ELEMENT.exec(text) ?? [];
    const end = ELEMENT_ENDS.get(name.toLowerCase());
    const open = end === undefined ? null : search.indexOf('>', start + tag.length);
    const close = end === undefined || open === null ? null : search.match(end, open + 1);
    return close === null ? null : close.index + close[0].length;
  }
}

function fenceEnd(text: string, start: number): number | null {
  FENCE.lastIndex = start;
  const { mark = '', info = '' } = FENCE.exec(text)?.groups ?? {};
  // Back-ticks after the mark make it a span: ```like this```.
  if (mark === '' || (mark.startsWith('`') && info.includes('`'))) return null;
  CLOSING_FENCE.lastIndex = lineEnd(text, start);
  for (let close = CLOSING_FENCE.exec(text); close !== null; close = CLOSING_FENCE.exec(text)) {
    if (close[1]?.startsWith(mark)) return close.index + close[0].length;
  }
  return text.length;
}

/** Returns the last unindented line before a position; positions must rise. */
function openers(text: string): (start: number) => string {
  let read = 0;
  let opener = '';
  return (start) => {
    while (read < start) {
      const end = Math.min(lineEnd(text, read), start);
      const line = text.slice(read, Math.min(end, read + 80));
      if (/^ {0,3}\S/.test(line)) opener = line;
      read = end + 1;
    }
    return opener;
  };
}

function backtickRuns(text: string): PositionIndex {
  const runs = new PositionIndex();
  for (const run of text.matchAll(/`+/g)) runs.add(String(run[0].length), run.index);
  return runs;
}

function runLength(text: string, start: number): number {
  let end = start;
  while (text[end] === '`') end += 1;
  return end - start;
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end;
}
