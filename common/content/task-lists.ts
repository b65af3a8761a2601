import type { MarkdownIt, Token } from 'markdown-it';

const MARK = /^\[([ xX])\](?=\s)/;

/** `- [x] done` with a ticked box, as on GitHub: as a character, since articles have no form elements. */
export function taskLists(md: MarkdownIt): void {
  md.core.ruler.after('inline', 'task_lists', ({ tokens }) => {
    for (const [index, { type, children }] of tokens.entries()) {
      const first = children?.[0];
      if (type !== 'inline' || first?.type !== 'text' || !beginsItem(tokens, index)) continue;
      first.content = first.content.replace(MARK, (_mark, state: string) => (state === ' ' ? '☐' : '☑'));
    }
  });
}

function beginsItem(tokens: readonly Token[], index: number): boolean {
  return tokens[index - 1]?.type === 'paragraph_open' && tokens[index - 2]?.type === 'list_item_open';
}
