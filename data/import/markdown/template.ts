import { codeEnd } from './code.ts';
import { embedOf } from './embed.ts';
import { closingTag, readTag, type Surroundings, type Tag } from './tag.ts';
import { valueOf } from './value.ts';

/**
 * The template languages that stand in posts: Liquid (Jekyll), Nunjucks (11ty) and the shortcodes of
 * Hugo and Zola. An importer cannot run them. What it does instead, outside of code:
 *
 * - code blocks (`{% highlight ruby %}`, `{{< mermaid >}}`) become fenced code,
 * - figures, videos and links become HTML, references to pages become paths (embed.ts),
 * - values (`{{ page.title }}`, `{{ "/x/" | url }}`) are looked up (value.ts),
 * - blocks that only a generator could fill (a loop over values) vanish with what is in them,
 * - all other tags vanish, and what stands between a pair of them stays.
 *
 * In code nothing is touched: a post about Liquid keeps its examples. Only the marks by which its
 * author kept the generator off them go, as they did on the site: `{% raw %}` in Liquid, a comment
 * inside the braces in Hugo and Zola.
 */
export function expandTemplates(text: string, surroundings: Surroundings): string {
  let out = '';
  let position = 0;
  while (position < text.length) {
    const code = codeEnd(text, position);
    if (code !== null) {
      out += withoutMarks(text.slice(position, code), surroundings.liquid);
      position = code;
      continue;
    }
    const kept = text[position] === '{' ? keptTag(text, position) : null;
    const tag = text[position] === '{' && kept === null ? readTag(text, position, surroundings.liquid) : null;
    if (kept !== null) {
      out += withoutMarks(kept, false);
      position += kept.length;
    } else if (tag !== null) {
      const { markdown, end } = resolve(text, tag, surroundings);
      ({ out, position } = place(out, markdown, text, end, tag));
    } else {
      const next = nextMark(text, position + 1);
      out += text.slice(position, next);
      position = next;
    }
  }
  return out;
}

/** Blocks of code, with the language of those that have only one. */
const CODE_BLOCKS = new Map([
  ['highlight', ''],
  ['code', ''],
  ['codeblock', ''],
  ['sourcecode', ''],
  ['mermaid', 'mermaid'],
  ['echarts', 'json'],
]);

/** Blocks whose text only a generator or a browser can make something of. */
const DROPPED_BLOCKS = /^(?:comment|capture|set|macro|script|css|javascript)$/;
/** Loops: their text is worth something where it does not hang on what they go through. */
const LOOPS = /^(?:for|tablerow)$/;

/** What stands for the tag in the Markdown, and where the text goes on behind it. */
function resolve(text: string, tag: Tag, surroundings: Surroundings): { markdown: string; end: number } {
  if (tag.closing) return { markdown: '', end: tag.end };
  const language = CODE_BLOCKS.get(tag.name);
  const nests = DROPPED_BLOCKS.test(tag.name) || LOOPS.test(tag.name);
  if (tag.name === 'raw' || language !== undefined || nests) {
    const close = closingTag(text, tag, nests);
    const inner = text.slice(tag.end, close?.start ?? tag.end);
    const isDropped = nests && (!LOOPS.test(tag.name) || inner.includes('{{'));
    if (nests && !isDropped) return { markdown: '', end: tag.end };
    if (close === null || isDropped) return { markdown: '', end: close?.end ?? tag.end };
    return {
      markdown: language === undefined ? inner : fenced(inner, language || languageOf(tag)),
      end: close.end,
    };
  }
  const isValue = tag.dialect === 'liquid' && tag.name === '';
  return { markdown: isValue ? valueOf(tag.rest, surroundings) : embedOf(tag, surroundings), end: tag.end };
}

function fenced(code: string, language: string): string {
  // The site ran Liquid in here too, so that `{% raw %}` had to keep it off.
  const text = withoutMarks(code, true).replace(/^[ \t]*\n|\s+$/g, '');
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** `ruby` of `ruby linenos`, `lang:ruby`, `(lang="ruby")`. */
function languageOf(tag: Tag): string {
  return /^(?:lang(?:uage)?\s*[=:]\s*)?["']?([\w+#-]+)/.exec(tag.rest)?.[1] ?? '';
}

/**
 * Adds to the Markdown so far what a tag became. Care is for a tag alone on its line: a blank line that
 * it leaves would end an HTML element, and HTML that it becomes would swallow the next line's Markdown.
 */
function place(
  out: string,
  markdown: string,
  text: string,
  end: number,
  tag: Tag,
): { out: string; position: number } {
  const before = out.slice(out.lastIndexOf('\n') + 1);
  const after = /^[ \t]*(?:\n|$)/.exec(text.slice(end, end + 200))?.[0];
  const alone = before.trim() === '' && after !== undefined;
  if (markdown === '' && alone && tag.dialect === 'liquid') {
    return { out: out.slice(0, out.length - before.length), position: end + after.length };
  }
  if (markdown.startsWith('```')) {
    const indent = before.trim() === '' ? before : '';
    const fence = before.trim() === '' ? markdown : `\n\n${markdown}`;
    // The closing mark stands as far in as the opening one, for the sake of lists.
    const block = fence.replace(/\n(`+)$/, `\n${indent}$1`);
    return { out: out + block + (after === undefined ? '\n\n' : ''), position: end };
  }
  const goesOn = /^[ \t]*\n[ \t]*[^\s<]/.test(text.slice(end, end + 200));
  return { out: out + markdown + (alone && goesOn && markdown.startsWith('<') ? '\n' : ''), position: end };
}

/** Where the next tag or code may begin: at a brace, a back-tick, an angle bracket, or a line's start. */
function nextMark(text: string, from: number): number {
  const mark = /[{`<]|(?<=\n)/g;
  mark.lastIndex = from;
  return mark.exec(text)?.index ?? text.length;
}

const KEPT = String.raw`\{(?<open>\{[<%]?|%)/\*(?<text>[^]*?)\*/(?<close>[>%]?\}|%)\}`;
const RAW = /\{%-?\s*raw\s*-?%\}(?<text>[^]*?)\{%-?\s*endraw\s*-?%\}/g;

function keptTag(text: string, position: number): string | null {
  const pattern = new RegExp(KEPT, 'y');
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0] ?? null;
}

/** The text without the marks that kept the site's generator from running what is an example. */
function withoutMarks(text: string, liquid: boolean): string {
  const shown = text.replace(new RegExp(KEPT, 'g'), '{$<open>$<text>$<close>}');
  return liquid ? shown.replace(RAW, '$<text>') : shown;
}
