import type { MarkdownIt, StateCore, Token } from 'markdown-it';

const MARK = /^\[!(note|tip|important|warning|caution)\]$/i;

/** GitHub's alerts: a quote whose first line is `[!NOTE]` is a quote with the title "Note". */
export function alerts(md: MarkdownIt): void {
  md.core.ruler.after('inline', 'alerts', (state) => {
    for (let at = state.tokens.length - 1; at > 1; at--) {
      if (state.tokens[at - 2]?.type === 'blockquote_open') addTitle(state, at);
    }
  });
}

/** @param at the place of the first paragraph's text */
function addTitle({ tokens, Token: TokenOf }: StateCore, at: number): void {
  const [open, inline, close] = tokens.slice(at - 1, at + 2);
  const children = inline?.children ?? [];
  const [, kind = ''] = (children[0]?.type === 'text' && MARK.exec(children[0].content.trim())) || [];
  const isAlone = children.length === 1 || /^(?:soft|hard)break$/.test(children[1]?.type ?? '');
  if (kind === '' || !isAlone || !open || !inline || !close) return;
  const title = new TokenOf('text', '', 0);
  title.content = kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase();
  const line = Object.assign(new TokenOf('inline', '', 0), {
    children: [new TokenOf('strong_open', 'strong', 1), title, new TokenOf('strong_close', 'strong', -1)],
  });
  const rest = Object.assign(new TokenOf('inline', '', 0), { children: children.slice(2) });
  const paragraphs: Token[] = [open, line, close, ...(rest.children.length > 0 ? [open, rest, close] : [])];
  tokens.splice(at - 1, 3, ...paragraphs);
}
