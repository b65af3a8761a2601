import { unescapeHtml } from '../../common/content/text.ts';
import { HTML_POLICY } from './policy.ts';

/** Inline elements. All others end a line. */
const INLINE = new Set([
  ...'a abbr b bdi bdo cite code data del dfn em i ins kbd mark q ruby rp rt s samp small span strong sub sup time u var img wbr'.split(' '), // prettier-ignore
  ...HTML_POLICY.formulas,
]);
/** Elements that are not running text. */
const NOT_RUNNING = new Set(
  'h1 h2 h3 h4 h5 h6 pre table figure figcaption ul ol dl details aside header footer'.split(' '),
);
/** Elements whose text is left out: deleted text, annotations of ruby and formulas, and fallbacks of media. */
const SILENT = new Set(['del', 's', 'rp', 'rt', 'annotation', 'audio', 'video']);
/** Footnotes, and the references to them. */
const NOTE = / class="(?:[^"]* )?footnote| role="doc-(?:noteref|backlink|endnotes?|footnote)"/;

/** How likely a piece of text is running text, in ascending order. */
const LEVELS = { silent: 0, any: 1, running: 2, paragraph: 3 } as const;
type Level = (typeof LEVELS)[keyof typeof LEVELS];

/** Enough code units, without white space: 200 characters of two units each, and one more word. */
const ENOUGH = 450;

/**
 * The beginning of an article's running text, as plain text on one line: the text of its paragraphs. If it has none:
 * its text without headings, lists, tables, code and captions. If it has none either: all text.
 *
 * @param html the sanitiser's output: every tag is closed, and no value contains `<` or `>`
 * @returns at least 200 characters, or the whole text; empty: the article has none
 */
export function runningText(html: string): string {
  const texts = new Texts();
  const open: { readonly name: string; readonly level: Level }[] = [];
  let level: Level = LEVELS.running;
  let at = 0;
  for (let tag = html.indexOf('<'); tag !== -1 && !texts.isEnough; tag = html.indexOf('<', at)) {
    if (tag > at) texts.add(html.slice(at, tag), level);
    at = html.indexOf('>', tag) + 1;
    const isEnd = html[tag + 1] === '/';
    const inside = html.slice(isEnd ? tag + 2 : tag + 1, at - 1);
    const space = inside.indexOf(' ');
    const name = space === -1 ? inside : inside.slice(0, space);
    if (!INLINE.has(name)) texts.add(' ', LEVELS.paragraph);
    if (isEnd) open.pop();
    else if (!inside.endsWith('/')) open.push({ name, level: chooseLevel(name, inside) });
    if (level >= LEVELS.running && NOT_RUNNING.has(name)) texts.omit();
    level = open.at(-1)?.level ?? LEVELS.running;
  }
  if (!texts.isEnough) texts.add(html.slice(at), level);
  return texts.best();

  function chooseLevel(name: string, tag: string): Level {
    if (level === LEVELS.silent || SILENT.has(name) || NOTE.test(tag)) return LEVELS.silent;
    // A superscript link points to a note.
    if (name === 'a' && open.some((outer) => outer.name === 'sup')) return LEVELS.silent;
    if (name === 'sup' && open.some((outer) => outer.name === 'a')) return LEVELS.silent;
    if (NOT_RUNNING.has(name)) return LEVELS.any;
    return name === 'p' && level === LEVELS.running ? LEVELS.paragraph : level;
  }
}

/** The text so far, for each level: it includes the text of higher levels. */
class Texts {
  readonly #raw = ['', '', '', ''];
  readonly #visible = [0, 0, 0, 0];

  get isEnough(): boolean {
    return (this.#visible[LEVELS.paragraph] ?? 0) >= ENOUGH;
  }

  add(html: string, level: Level): void {
    // Lower levels have more.
    if (level === LEVELS.silent || (this.#visible[level] ?? 0) >= ENOUGH) return;
    const text = unescapeHtml(html).replace(/\s+/g, (space) => (space.includes('\n') ? '\n' : ' '));
    const visible = text === ' ' ? 0 : text.replace(/\s+/g, '').length;
    for (let at = level; at > 0; at -= 1) {
      if ((this.#visible[at] ?? 0) >= ENOUGH) continue;
      this.#raw[at] = joined(this.#raw[at] ?? '', text);
      this.#visible[at] = (this.#visible[at] ?? 0) + visible;
    }
  }

  /** Marks that something is left out here, if the text so far ends with a colon. */
  omit(): void {
    for (const at of [LEVELS.running, LEVELS.paragraph]) {
      if (/[:：]$/.test((this.#raw[at] ?? '').trimEnd())) this.#raw[at] += ' …';
    }
  }

  best(): string {
    for (const at of [LEVELS.paragraph, LEVELS.running, LEVELS.any]) {
      const text = tidy(this.#raw[at] ?? '');
      if (text !== '') return text;
    }
    return '';
  }
}

/** Two texts with one white space between them at most: long runs of it would take quadratic time. */
function joined(before: string, text: string): string {
  if (!/\s/.test(before.slice(-1)) || !/\s/.test(text.slice(0, 1))) return before + text;
  const space = before.endsWith('\n') || text.startsWith('\n') ? '\n' : ' ';
  return before.slice(0, -1) + space + text.slice(1);
}

/** A line break between Chinese or Japanese characters, where source text may be wrapped anywhere. */
const WRAPPED = /([\u3000-\u9fff\uff00-\uff60])\n(?=[\u3000-\u9fff\uff00-\uff60])/g;
const AFTER_WIDE_STOP = /([。，、；：？！])\s+/g;

/** One line of plain text. */
function tidy(text: string): string {
  return text
    .replaceAll('\u00ad', '')
    .replace(WRAPPED, '$1')
    .replace(AFTER_WIDE_STOP, '$1')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
