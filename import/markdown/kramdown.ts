/**
 * Rewrites kramdown (Jekyll's Markdown) so that CommonMark reads it in the same way:
 *
 * - `1)` does not begin a list,
 * - an HTML element continues over blank lines, until its end tag.
 *
 * Fenced code is left unchanged.
 */
export function asCommonMark(text: string): string {
  const lines = text.split('\n');
  const out: string[] = [];
  // For an element without an end tag, the search reaches the end of the text.
  let budget = 20 * lines.length;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const fence = FENCE.exec(line)?.[1];
    const tag = fence === undefined ? ELEMENT.exec(line)?.[1] : undefined;
    let end: number | null = null;
    if (fence !== undefined) end = fenceEnd(lines, at, fence);
    else if (tag !== undefined && budget > 0) {
      const found = elementEnd(lines, at, tag.toLowerCase(), budget);
      budget -= found.read;
      end = found.end;
    }
    if (end === null) out.push(line.replace(NO_LIST, '$1\\$2'));
    else {
      const block = lines.slice(at, end + 1);
      const isClosed = tag !== undefined && !block.some((part) => VERBATIM.test(part));
      out.push(...(isClosed ? block.filter((part) => part.trim() !== '') : block));
      at = end;
    }
  }
  return out.join('\n');
}

const FENCE = /^[ \t>]*(`{3,}|~{3,})[^`]*$/;
const NO_LIST = /^([ \t>]*\d{1,9})(\)(?=[ \t]))/;
const VERBATIM = /<(?:pre|textarea|script|style)\b/i;
/** Elements whose content is HTML to kramdown by default. */
const ELEMENT =
  /^ {0,3}<(div|figure|table|section|article|aside|details|center|video|audio|ul|ol|dl|form|header|footer|nav|blockquote)(?=[\s>])(?![^>]*\bmarkdown=)/i;

function fenceEnd(lines: readonly string[], start: number, fence: string): number {
  const close = new RegExp(`^[ \\t>]*${fence[0] === '~' ? '~' : '`'}{${fence.length},}[ \\t]*$`);
  let end = start + 1;
  while (end < lines.length - 1 && !close.test(lines[end] ?? '')) end += 1;
  return Math.min(end, lines.length - 1);
}

function elementEnd(
  lines: readonly string[],
  start: number,
  tag: string,
  budget: number,
): { end: number | null; read: number } {
  const tags = new RegExp(`<(/?)${tag}(?=[\\s>/])`, 'gi');
  let depth = 0;
  for (let at = start; at < lines.length && at - start < budget; at++) {
    for (const [, close] of (lines[at] ?? '').matchAll(tags)) depth += close === '' ? 1 : -1;
    if (depth <= 0) return { end: at, read: at - start };
  }
  return { end: null, read: lines.length - start };
}
