import type { MarkdownIt, StateInline } from 'markdown-it';

/** Characters at which an inline rule may begin. Typographic rules need quotes and dots. */
const SIGNS = /[\n!"#$%&'*+\-.:<=>@[\\\]^_`{}~]/g;

/** Lets inline rules begin at quotes and dots too, which markdown-it skips. */
export function stopAtQuotes(md: MarkdownIt): void {
  md.inline.ruler.at('text', (state, silent) => {
    SIGNS.lastIndex = state.pos;
    const next = Math.min(SIGNS.exec(state.src)?.index ?? state.posMax, state.posMax);
    if (next === state.pos) return false;
    if (!silent) state.pending += state.src.slice(state.pos, next);
    state.pos = next;
    return true;
  });
}

/** Adds text in place of a number of source characters. */
export function replaceSigns(state: StateInline, silent: boolean, text: string, length: number): true {
  if (!silent) state.pending += text;
  state.pos += length;
  return true;
}
