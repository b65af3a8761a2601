import type { MarkdownIt, StateCore, Token } from 'markdown-it';

const ATTRIBUTES = /^\{:[^{}]{1,500}\}$/;
/** `* TOC` with `{:toc}` below: a list that kramdown replaces with its table of contents. */
const CONTENTS = /(?:^|\n)\{:\s?toc\b[^{}]{0,500}\}$/;
const LIST = /^(?:bullet|ordered)_list_open$/;

/**
 * kramdown's attribute lines, which CommonMark reads as text: `{: .class}` below a table is not a row, and a list that
 * only marks the place of the table of contents is not a list.
 */
export function attributeLines(md: MarkdownIt): void {
  md.core.ruler.after('block', 'attribute_lines', (state: StateCore) => {
    const { tokens } = state;
    const removed = new Set<Token>();
    for (const [index, { type, content }] of tokens.entries()) {
      if (type === 'tr_open') {
        const row = rowAt(tokens, index);
        if (isAttributes(row)) for (const token of row) removed.add(token);
      } else if (type === 'inline' && CONTENTS.test(content) && isAlone(tokens, index))
        for (const token of tokens.slice(index - 3, index + 4)) removed.add(token);
    }
    state.tokens = tokens.filter((token) => !removed.has(token));
  });
}

function rowAt(tokens: readonly Token[], start: number): readonly Token[] {
  let end = start;
  while (end < tokens.length && tokens[end]?.type !== 'tr_close') end++;
  return tokens.slice(start, end + 1);
}

function isAttributes(row: readonly Token[]): boolean {
  const [first, ...others] = row.filter(({ type }) => type === 'inline').map(({ content }) => content);
  return first !== undefined && ATTRIBUTES.test(first) && others.every((content) => content === '');
}

/** Whether the text is the only item of a list: surrounded by its list, item and paragraph tokens. */
function isAlone(tokens: readonly Token[], index: number): boolean {
  const [begin, end] = [tokens[index - 3], tokens[index + 3]];
  return begin !== undefined && LIST.test(begin.type) && end?.type === begin.type.replace('open', 'close');
}
