import type { ReportLoss } from '../article/outcome.ts';
import { TextSearch } from '../article/text-search.ts';
import { codeFinder } from './code.ts';

/** What a site's generator would have replaced, in a text. */
export interface FoundLoss {
  /** The position after it. */
  readonly end: number;
  /** The kind of loss; null: it shows nothing by itself, such as the end of a pair. */
  readonly what: string | null;
  readonly detail?: string;
  /** What is kept of it; default: nothing. */
  readonly shown?: string;
  /** Whether the text after it is hidden; default: as before it. */
  readonly hides?: boolean;
}

/** The thing that begins exactly at a position, which must rise from call to call; null if there is none. */
export type Finder = (at: number) => FoundLoss | null;

/**
 * The text without what only a generator can render, each reported as a loss: template tags (`{{ x }}`, `{% x %}`),
 * shortcodes (`{{< x >}}`); in Markdown also attribute lists (`{: .x}`, `{#x}`) and `:::` containers. The text between a
 * pair of tags stays, except in a comment, and in branches that the site may not show. Code and HTML comments are not
 * changed, nor is what `{% raw %}` encloses.
 *
 * @param isMarkdown otherwise it is HTML
 */
export function withoutTemplates(text: string, isMarkdown: boolean, reportLoss: ReportLoss): string {
  const finders = [templateTags(text), ...(isMarkdown ? [attributes(text), containers(text)] : [])];
  return withoutFound(text, isMarkdown, finders, MARK, reportLoss);
}

