import { TextSearch } from '../article/text-search.ts';
import { codeFinder } from './code.ts';
import { embedOf } from './embed.ts';
import { parseArguments, tagReader, type Surroundings, type Tag, type TagReader } from './tag.ts';
import { HTML_LEFT_OUT } from '../../common/content/goldmark.ts';
import { renderMarkdown } from '../../common/content/markdown.ts';
import { textField } from './fields.ts';
import { valueOf } from './value.ts';

/**
 * Template languages in posts: Liquid (Jekyll), Nunjucks (11ty) and the shortcodes of Hugo and Zola. An importer cannot
 * run them. What it does instead, outside code:
 *
 * - code blocks (`{% highlight ruby %}`, `{{< mermaid >}}`) become fenced code,
 * - figures, videos and links become HTML, references to pages become paths (embed.ts),
 * - values (`{{ page.title }}`, `{{ "/x/" | url }}`) are looked up (value.ts),
 * - blocks that only a generator could fill (a loop over values) are removed with their content,
 * - all other tags are removed, and the text between a pair stays.
 *
 * Code is not changed: a post about Liquid keeps its examples. Only the marks that stop the generator from running them
 * are removed, as on the site: `{% raw %}` in Liquid, a comment inside the braces in Hugo and Zola.
 *
 * @throws PostUnreadable if the tags are too much work (see tag.ts)
 */
export function expandTemplates(text: string, surroundings: Surroundings): string {
  const out = new Output();
  const codeEnd = codeFinder(text);
  const tags = tagReader(text, surroundings.liquid);
  const search = new TextSearch(text);
  let position = 0;
  while (position < text.length) {
    const code = codeEnd(position);
    if (code !== null) {
      out.add(withoutMarks(text.slice(position, code), surroundings.liquid));
      position = code;
      continue;
    }
    const kept = text[position] === '{' ? keptTag(text, search, position) : null;
    const tag = text[position] === '{' && kept === null ? tags.tagAt(position) : null;
    if (kept !== null) {
      out.add(withoutMarks(kept, false));
      position += kept.length;
    } else if (tag !== null) {
      const { markdown, end } = resolve(text, tag, tags, search, surroundings);
      position = place(out, markdown, text, end, tag);
    } else {
      const next = nextMark(text, position + 1);
      out.add(text.slice(position, next));
      position = next;
    }
  }
  return out.toString();
}

/** The Markdown so far, with the beginning of its last line. */
class Output {
  readonly #pieces: string[] = [];
  #indent: string | null = '';

  /** The last line if it is blank so far, or null. */
  get indent(): string | null {
    return this.#indent;
  }

