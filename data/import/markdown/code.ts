/**
 * Finds code in Markdown, where a template tag is an example and not an order. A full parser cannot be
 * asked, since the tags stand in the text before it is Markdown; so this goes by the same marks as one.
 */

const FENCE = /(?<prefix>[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*)(?<mark>`{3,}|~{3,})(?<info>[^\n]*)/y;
const HTML_CODE = /<(?<name>pre|code|script|style|textarea)\b[^>]*>[^]*?<\/\k<name>\s*>|<!--[^]*?-->/iy;

/**
 * The end of the code that begins exactly at `start`, or null when none begins there: a fenced or
 * indented block (`start` must be a line's start), a span between back-ticks, or an HTML element.
 */
export function codeEnd(text: string, start: number): number | null {
  const atLineStart = start === 0 || text[start - 1] === '\n';
  return (
    (atLineStart ? (fenceEnd(text, start) ?? indentedEnd(text, start)) : null) ??
    (text[start] === '`' ? spanEnd(text, start) : null) ??
    (text[start] === '<' ? matchEnd(HTML_CODE, text, start) : null)
  );
}

function fenceEnd(text: string, start: number): number | null {
  FENCE.lastIndex = start;
  const { mark = '', info = '' } = FENCE.exec(text)?.groups ?? {};
  // Back-ticks after the mark make it a span: ```like this```.
  if (mark === '' || (mark.startsWith('`') && info.includes('`'))) return null;
  const closing = new RegExp(`^[ \\t>]*[${mark.charAt(0)}]{${mark.length},}[ \\t]*$`, 'gm');
  closing.lastIndex = lineEnd(text, start);
  const close = closing.exec(text);
  return close === null ? text.length : close.index + close[0].length;
}

/** An indented block stands after a blank line, and not in a list, where indentation goes on an item. */
function indentedEnd(text: string, start: number): number | null {
  if (!/^(?: {4}| {0,3}\t)[ \t]*\S/.test(text.slice(start, start + 80))) return null;
  if (!/(?:^|\n)[ \t]*\n$/.test(text.slice(Math.max(0, start - 80), start)) && start > 0) return null;
  const before = text.slice(0, start).split('\n');
  const opener = before.findLast((line) => /^ {0,3}\S/.test(line)) ?? '';
  if (/^ {0,3}(?:[-*+]|\d+[.)])[ \t]/.test(opener)) return null;
  const after = /^(?![ \t]*$)(?! {4}| {0,3}\t)/gm;
  after.lastIndex = start;
  const next = after.exec(text);
  return next === null ? text.length : next.index;
}

/** A span closes with as many back-ticks as it began, and never goes on after a blank line. */
function spanEnd(text: string, start: number): number | null {
  if (text[start - 1] === '\\' || text[start - 1] === '`') return null;
  const size = /^`+/.exec(text.slice(start))?.[0].length ?? 0;
  const paragraph = /\n[ \t]*\n|$(?![^])/g;
  paragraph.lastIndex = start;
  const limit = paragraph.exec(text)?.index ?? text.length;
  const close = new RegExp(`(?<!\`)\`{${size}}(?!\`)`, 'g');
  close.lastIndex = start + size;
  const found = close.exec(text);
  return found === null || found.index >= limit ? null : found.index + size;
}

function matchEnd(pattern: RegExp, text: string, start: number): number | null {
  pattern.lastIndex = start;
  const match = pattern.exec(text);
  return match === null ? null : start + match[0].length;
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end;
}