/** Where the next thing or code may begin: a brace, a back-tick, an angle bracket, or a line. */
const MARK = /[{`<]|(?<=\n)/g;

/**
 * The text with what stays of the things that finders find outside code, each reported as a loss.
 *
 * @param mark global: where the next thing or code may begin; back-ticks, angle brackets and lines are code's
 */
export function withoutFound(
  text: string,
  isMarkdown: boolean,
  finders: readonly Finder[],
  mark: RegExp,
  reportLoss: ReportLoss,
): string {
  const codeEnd = codeFinder(text, isMarkdown);
  let out = '';
  let at = 0;
  let isHidden = false;
  while (at < text.length) {
    const code = codeEnd(at);
    let found: FoundLoss | null = null;
    for (const find of code === null ? finders : []) found ??= find(at);
    if (found !== null && found.what !== null && !isHidden) reportLoss(found.what, found.detail);
    const end = code ?? found?.end ?? nextMark(text, mark, at + 1);
    if (!isHidden) out += found === null ? text.slice(at, end) : (found.shown ?? REMOVED);
    isHidden = found?.hides ?? isHidden;
    at = end;
  }
  // A blank line would end an element or a paragraph, so a line that becomes empty is removed.
  return out.replaceAll(`\\${REMOVED}`, REMOVED).replace(BLANK_LINE, '').replaceAll(REMOVED, '');
}

/** Stands for removed text. No text has it: `tidyText` removes control characters. */
const REMOVED = '\0';
const BLANK_LINE = /^[ \t]*\0[ \t\0]*(?:\n|$(?![^]))/gm;

function nextMark(text: string, mark: RegExp, from: number): number {
  mark.lastIndex = from;
  return mark.exec(text)?.index ?? text.length;
}

/** Real tags are shorter, and have no blank line; an opening brace without an end is text. */
const MAX_TAG = 5000;
/** The beginning of a tag, and how it ends. */
const TAG = /\{(?:\{<|\{%|\{\{?|%|#(?=[\s-]))/y;
const CLOSES: Readonly<Record<string, string>> = {
  '{{<': '>}}',
  '{{%': '%}}',
  '{{': '}}',
  '{{{': '}}}',
  '{%': '%}',
  '{#': '#}',
};
const PARAGRAPH_END = /\n[ \t]*\n/g;
const RAW_END = /\{%-?\s*end(?:raw|verbatim)\s*-?%\}/gi;
const COMMENT_END = /\{%-?\s*endcomment\s*-?%\}|\{\{([<%])\s*\/\s*comment\s*[>%]\}\}/gi;

/** Blocks of which a site shows one branch at most; of some, the first may be for a site that has not something. */
const BLOCK = /^(?:if\w*|unless|case|for|with|range)$/;
const HIDDEN_BLOCK = /^(?:unless|case)$/;
const BRANCH = /^(?:else|el\w*if|when)\b/;
/** The rest of a tag after an end that is in quotes: `{{ "}}" }}`. */
const QUOTE_END = /^[^"{\n]*"[^"{\n]*$/;

function templateTags(text: string): Finder {
  const search = new TextSearch(text);
  const blocks: { readonly open: string; readonly name: string; hides: boolean }[] = [];

  /** Whether the text after a tag is hidden: only the first branch of a block is shown, so that nothing private is. */
  function hidesAfter(open: string, tag: string): boolean {
    const [name = ''] = /^\w*/.exec(tag) ?? [];
    const block = blocks.at(-1);
    const end = /^end(\w*)$/.exec(name)?.[1];
    if (BLOCK.test(name)) {
      blocks.push({ open, name, hides: block?.hides === true || HIDDEN_BLOCK.test(name) });
    } else if (block?.open === open) {
      if (BRANCH.test(name)) block.hides = true;
      else if (end === '' ? open === '{{' : end !== undefined && block.name.startsWith(end)) blocks.pop();
    }
    return blocks.at(-1)?.hides ?? false;
  }

  return (at) => {
    TAG.lastIndex = at;
    const open = TAG.exec(text)?.[0] ?? '';
    const close = CLOSES[open] ?? '';
    const inside = at + open.length;
    let until = open === '' ? null : search.indexOf(close, inside);
    const limit = Math.min(at + MAX_TAG, search.match(PARAGRAPH_END, at)?.index ?? Infinity);
    if (until === null || until > limit) return null;
    if (text.slice(inside, until).split('"').length % 2 === 0) {
      const later = text.slice(until, until + MAX_TAG).indexOf(close, close.length);
      if (later !== -1 && QUOTE_END.test(text.slice(until, until + later))) until += later;
    }
    const end = until + close.length;
    const tag = text.slice(inside, until).replace(/^-|-$/g, '').trim();
    // Hugo's way to show a shortcode: a comment inside the braces.
    const [, shown] = /^\/\*([^]*)\*\/$/.exec(tag) ?? [];
    if (shown !== undefined) return { end, what: null, shown: open + shown + close };
    const isPair = !/^\{(?:#|\{+$)/.test(open);
    const closing = isPair && /^(?:raw|verbatim)$/i.test(tag) ? search.match(RAW_END, end) : null;
    if (closing !== null) {
      return { end: closing.index + closing[0].length, what: null, shown: text.slice(end, closing.index) };
    }
    const hidden = isPair && /^comment\b/i.test(tag) ? search.match(COMMENT_END, end) : null;
    const detail = tag.slice(0, 100);
    const hides = (open === '{{' || open === '{%') && hidesAfter(open, tag);
    const what = hides && BRANCH.test(tag) ? null : classifyTag(open, tag);
    return { end: hidden === null ? end : hidden.index + hidden[0].length, what, detail, hides };
  };
}

/** The kind of loss of a tag, by its name; null for the end of a pair. */
function classifyTag(open: string, tag: string): string | null {
  if (open === '{#') return 'template comment';
  const [, slash = '', name = '', call = ''] = /^(\/?)\s*([\w./:-]*)(\(?)/.exec(tag) ?? [];
  if (open === '{{<' || open === '{{%') return slash === '' ? `shortcode ${name}`.trimEnd() : null;
  if (name !== '' && call !== '') return `shortcode ${name}`; // Zola's.
  if (open.startsWith('{{')) return 'template value';
  return name.startsWith('end') ? null : `template tag ${name}`.trimEnd();
}

/** `{: .class #id key="value"}`, `{:toc}`. */
const KRAMDOWN = /\{::?\s*[.#/\w-]+(?:=(?:"[^"\n]*"|'[^'\n]*'|[^\s}"']+))?(?:\s[^{}\n]{0,500})?\}/y;
/** `{#id}`, `{.class}`, at the end of a line. */
const AT_END = /\{[#.][\p{L}_][^{}\n]{0,500}\}(?=[ \t]*(?:\n|$))/uy;
/** Pandoc's `{width=50%}`, `{.class}`, after a link, a picture or code. */
const AFTER = /(?<=[)\]`])\{[ \t]*(?:[#.][\p{L}_]|[\w-]{1,50}=)[^{}\n]{0,500}\}/uy;

function attributes(text: string): Finder {
  return (at) => {
    if (text[at] !== '{' || text[at - 1] === '\\') return null;
    KRAMDOWN.lastIndex = AT_END.lastIndex = AFTER.lastIndex = at;
    const [found] = KRAMDOWN.exec(text) ?? AT_END.exec(text) ?? AFTER.exec(text) ?? [];
    return found === undefined ? null : { end: at + found.length, what: 'attribute list', detail: found };
  };
}

const CONTAINER = /[ \t]*:{3,}[ \t]*(?:(\w[\w-]*|\{)[^\n]*)?(?=\n|$)/y;

/** `:::tip Title` … `:::` of Docusaurus and VitePress. */
function containers(text: string): Finder {
  let open = 0;
  return (at) => {
    if (at > 0 && text[at - 1] !== '\n') return null;
    CONTAINER.lastIndex = at;
    const [line, name] = CONTAINER.exec(text) ?? [];
    if (line === undefined || (name === undefined && open === 0)) return null;
    open += name === undefined ? -1 : 1;
    const what = name === undefined ? null : `container ${name === '{' ? line.trim() : name}`;
    return { end: at + line.length, what, detail: line.trim().slice(0, 100) };
  };
}
