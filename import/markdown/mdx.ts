import { TextSearch } from '../article/text-search.ts';
import type { Finder } from './losses.ts';

/** Real tags and expressions are shorter. */
const MAX_LENGTH = 20_000;

const MODULE_LINE = /(import|export)\s[^]*?(?:\n[ \t]*(?:\n|$(?![^]))|$(?![^]))/y;
const TAG = /<(\/?)([A-Z][\w.]*|(?=\/?>))/y;
/** An attribute of an element, up to its expression. */
const ATTRIBUTE = /\s[\w:-]+=(?=\{)/y;
const STRING = /^\s*(?:"([^"\\]*)"|'([^'\\]*)'|`([^`\\$]*)`)\s*$/;

/** Imports, exports, expressions, components and fragments of MDX. Components and fragments leave their children. */
export function mdxFinder(text: string): Finder {
  const search = new TextSearch(text);
  const closings = closingBraces(text);

  return (at) => moduleLine(at) ?? expression(at) ?? component(at);

  function moduleLine(at: number): ReturnType<Finder> {
    if (at > 0 && !text.startsWith('\n\n', at - 2)) return null;
    MODULE_LINE.lastIndex = at;
    const [line, what] = MODULE_LINE.exec(text) ?? [];
    if (line === undefined || what === undefined) return null;
    return { end: at + line.length, what, detail: line.trim().slice(0, 100) };
  }

  function expression(at: number): ReturnType<Finder> {
    if (text[at - 1] === '\\') return null;
    ATTRIBUTE.lastIndex = at;
    const from = at + (ATTRIBUTE.exec(text)?.[0].length ?? 0);
    const end = text[from] === '{' ? closings.get(from) : undefined;
    if (end === undefined || end > from + MAX_LENGTH) return null;
    const written = text.slice(from + 1, end - 1);
    const [, double, single, template] = STRING.exec(written) ?? [];
    const shown = double ?? single ?? template;
    if (shown !== undefined && from === at) return { end, what: null, shown };
    return { end, what: 'expression', detail: written.trim().slice(0, 100) };
  }

  function component(at: number): ReturnType<Finder> {
    TAG.lastIndex = at;
    const [head, slash, name = ''] = TAG.exec(text) ?? [];
    const end = head === undefined ? null : endOfTag(at + head.length);
    if (end === null) return null;
    return { end, what: slash === '' ? `component ${name || 'fragment'}` : null };
  }

  /** The end of a tag: its `>`, outside of quotes and expressions. */
  function endOfTag(from: number): number | null {
    let at = from;
    while (at < Math.min(text.length, from + MAX_LENGTH)) {
      const sign = text[at] ?? '';
      if (sign === '>') return at + 1;
      if (sign === '<') return null;
      if (sign === '{') at = closings.get(at) ?? text.length;
      else if (sign === '"' || sign === "'") at = (search.indexOf(sign, at + 1) ?? text.length) + 1;
      else at += 1;
    }
    return null;
  }
}

/** The position after the brace that closes each. */
function closingBraces(text: string): ReadonlyMap<number, number> {
  const closings = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: brace, index } of text.matchAll(/[{}]/g)) {
    if (brace === '{') open.push(index);
    else {
      const start = open.pop();
      if (start !== undefined) closings.set(start, index + 1);
    }
  }
  return closings;
}
