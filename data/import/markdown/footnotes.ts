import type { Env, MarkdownIt, StateBlock, StateCore, StateInline, Token } from 'markdown-it';

const DEFINITION = /^\[\^([^\]\s]+)\]:[ \t]*/;

interface Footnotes {
  /** Labels that have a definition. */
  readonly defined: Set<string>;
  /** Labels in the order of their first reference, and the number that it gave them. */
  readonly referred: Map<string, number>;
  /** How many definitions the one that is being read stands in. */
  depth: number;
}

/** A note within a note within a note: each is parsed once more for every note around it. */
const MAX_DEPTH = 3;

/** Footnotes as in GitHub's Markdown: `text[^1]` and, anywhere, `[^1]: the note`. */
export function footnotes(md: MarkdownIt): void {
  md.block.ruler.before('reference', 'footnote', definition, { alt: ['paragraph', 'reference'] });
  md.inline.ruler.before('link', 'footnote_reference', reference);
  md.core.ruler.after('inline', 'footnote_list', list);
}

/** Kept beside each text that is being parsed. */
const NOTES = new WeakMap<Env, Footnotes>();

function notesOf(env: Env): Footnotes {
  const notes = NOTES.get(env) ?? { defined: new Set(), referred: new Map(), depth: 0 };
  NOTES.set(env, notes);
  return notes;
}

/** A definition and the lines that go on with it, indented or lazily. */
function definition(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  const match = DEFINITION.exec(state.src.slice(start, state.eMarks[startLine]));
  if (match === null || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const notes = notesOf(state.env);
  if (notes.depth === MAX_DEPTH) return false;
  if (silent) return true;
  const label = match[1] ?? '';
  const lines = [state.src.slice(start + match[0].length, state.eMarks[startLine])];
  let line = startLine + 1;
  for (; line < endLine; line++) {
    const text = state.src.slice(state.bMarks[line], state.eMarks[line]);
    const wasBlank = lines.at(-1)?.trim() === '';
    if (text.trim() !== '' && !/^(?: {2,}|\t)/.test(text) && (wasBlank || DEFINITION.test(text))) break;
    lines.push(text.replace(/^(?: {1,4}|\t)/, ''));
  }
  const open = state.push('footnote_open', '', 1);
  open.meta = { label };
  open.hidden = true;
  notes.defined.add(label);
  notes.depth += 1;
  state.md.block.parse(lines.join('\n'), state.md, state.env, state.tokens);
  notes.depth -= 1;
  state.push('footnote_close', '', -1).hidden = true;
  state.line = line;
  return true;
}

function reference(state: StateInline, silent: boolean): boolean {
  const match = /^\[\^([^\]\s]+)\]/.exec(state.src.slice(state.pos, state.pos + 200));
  const notes = notesOf(state.env);
  const label = match?.[1];
  if (match === null || label === undefined || !notes.defined.has(label)) return false;
  if (!silent) {
    const number = notes.referred.get(label) ?? notes.referred.size + 1;
    notes.referred.set(label, number);
    const token = state.push('html_inline', '', 0);
    token.content = `<sup><a href="#fn-${number}">${number}</a></sup>`;
  }
  state.pos += match[0].length;
  return true;
}

/** Takes the notes out of the text and lists them at its end, in the order they are referred to. */
function list(state: StateCore): void {
  const bodies = new Map<string, Token[]>();
  const kept: Token[] = [];
  let into: Token[] = kept;
  for (const token of state.tokens) {
    if (token.type === 'footnote_open') {
      into = [];
      bodies.set(String(token.meta?.label), into);
    } else if (token.type === 'footnote_close') into = kept;
    else into.push(token);
  }
  const { referred } = notesOf(state.env);
  // A note that only another note refers to comes after it; one that none refers to comes last.
  const order = [...new Set([...referred.keys(), ...bodies.keys()])].filter((label) => bodies.has(label));
  if (order.length === 0) return;
  const html = (content: string): Token => {
    const token = new state.Token('html_block', '', 0);
    token.content = content;
    return token;
  };
  const items = order.flatMap((label, index) => [
    html(`<li id="fn-${index + 1}">\n`),
    ...(bodies.get(label) ?? []),
    html('</li>\n'),
  ]);
  state.tokens = [
    ...kept,
    html('<section class="footnotes">\n<ol>\n'),
    ...items,
    html('</ol>\n</section>\n'),
  ];
}
