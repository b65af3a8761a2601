import { slug } from 'github-slugger';
import MarkdownIt, { type MarkdownIt as Parser } from 'markdown-it';
import type { Env, StateCore, Token } from 'markdown-it';
import { full as emoji } from 'markdown-it-emoji';
import { alerts } from './alerts.ts';
import { PostUnreadable } from './errors.ts';
import { expansionCounter } from './expansion.ts';
import { lineMarkup } from './line-markup.ts';
import { htmlToText } from './html-text.ts';
import { escapeHtml } from './text.ts';
import { footnotes } from './footnotes.ts';

/** At deeper nesting the parser drops text or leaves it unparsed. */
const MAX_NESTING = 100;

/** Each may become an element, and takes a kilobyte or more meanwhile. The build allows 100,000 elements. */
const MAX_MARKS = 120_000;
const MARK = /[*_~`[<&|\n]/g;

/**
 * Markdown as GitHub shows it: CommonMark with tables, strikethrough, footnotes, links of bare addresses, raw HTML, task
 * lists, alerts, and names of emoji.
 */
const github = parser().use(taskLists).use(alerts).use(emoji, { shortcuts: {} });

/** Descriptions. */
const lines = parser().use(lineMarkup);

function parser(): Parser {
  const md = new MarkdownIt({ html: true, linkify: true, maxNesting: MAX_NESTING }).use(footnotes);
  // Only full addresses: `node.js` and `main.rs` are names, not hosts.
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  md.core.ruler.after('inline', 'nesting', refuseTooDeep);
  md.core.ruler.push('blog', inBlog);
  md.renderer.rules['html_inline'] = (tokens, index) => {
    const content = tokens[index]?.content ?? '';
    return isElement(content) ? content : escapeHtml(content);
  };
  return md;
}

/**
 * HTML of a post's Markdown.
 *
 * @param linkTo resolves a link or an image of the post to its place on the site
 * @throws PostUnreadable if it nests too deeply, or has too many lines and marks
 */
export function renderMarkdown(source: string, linkTo?: LinkTo): string {
  refuseTooMany(source);
  const env: Env = {};
  if (linkTo !== undefined) LINKS.set(env, linkTo);
  return github.render(source, env);
}

type LinkTo = (written: string) => string;

/** By text that is being rendered. */
const LINKS = new WeakMap<Env, LinkTo>();

/** The blocks of code in a text (fenced or indented): the numbers of their first lines, and of those after them. */
export function codeBlocks(source: string): [from: number, to: number][] {
  refuseTooMany(source);
  const tokens: Token[] = [];
  github.block.parse(source, github, {}, tokens);
  return tokens.flatMap(({ type, map }) => (/^(?:fence|code_block)$/.test(type) && map ? [map] : []));
}

function refuseTooMany(source: string): void {
  let marks = 0;
  for (MARK.lastIndex = 0; MARK.test(source);) marks += 1;
  if (marks > MAX_MARKS)
    throw new PostUnreadable(`has more than ${MAX_MARKS} lines and marks of Markdown: split the article`);
}

/** The visible text of a description in front matter, on one line: it keeps text that only looks like a tag. */
export function plainLine(source: string): string {
  return htmlToText(lines.render(source.trim(), {}));
}

/** `Vec<T>` is not HTML, and must keep its `<T>`: names of elements are in lower case. */
function isElement(html: string): boolean {
  return (
    /^<(?:\/?[a-z][a-z\d]*(?:-[a-z\d-]+)?(?:[\s/>]|$)|[!?])/.test(html) ||
    /^<\/?[A-Z][A-Z\d]+[\s/>]/.test(html)
  );
}

function isTooDeep({ nesting, level, children }: Token): boolean {
  return (nesting === 1 && level >= MAX_NESTING - 1) || (children?.some(isTooDeep) ?? false);
}

/** Runs before footnotes are moved, which would drop text that was left out in them. */
function refuseTooDeep({ tokens }: StateCore): void {
  if (tokens.some(isTooDeep)) {
    throw new PostUnreadable(`nests lists, quotes, footnotes or emphasis more than ${MAX_NESTING} deep`);
  }
}

function inBlog(state: StateCore): void {
  const linkTo = LINKS.get(state.env);
  const uniqueId = uniqueIds();
  // A definition with a long address may be referenced any number of times.
  const counted = expansionCounter();
  for (const [index, token] of state.tokens.entries()) {
    if (token.type === 'fence') token.info = parseLanguage(token.info);
    if (token.type !== 'inline') continue;
    closeRaw(state, token);
    const heading = state.tokens[index - 1];
    if (heading?.type === 'heading_open') heading.attrSet('id', headingId(token, uniqueId));
    for (const child of token.children ?? []) {
      for (const [, value] of child.attrs ?? []) counted(String(value));
      if (linkTo !== undefined) relink(child, linkTo);
    }
  }
}

/** A `<script>` that a sentence mentions must not swallow what follows the paragraph. */
function closeRaw(state: StateCore, { children }: Token): void {
  let open: string | null = null;
  for (const { type, content } of children ?? []) {
    const [, close, name = ''] =
      (type === 'html_inline' &&
        /^<(\/?)(script|style|textarea|title|iframe|noembed|xmp)\b/i.exec(content)) ||
      [];
    if (close === '') open ??= name;
    else if (close === '/' && open?.toLowerCase() === name.toLowerCase()) open = null;
  }
  if (open === null) return;
  const end = new state.Token('html_inline', '', 0);
  end.content = `</${open}>`;
  children?.push(end);
}

/** `rust` of `rust,no_run`, `{.rust}` and `rust {linenos=true}`. */
function parseLanguage(info: string): string {
  return /^[\s{.]*([\w+#-]+)/.exec(info)?.[1] ?? '';
}

/** The author's id (`## Title {#id}`), or else GitHub's. */
function headingId(inline: Token, uniqueId: (id: string) => string): string {
  const last = inline.children?.at(-1);
  const [mark, own] = /\{(?:#([^\s{}]+)(?:\s[^{}]*)?|\.[\w-][^{}]*)\}\s*$/.exec(last?.content ?? '') ?? [];
  if (last?.type === 'text' && mark !== undefined)
    last.content = last.content.slice(0, -mark.length).trimEnd();
  const text = (inline.children ?? [])
    .map((child) => (child.type === 'html_inline' ? '' : child.content))
    .join('');
  return uniqueId(own ?? slug(text.trim()));
}

function relink(token: Token, linkTo: LinkTo): void {
  const name = token.type === 'image' ? 'src' : token.type === 'link_open' ? 'href' : null;
  const written = name === null ? null : token.attrGet(name);
  if (name !== null && typeof written === 'string') token.attrSet(name, linkTo(written));
}

/** Makes equal ids of one text unique: the first is unchanged, the next get `-1`, `-2`. */
function uniqueIds(): (id: string) => string {
  const taken = new Set<string>();
  /** The next number by id, so that a thousand equal ids need only one pass. */
  const counts = new Map<string, number>();
  return (id) => {
    let free = id;
    let count = counts.get(id) ?? 1;
    for (; taken.has(free); count++) free = `${id}-${count}`;
    counts.set(id, count);
    taken.add(free);
    return free;
  };
}

const TASK = /^\[([ xX])\](?=\s)/;

/** `- [x] done` with a ticked box, as on GitHub: as a character, since articles have no form elements. */
function taskLists(md: Parser): void {
  md.core.ruler.after('inline', 'task_lists', ({ tokens }) => {
    for (const [index, { type, children }] of tokens.entries()) {
      const first = children?.[0];
      if (type !== 'inline' || first?.type !== 'text' || !beginsItem(tokens, index)) continue;
      first.content = first.content.replace(TASK, (_mark, state: string) => (state === ' ' ? '☐' : '☑'));
    }
  });
}

function beginsItem(tokens: readonly Token[], index: number): boolean {
  return tokens[index - 1]?.type === 'paragraph_open' && tokens[index - 2]?.type === 'list_item_open';
}
