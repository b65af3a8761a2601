import { expansionCounter } from '../../common/content/expansion.ts';
import { embedAddress, type Files, isKnown, renderEmbed, takesInner } from './embed.ts';
import { TextSearch } from '../article/text-search.ts';
import { isMemberShortcode } from './restrictions.ts';
import { readShortcode, type Shortcode } from './shortcode.ts';

/**
 * Converts a body to plain HTML, in one pass from the start:
 *
 * - code (`<pre>`, `<code>`, scripts) and the inside of tags are unchanged,
 * - comments are removed: blocks (`<!-- wp:… -->`), `<!--more-->`, `<!--nextpage-->`,
 * - known shortcodes become HTML (embed.ts),
 * - of others, the tags are removed and their content stays, if they can be told from
 *   ordinary text in brackets: they have an end (`[/x]`, `[x /]`) or an argument (`[x y="z"]`),
 * - content of shortcodes for members is removed,
 * - an address alone on its line becomes a player or a link, as in WordPress,
 * - formulas (`$latex …$`), which WordPress shows as images, stay TeX.
 *
 * `files.reportLoss` is called for each removal without replacement. `keep` returns a placeholder for a figure or code block.
 */
export function expandShortcodes(text: string, files: Files, keep = identity): string {
  const search = new TextSearch(text);
  const find = (wanted: string, from: number) => search.indexOf(wanted, from);
  const findEnd = endFinder(text);
  const counted = expansionCounter();
  const opened = new Map<string, number>();
  let out = '';
  let position = 0;
  while (position < text.length) {
    const step = stepAt(position);
    out += counted(step.html);
    position = step.end;
  }
  return out;

  function stepAt(start: number): Step {
    const character = text[start];
    const at =
      character === '<' ? htmlAt : character === '[' ? bracketAt : character === '$' ? formulaAt : addressAt;
    const step = at(start);
    if (step !== null) return step;
    const end = nextMark(text, start + 1);
    return { html: text.slice(start, end), end };
  }

  function htmlAt(start: number): Step | null {
    if (text.startsWith('<!--', start)) {
      const end = find('-->', start);
      if (end === null) return null;
      // A tag alone on its line takes the line with it.
      const alone = /(?:^|\n)$/.test(text.slice(Math.max(0, start - 1), start)) && text[end + 3] === '\n';
      return { html: '', end: end + (alone ? 4 : 3) };
    }
    const [tag, name] = matchAt(TAG, text, start) ?? [];
    if (tag === undefined) return null;
    const end = start + tag.length;
    const close = name === undefined || !WHOLE_ELEMENT.test(name) ? null : find(`</${name}`, end);
    if (close === null || tag.startsWith('</')) return { html: tag, end };
    const bracket = find('>', close);
    const after = bracket === null ? text.length : bracket + 1;
    if (!/^figure$/i.test(name ?? '')) return { html: text.slice(start, after), end: after };
    const inner = expandShortcodes(text.slice(end, close), files);
    return { html: keep(tag + inner + text.slice(close, after)), end: after };
  }

  function formulaAt(start: number): Step | null {
    const [html] = matchAt(FORMULA, text, start) ?? [];
    if (html === undefined) return null;
    files.reportLoss('formula');
    return { html, end: start + html.length };
  }

  /** An address that fills a line or a paragraph. */
  function addressAt(start: number): Step | null {
    const before = text.slice(Math.max(0, start - 100), start);
    if (!/(?:^|\n|<(?:p|div)\b[^<>]*>)$/.test(before)) return null;
    const [whole, address] = matchAt(ADDRESS, text, start) ?? [];
    if (whole === undefined || address === undefined) return null;
    return { html: embedAddress(address), end: start + whole.length };
  }

  function bracketAt(start: number): Step | null {
    const kept = keptAt(text, start);
    if (kept !== null) return kept;
    const tag = readShortcode(text, start);
    if (tag === null) return null;
    const count = opened.get(tag.name) ?? 0;
    if (tag.closes) {
      if (count === 0) return isKnown(tag.name) ? { html: '', end: tag.end } : null;
      opened.set(tag.name, count - 1);
      return { html: '', end: tag.end };
    }
    const close = tag.closesItself ? null : findEnd(tag.name, start, tag.end);
    if (isMemberShortcode(tag.name) && close !== null) {
      files.reportLoss('part for members');
      return { html: '', end: close + tag.name.length + 3 };
    }
    return known(tag, close) ?? unknown(tag, close, count);
  }

  function known(tag: Shortcode, close: number | null): Step | null {
    const end = takesInner(tag.name) ? innerEnd(tag, close) : tag.end;
    if (end === null) return null;
    const written = text.slice(tag.end, end);
    const inner = /caption$/.test(tag.name) ? expandShortcodes(written, files) : written;
    const html = renderEmbed(tag, inner, files);
    if (html === null) return null;
    if (html === '' && tag.name !== 'nextpage') files.reportLoss(`shortcode ${tag.name}`);
    const isBlock = /^<(?:figure|pre|div)\b/.test(html);
    return { html: isBlock ? keep(html) : html, end: end === tag.end ? end : end + tag.name.length + 3 };
  }

  /** The end of the content: the tag itself if not closed. Null: [code] alone is not a shortcode. */
  function innerEnd(tag: Shortcode, close: number | null): number | null {
    const hasArguments = tag.named.size + tag.positional.length > 0;
    if (close === null) return hasArguments ? tag.end : null;
    // `[video src="a"] … [video src="b"][/video]`: the end belongs to the second.
    const next = hasArguments ? find(`[${tag.name}`, tag.end) : null;
    return next !== null && next < close ? tag.end : close;
  }

  function unknown(tag: Shortcode, close: number | null, count: number): Step | null {
    if (close !== null) opened.set(tag.name, count + 1);
    else if (!tag.closesItself && !tag.hasKeys) return null;
    files.reportLoss(`shortcode ${tag.name.slice(0, 100)}`);
    return { html: '', end: tag.end };
  }
}

