import { codeBlocks } from '../../common/content/markdown.ts';
import { TextSearch } from '../article/text-search.ts';

const ELEMENT = /<(pre|code|script|style|textarea)\b/iy;
const ELEMENT_ENDS = new Map(
  ['pre', 'code', 'script', 'style', 'textarea'].map((name) => [name, new RegExp(`</${name}\\s*>`, 'gi')]),
);
const PARAGRAPH_END = /\n[ \t]*\n/g;

/**
 * Returns the end of the code that begins exactly at a position, or null: a block of code (at a line's start), a span
 * between back-ticks, an HTML element or a comment. Positions must rise; the text is read once.
 *
 * @param isMarkdown otherwise it is HTML, which has only elements
 */
export function codeFinder(text: string, isMarkdown: boolean): (start: number) => number | null {
  const search = new TextSearch(text);
  const blocks = isMarkdown ? blocksIn(text) : new Map<number, number>();
  const spanEnd = spanFinder(text);

  return (start) =>
    blocks.get(start) ??
    (isMarkdown ? spanEnd(start) : null) ??
    (text[start] === '<' ? elementEnd(start) : null);

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

/**
 * Returns the end of the code span that begins exactly at a position, or null. It closes with the same number of
 * back-ticks, and never continues after a blank line. Positions must rise.
 */
export function spanFinder(text: string): (start: number) => number | null {
  const search = new TextSearch(text);
  let ends: ReadonlyMap<number, number> | null = null;
  return (start) => {
    if (text[start] !== '`' || text[start - 1] === '\\' || text[start - 1] === '`') return null;
    ends ??= spanEnds(text);
    const end = ends.get(start);
    const limit = search.match(PARAGRAPH_END, start)?.index ?? text.length;
    return end === undefined || end > limit ? null : end;
  };
}

/** The blocks of code in a text: where each begins and ends. */
function blocksIn(text: string): ReadonlyMap<number, number> {
  const lines = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.push(at + 1);
  return new Map(
    codeBlocks(text).map(([from, to]) => [lines[from] ?? text.length, lines[to] ?? text.length]),
  );
}

/** For each run of back-ticks, the end of the next one of the same length. */
function spanEnds(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const nextEnds = new Map<number, number>();
  for (const { 0: run, index } of [...text.matchAll(/`+/g)].reverse()) {
    const end = nextEnds.get(run.length);
    if (end !== undefined) ends.set(index, end);
    nextEnds.set(run.length, index + run.length);
  }
  return ends;
}
