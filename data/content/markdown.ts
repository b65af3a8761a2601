import { slug } from 'github-slugger';
import MarkdownIt, { type MarkdownIt as Parser } from 'markdown-it';
import cjkFriendly from 'markdown-it-cjk-friendly';
import type { Env, StateCore, Token } from 'markdown-it';
import { definitionLists } from './definition-lists.ts';
import { PostUnreadable } from './errors.ts';
import { expansionCounter } from './expansion.ts';
import { escapeHtml, textOfHtml } from './text.ts';
import { uniqueIds } from './unique-ids.ts';
import { footnotes } from './footnotes.ts';

/** What a post's Markdown needs to know of its blog. */
export interface Rendering {
  /** Jekyll's Markdown has attribute lists, `{: .class}`, which mean nothing without its styles. */
  readonly kramdown: boolean;
  /** Whether the end of a line in the source is one for the reader, as in Ghost; else it is a space. */
  readonly breaks?: boolean;
  /** Where on the site a link or an image of the post leads. */
  readonly linkTo: (written: string) => string;
}

/** Deeper, the parser leaves text out, or as it is. */
const MAX_NESTING = 100;

const markdown = parser({});

/** Jekyll's dialect. */
const kramdown = parser({ kramdown: true });

function parser(dialect: { kramdown?: boolean }): Parser {
  const md = new MarkdownIt({ html: true, linkify: true, maxNesting: MAX_NESTING }).use(footnotes);
  // Only whole addresses: `node.js` and `main.rs` are names and no hosts.
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  if (dialect.kramdown) md.use(definitionLists).use(cjkFriendly);
  md.core.ruler.after('inline', 'nesting', refuseTooDeep);
  md.core.ruler.push('blog', inBlog);
  md.renderer.rules['softbreak'] = (_tokens, _index, _options, env = {}) =>
    RENDERINGS.get(env)?.breaks ? '<br>\n' : '\n';
  md.renderer.rules['html_inline'] = (tokens, index) => {
    const content = tokens[index]?.content ?? '';
    return isElement(content) ? content : escapeHtml(content);
  };
  return md;
}

/**
 * HTML of a post's Markdown: CommonMark with tables, strikethrough, footnotes, autolinks and raw HTML;
 * for Jekyll also definition lists, and emphasis next to Chinese or Japanese signs.
 *
 * @throws PostUnreadable where it nests too deep
 */
export function renderMarkdown(source: string, rendering: Rendering): string {
  const env: Env = {};
  RENDERINGS.set(env, rendering);
  return (rendering.kramdown ? kramdown : markdown).render(source, env);
}

/** Kept with each text that is being rendered; titles and excerpts have none. */
const RENDERINGS = new WeakMap<Env, Rendering>();

/** What a reader sees of a title or an excerpt in Markdown, on one line. */
export function plainText(source: string): string {
  return textOfHtml(markdown.render(source.trim(), {}));
}

/** As `plainText`, for a title: `# 1` and `- x` are no heading and no list there. */
export function plainTitle(source: string): string {
  return textOfHtml(markdown.renderInline(source.trim(), {}));
}

/** `Vec<T>` holds no HTML, and must not lose its `<T>`: elements have names in small letters. */
function isElement(html: string): boolean {
  return (
    /^<(?:\/?[a-z][a-z\d]*(?:-[a-z\d-]+)?(?:[\s/>]|$)|[!?])/.test(html) ||
    /^<\/?[A-Z][A-Z\d]+[\s/>]/.test(html)
  );
}

function isTooDeep({ nesting, level, children }: Token): boolean {
  return (nesting === 1 && level >= MAX_NESTING - 1) || (children?.some(isTooDeep) ?? false);
}

/** Before footnotes are moved, with which text would go that was left out in them. */
function refuseTooDeep({ tokens }: StateCore): void {
  if (tokens.some(isTooDeep)) {
    throw new PostUnreadable(`nests lists, quotes, footnotes or emphasis more than ${MAX_NESTING} deep`);
  }
}

function inBlog(state: StateCore): void {
  const rendering = RENDERINGS.get(state.env);
  const idOf = uniqueIds();
  // One definition of a long address may be referred to any number of times.
  const counted = expansionCounter();
  for (const [index, token] of state.tokens.entries()) {
    if (token.type === 'fence') token.info = languageOf(token.info);
    if (token.type !== 'inline') continue;
    const heading = state.tokens[index - 1];
    if (heading?.type === 'heading_open') heading.attrSet('id', headingId(token, idOf));
    for (const child of token.children ?? []) {
      if (rendering?.kramdown) withoutAttributes(child);
      for (const [, value] of child.attrs ?? []) counted(String(value));
      if (rendering !== undefined) relink(child, rendering.linkTo);
    }
  }
}

/** `rust` of `rust,no_run`, `{.rust}` and `rust {linenos=true}`. */
function languageOf(info: string): string {
  return /^[\s{.]*([\w+#-]+)/.exec(info)?.[1] ?? '';
}

/** The id that the author gave (`## Title {#id}`), else the one that GitHub would give. */
function headingId(inline: Token, idOf: (id: string) => string): string {
  const last = inline.children?.at(-1);
  const [mark, own] = /\{(?:#([^\s{}]+)(?:\s[^{}]*)?|\.[\w-][^{}]*)\}\s*$/.exec(last?.content ?? '') ?? [];
  if (last?.type === 'text' && mark !== undefined)
    last.content = last.content.slice(0, -mark.length).trimEnd();
  const text = (inline.children ?? [])
    .map((child) => (child.type === 'html_inline' ? '' : child.content))
    .join('');
  return idOf(own ?? slug(text.trim()));
}

const ATTRIBUTE = String.raw`[.#/\w-]+(?:=(?:"[^"]*"|'[^']*'|[^\s}"']+))?`;
const ATTRIBUTES = new RegExp(String.raw`\{::?\s*${ATTRIBUTE}(?:\s+${ATTRIBUTE})*\s*/?\s*\}`, 'g');

/** Takes out kramdown's `{: .class #id key="value"}`, `{:toc}` and `{::options /}`. */
function withoutAttributes(token: Token): void {
  if (token.type === 'text') token.content = token.content.replace(ATTRIBUTES, '');
}

function relink(token: Token, linkTo: (written: string) => string): void {
  const name = token.type === 'image' ? 'src' : token.type === 'link_open' ? 'href' : null;
  const written = name === null ? null : token.attrGet(name);
  if (name !== null && typeof written === 'string') token.attrSet(name, linkTo(written));
}
