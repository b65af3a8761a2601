import type { MarkdownIt, StateCore, Token } from 'markdown-it';

const MARK = /^\[([ xX])\]\s+/;

/** `- [x] done` as a ticked checkbox, as on GitHub. */
export function taskLists(md: MarkdownIt): void {
  md.core.ruler.after('inline', 'task_lists', (state) => {
    for (const [index, token] of state.tokens.entries()) {
      if (token.type === 'inline' && beginsItem(state.tokens, index)) addBox(state, token);
    }
  });
}

function beginsItem(tokens: readonly Token[], index: number): boolean {
  return tokens[index - 1]?.type === 'paragraph_open' && tokens[index - 2]?.type === 'list_item_open';
}

function addBox(state: StateCore, inline: Token): void {
  const [first, ...others] = inline.children ?? [];
  const mark = first?.type === 'text' ? MARK.exec(first.content) : null;
  if (first === undefined || mark === null) return;
  first.content = first.content.slice(mark[0].length);
  const box = new state.Token('task_box', 'input', 0);
  box.attrs = [
    ['type', 'checkbox'],
    ['disabled', ''],
    ...(mark[1] === ' ' ? [] : [['checked', ''] as [string, string]]),
  ];
  inline.children = [box, first, ...others];
}