  add(piece: string): void {
    if (piece === '') return;
    this.#pieces.push(piece);
    const lineStart = piece.lastIndexOf('\n') + 1;
    if (lineStart > 0) this.#indent = '';
    if (this.#indent === null) return;
    const line = piece.slice(lineStart);
    this.#indent = line.trim() === '' ? this.#indent + line : null;
  }

  /** Removes a blank last line. */
  dropIndent(): void {
    let left = this.#indent?.length ?? 0;
    while (left > 0) {
      const piece = this.#pieces.pop() ?? '';
      if (piece.length > left) this.#pieces.push(piece.slice(0, piece.length - left));
      left -= Math.min(left, piece.length);
    }
    this.#indent = '';
  }

  toString(): string {
    return this.#pieces.join('');
  }
}

/** Blocks of code, with the language of those that always have the same. */
const CODE_BLOCKS = new Map([
  ['highlight', ''],
  ['code', ''],
  ['codeblock', ''],
  ['sourcecode', ''],
  ['mermaid', 'mermaid'],
  ['echarts', 'json'],
]);

/** Blocks whose text only a generator or a browser can use. */
const DROPPED_BLOCKS = /^(?:comment|capture|set|macro|script|css|javascript)$/;
/** Loops: their text is kept if it does not depend on the loop's values. */
const LOOPS = /^(?:for|tablerow)$/;

/** A tag's replacement in the Markdown, and where the text continues after it. */
function resolve(
  text: string,
  tag: Tag,
  tags: TagReader,
  search: TextSearch,
  surroundings: Surroundings,
): { markdown: string; end: number } {
  if (tag.closing) return { markdown: '', end: tag.end };
  const own = ownShortcode(text, tag, tags, surroundings);
  if (own !== null) return own;
  const language = CODE_BLOCKS.get(tag.name);
  const nests = DROPPED_BLOCKS.test(tag.name) || LOOPS.test(tag.name);
  if (tag.name === 'raw' || language !== undefined || nests) {
    const close = tags.closingTag(tag, nests);
    const inner = text.slice(tag.end, close?.start ?? tag.end);
    const value = search.indexOf('{{', tag.end);
    const isDropped =
      nests && (!LOOPS.test(tag.name) || (value !== null && value + 2 <= tag.end + inner.length));
    if (nests && !QUIET.test(tag.name)) surroundings.lose(lossOf(tag));
    if (nests && !isDropped) return { markdown: '', end: tag.end };
    if (close === null || isDropped) return { markdown: '', end: close?.end ?? tag.end };
    if (language !== undefined && leavesOutHtml(surroundings) && isMarkdown(text, tag)) {
      surroundings.lose(HTML_LEFT_OUT);
      return { markdown: '', end: close.end };
    }
    return {
      markdown: language === undefined ? inner : fenced(inner, language || languageOf(tag)),
      end: close.end,
    };
  }
  const isValue = tag.dialect === 'liquid' && tag.name === '';
  if (isValue && text.startsWith('#}', tag.end - 2)) return { markdown: '', end: tag.end };
  const markdown = isValue ? valueOf(tag.rest, surroundings) : embedOf(tag, surroundings);
  if (markdown === '') surroundings.lose(lossOf(tag), isValue ? tag.rest.slice(0, 100) : undefined);
  const isKept = surroundings.keep !== null && markdown.startsWith('<') && !isMarkdown(text, tag);
  return { markdown: isKept ? surroundings.keep(markdown) : markdown, end: tag.end };
}

/** Tags without a visible effect. */
const QUIET = /^(?:comment|set|macro|script|css)$/;

function lossOf({ dialect, name }: Tag): string {
  if (dialect !== 'liquid') return `shortcode ${name}`;
  return name === '' ? 'template value' : `tag ${name}`;
}

const MAX_DEPTH = 5;

/** Renders one of the site's own shortcodes with its content; null if there is no plain template. */
function ownShortcode(
  text: string,
  tag: Tag,
  tags: TagReader,
  surroundings: Surroundings,
): { markdown: string; end: number } | null {
  const { shortcodes, depth, frontMatter } = surroundings;
  if (tag.dialect === 'liquid' || shortcodes?.has(tag.name) !== true || depth >= MAX_DEPTH) return null;
  const isSingle = tag.rest.endsWith('/') || (tag.dialect === 'zola' && text.startsWith('}}', tag.end - 2));
  const close = isSingle ? null : tags.closingTag(tag, true);
  const inner = close === null ? null : text.slice(tag.end, close.start);
  const html = shortcodes.render(tag.name, {
    args: parseArguments(tag.rest.replace(/\/$/, '')),
    inner: inner === null ? null : expandTemplates(inner, { ...surroundings, depth: depth + 1 }),
    markdown: (written) => {
      const rendered = renderMarkdown(written.trim(), {
        dialect: surroundings.dialect,
        linkTo: surroundings.assetPath,
      }).trim();
      return /^<p>((?:(?!<p>)[^])*)<\/p>$/.exec(rendered)?.[1] ?? rendered;
    },
    page: (path) => textField(frontMatter, path),
  });
  if (html === null) return null;
  const inMarkdown = shortcodes.isMarkdown(tag.name) || isMarkdown(text, tag);
  if (surroundings.keep !== null && !inMarkdown)
    return { markdown: surroundings.keep(html), end: close?.end ?? tag.end };
  // Blank lines and indentation would end an element in Markdown, or turn it into code.
  const isVerbatim = inMarkdown || /<(?:pre|textarea)\b/i.test(html);
  return { markdown: isVerbatim ? html : html.trim().replace(/\n\s+/g, '\n'), end: close?.end ?? tag.end };
}

function leavesOutHtml({ dialect }: Surroundings): boolean {
  return dialect.name === 'goldmark' && !dialect.unsafe;
}

/** `{{% name %}}`, whose output Hugo renders as Markdown. */
function isMarkdown(text: string, tag: Tag): boolean {
  return tag.dialect === 'hugo' && text.startsWith('%}}', tag.end - 3);
}

function fenced(code: string, language: string): string {
  // The site ran Liquid here too, so `{% raw %}` was needed.
  const text = withoutMarks(code, true).replace(/^[ \t]*\n|\s+$/g, '');
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** `ruby` of `ruby linenos`, `lang:ruby`, `(lang="ruby")`. */
function languageOf(tag: Tag): string {
  return /^(?:lang(?:uage)?\s*[=:]\s*)?["']?([\w+#-]+)/.exec(tag.rest)?.[1] ?? '';
}

/**
 * Appends a tag's replacement to the Markdown so far. A tag alone on its line needs care: a blank line would end an
 * HTML element, and HTML would swallow the next line's Markdown.
 */
function place(out: Output, markdown: string, text: string, end: number, tag: Tag): number {
  const after = /^[ \t]*(?:\n|$)/.exec(text.slice(end, end + 200))?.[0];
  const alone = out.indent !== null && after !== undefined;
  if (markdown === '' && alone && tag.dialect === 'liquid') {
    out.dropIndent();
    return end + after.length;
  }
  if (markdown.startsWith('```')) {
    const fence = out.indent === null ? `\n\n${markdown}` : markdown;
    // The closing mark is indented like the opening one, for lists.
    const block = fence.replace(/\n(`+)$/, `\n${out.indent ?? ''}$1`);
    out.add(block + (after === undefined ? '\n\n' : ''));
    return end;
  }
  const goesOn = /^[ \t]*\n[ \t]*[^\s<]/.test(text.slice(end, end + 200));
  out.add(markdown + (alone && goesOn && markdown.startsWith('<') ? '\n' : ''));
  return end;
}

/** Where the next tag or code may begin: at a brace, a back-tick, an angle bracket, or the start of a line. */
function nextMark(text: string, from: number): number {
  const mark = /[{`<]|(?<=\n)/g;
  mark.lastIndex = from;
  return mark.exec(text)?.index ?? text.length;
}

const KEPT_OPEN = /\{(\{[<%]?|%)\/\*/g;
const KEPT_CLOSE = /\*\/([>%]?\}|%)\}/g;
const RAW_OPEN = /\{%-?\s*raw\s*-?%\}/g;
const RAW_CLOSE = /\{%-?\s*endraw\s*-?%\}/g;

function keptTag(text: string, search: TextSearch, position: number): string | null {
  const open = search.match(KEPT_OPEN, position);
  if (open?.index !== position) return null;
  const close = search.match(KEPT_CLOSE, position + open[0].length);
  return close === null ? null : text.slice(position, close.index + close[0].length);
}

/** Removes the marks that stop the site's generator from running an example. */
function withoutMarks(text: string, liquid: boolean): string {
  const shown = withoutPairs(
    text,
    KEPT_OPEN,
    KEPT_CLOSE,
    (inner, open, close) => `{${open}${inner}${close}}`,
  );
  return liquid ? withoutPairs(shown, RAW_OPEN, RAW_CLOSE, (inner) => inner) : shown;
}

/** Replaces each pair of marks and the text between them; `replacement` also gets the first group of both marks. */
function withoutPairs(
  text: string,
  open: RegExp,
  close: RegExp,
  replacement: (inner: string, open: string, close: string) => string,
): string {
  let out = '';
  let at = 0;
  for (;;) {
    open.lastIndex = at;
    const begin = open.exec(text);
    if (begin === null) break;
    close.lastIndex = open.lastIndex;
    const end = close.exec(text);
    if (end === null) break;
    const inner = text.slice(open.lastIndex, end.index);
    out += text.slice(at, begin.index) + replacement(inner, begin[1] ?? '', end[1] ?? '');
    at = close.lastIndex;
  }
  return out + text.slice(at);
}
