import type { MarkdownIt, StateCore, Token } from 'markdown-it';

const MARK = /^\s*\{:\s*toc\b[^}]*\}\s*$/m;

/** kramdown's `{:toc}`: the first list with this mark is replaced by links to the headings. */
export function tableOfContents(md: MarkdownIt): void {
  md.core.ruler.push('table_of_contents', (state) => {
    const mark = state.tokens.findIndex(({ type, content }) => type === 'inline' && MARK.test(content));
    const list = mark === -1 ? null : listAround(state.tokens, mark);
    if (list === null) return;
    const { tag } = state.tokens[list.start] ?? {};
    const contents = contentsOf(state, tag === 'ol' ? 'ol' : 'ul');
    state.tokens.splice(list.start, list.end + 1 - list.start, ...contents);
  });
}

/** The list that ends with a mark, or that directly precedes it. */
function listAround(tokens: readonly Token[], mark: number): { start: number; end: number } | null {
  const inside = tokens
    .slice(0, mark)
    .findLastIndex(({ type, level }) => isList(type, 'open') && level === 0);
  const end = tokens.findIndex(({ type, level }, at) => at > inside && isList(type, 'close') && level === 0);
  if (inside === -1 || end === -1) return null;
  if (end > mark) return { start: inside, end };
  const isNext = end === mark - 2 && tokens[mark - 1]?.type === 'paragraph_open';
  return isNext ? { start: inside, end: mark + 1 } : null;
}

function isList(type: string, end: 'open' | 'close'): boolean {
  return type === `bullet_list_${end}` || type === `ordered_list_${end}`;
}

/** `{:.no_toc}` is on the line below a heading. */
function isLeftOut(tokens: readonly Token[], heading: number): boolean {
  return /^\{:[^}]*\.no_toc\b/.test(tokens[heading + 4]?.content ?? '');
}

function contentsOf(state: StateCore, tag: 'ul' | 'ol'): Token[] {
  const out: Token[] = [];
  const open: number[] = [];
  const push = (type: string, name: string, nesting: -1 | 0 | 1): Token => {
    const token = new state.Token(type, name, nesting);
    out.push(token);
    return token;
  };
  const list = tag === 'ol' ? 'ordered_list' : 'bullet_list';
  const close = (): void => {
    push('list_item_close', 'li', -1);
    push(`${list}_close`, tag, -1);
    open.pop();
  };
  for (const [at, heading] of state.tokens.entries()) {
    if (heading.type !== 'heading_open' || isLeftOut(state.tokens, at)) continue;
    const inline = state.tokens[at + 1];
    const depth = Number(heading.tag.slice(1));
    while (open.length > 1 && (open.at(-1) ?? 0) > depth && (open.at(-2) ?? 0) >= depth) close();
    if (open.length === 0 || (open.at(-1) ?? 0) < depth) {
      push(`${list}_open`, tag, 1);
      open.push(depth);
    } else push('list_item_close', 'li', -1);
    push('list_item_open', 'li', 1);
    push('link_open', 'a', 1).attrs = [['href', `#${String(heading.attrGet('id') ?? '')}`]];
    const text = push('inline', '', 0);
    text.children = (inline?.children ?? []).filter(({ type }) => !type.startsWith('link_'));
    push('link_close', 'a', -1);
  }
  while (open.length > 0) close();
  return out;
}
