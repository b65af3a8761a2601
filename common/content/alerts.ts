import type { MarkdownIt, StateCore, Token } from 'markdown-it';

const MARK = /^\[!(note|tip|important|warning|caution)\]$/i;

/** GitHub's alerts: a quote whose first line is `[!NOTE]` is a quote with the title "Note". */
export function alerts(md: MarkdownIt): void {
  md.core.ruler.after('inline', 'alerts', (state) => {
    const tokens: Token[] = [];
    for (let at = 0; at < state.tokens.length;) {
      const titled = state.tokens[at - 1]?.type === 'blockquote_open' ? withTitle(state, at) : null;
      tokens.push(...(titled ?? state.tokens.slice(at, at + 1)));
      at += titled === null ? 1 : 3;
    }
    state.tokens = tokens;
  });
}

/** The first paragraph of a quote, whose three tokens begin at a place, with a title; null if it is no alert. */
function withTitle({ tokens, Token: TokenOf }: StateCore, at: number): Token[] | null {
  const [open, inline, close] = tokens.slice(at, at + 3);
  const children = inline?.children ?? [];
  const [, kind = ''] = (children[0]?.type === 'text' && MARK.exec(children[0].content.trim())) || [];
  const isAlone = children.length === 1 || /^(?:soft|hard)break$/.test(children[1]?.type ?? '');
  if (kind === '' || !isAlone || !open || !inline || !close) return null;
  const title = new TokenOf('text', '', 0);
  title.content = kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase();
  const line = Object.assign(new TokenOf('inline', '', 0), {
    children: [new TokenOf('strong_open', 'strong', 1), title, new TokenOf('strong_close', 'strong', -1)],
  });
  const rest = Object.assign(new TokenOf('inline', '', 0), { children: children.slice(2) });
  return [open, line, close, ...(rest.children.length > 0 ? [open, rest, close] : [])];
}
