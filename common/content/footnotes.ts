import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it';
import markdownItFootnote from 'markdown-it-footnote';
import { PostUnreadable } from './errors.ts';

/** The plugin copies all tokens for each note and scans the whole paragraph for the end of a label. */
const MAX_NOTES = 2_000;
const MAX_LABEL = 200;

/** Footnotes as in GitHub's Markdown: `text[^1]` and, anywhere, `[^1]: the note`. */
export function footnotes(md: MarkdownIt): void {
  md.use(markdownItFootnote);
  md.disable('footnote_inline'); // No supported generator reads `^[a-z]` as a note.
  md.inline.ruler.before('footnote_ref', 'no_footnote_ref', parseBrokenReference);
  md.core.ruler.before('footnote_tail', 'footnote_apart', moveNestedNotes);
  Object.assign(md.renderer.rules, RULES);
}

/** Ids and links; the only class is the one that identifies the list. */
const RULES: MarkdownIt['renderer']['rules'] = {
  footnote_ref: (tokens, at) => {
    const { number, reference } = noteIds(tokens[at]);
    return `<sup><a href="#fn-${number}" id="${reference}">${number}</a></sup>`;
  },
  footnote_block_open: () => '<section class="footnotes">\n<ol>\n',
  footnote_open: (tokens, at) => `<li id="fn-${noteIds(tokens[at]).number}">\n`,
  // The text form of the arrow: phones show the other one as a picture.
  footnote_anchor: (tokens, at) => ` <a href="#${noteIds(tokens[at]).reference}">\u21a9\ufe0e</a>`,
};

/** The ids of the note (numbered from 1) and of one reference to it. */
function noteIds(token: Token | undefined): { readonly number: number; readonly reference: string } {
  const number = Number(token?.meta?.id) + 1;
  const again = Number(token?.meta?.subId ?? 0);
  return { number, reference: again === 0 ? `fnref-${number}` : `fnref-${number}-${again + 1}` };
}

function parseBrokenReference(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith('[^', state.pos)) return false;
  if (state.src.slice(state.pos, state.pos + MAX_LABEL).includes(']')) return false;
  if (!silent) state.pending += '[';
  state.pos += 1;
  return true;
}

/** Moves nested notes out of their notes: the plugin would lose the outer text. */
function moveNestedNotes(state: StateCore): void {
  const kept: Token[] = [];
  const open: Token[][] = [];
  const notes: Token[] = [];
  let count = 0;
  for (const token of state.tokens) {
    if (token.type === 'footnote_reference_open') {
      if (++count > MAX_NOTES) throw new PostUnreadable(`has more than ${MAX_NOTES} footnotes`);
      open.push([token]);
    } else if (token.type === 'footnote_reference_close') {
      for (const part of open.pop() ?? []) notes.push(part);
      notes.push(token);
    } else (open.at(-1) ?? kept).push(token);
  }
  state.tokens = [...kept, ...notes];
}