/** The replacement for a piece of the text, and where the text continues. */
interface Step {
  readonly html: string;
  readonly end: number;
}

const TAG = /<\/?([a-z][a-z\d]*)\b[^<>]*>/iy;
/** Elements that are read as a whole. */
const WHOLE_ELEMENT = /^(?:pre|code|script|style|textarea|svg|math|figure)$/i;
/** `[[gallery]]` shows `[gallery]`, and `[[code]x[/code]]` `[code]x[/code]`. */
const KEPT = /\[(\[([A-Za-z][\w-]*)[^[\]]*\](?:[^[\]]*\[\/\2\])?)\]/y;
const FORMULA = /\$latex[ =][^$<>]{1,1000}\$/y;
const ADDRESS = /[ \t]*(https?:\/\/[^\s<>"']+)[ \t]*(?=\n|<\/(?:p|div|figure)>|$(?![^]))/iy;

function identity(html: string): string {
  return html;
}

function keptAt(text: string, start: number): Step | null {
  const [whole = '', tag, name = ''] = matchAt(KEPT, text, start) ?? [];
  const isTag = isKnown(name) || readShortcode(text, start + 1)?.hasKeys === true;
  return tag === undefined || !isTag ? null : { html: tag, end: start + whole.length };
}

/** Where HTML, a shortcode or an address may begin. */
function nextMark(text: string, from: number): number {
  return matchAt(/[<[]|\$latex[ =]|(?<=[\n>])[ \t]*https?:/gi, text, from)?.index ?? text.length;
}

/** The match at a position, or after it if the pattern is not sticky. */
function matchAt(pattern: RegExp, text: string, start: number): RegExpExecArray | null {
  pattern.lastIndex = start;
  return pattern.exec(text);
}

/** Returns the first `[/name]` after a tag, whose start must rise from call to call; null without one. */
function endFinder(text: string): (name: string, start: number, end: number) => number | null {
  const closings = [...text.matchAll(/\[\/([A-Za-z][\w-]*)\]/g)].reverse();
  const ends = Map.groupBy(closings, ([, name = '']) => name);
  return (name, start, end) => {
    const left = ends.get(name) ?? [];
    while ((left.at(-1)?.index ?? start) < start) left.pop();
    return left.findLast(({ index }) => index >= end)?.index ?? null;
  };
}
