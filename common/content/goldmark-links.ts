import type { MarkdownIt, StateInline } from 'markdown-it';

/** Goldmark's own pattern for addresses: they end at a backslash, and the host has a dot. */
const ADDRESS =
  /(?:https?|ftp):\/\/[-a-zA-Z0-9@:%._+~#=]{1,256}\.[a-z]+(?::\d+)?(?:[/#?][-a-zA-Z0-9@:%_+.~#$!?&/=();,'">^{}[\]`]*)?/y;
const SCHEME = /(?:https?|ftp)$/;
/** What may precede an address; otherwise it is plain text. */
const BEFORE = /^[\s*_~(]?$/;

/** Bare addresses as Goldmark links them, detected at their colon. */
export function goldmarkLinks(md: MarkdownIt): void {
  md.core.ruler.disable('linkify'); // It would link all other addresses.
  md.inline.ruler.at('linkify', (state, silent) => {
    const scheme = state.src[state.pos] === ':' ? SCHEME.exec(state.pending)?.[0] : undefined;
    if (scheme === undefined || state.linkLevel > 0) return false;
    const start = state.pos - scheme.length;
    const address = BEFORE.test(state.src.charAt(start - 1)) ? addressAt(state, start) : '';
    const href = md.normalizeLink(address);
    if (address.length <= scheme.length || !md.validateLink(href)) return false;
    if (!silent) {
      state.pending = state.pending.slice(0, -scheme.length);
      state.push('link_open', 'a', 1).attrs = [['href', href]];
      state.push('text', '', 0).content = md.normalizeLinkText(address);
      state.push('link_close', 'a', -1);
    }
    state.pos = start + address.length;
    return true;
  });
}

/** Without the punctuation that ends the sentence; empty if there is no address. */
function addressAt({ src }: StateInline, start: number): string {
  ADDRESS.lastIndex = start;
  const address = ADDRESS.exec(src)?.[0] ?? '';
  return withoutParentheses(address.replace(/&[a-zA-Z0-9]+;$/, '')).replace(/[?!.,:*_~]+$/, '');
}

/** `(see https://a.example/)` ends before the parenthesis that was opened before it. */
function withoutParentheses(address: string): string {
  if (!address.endsWith(')')) return address;
  const open = address.split(')').length - address.split('(').length;
  return open > 0 ? address.slice(0, -open) : address;
}
