import { INLINE } from './box.ts';

/** Elements beside the running text of an article. */
const APART = new Set(
  'h1 h2 h3 h4 h5 h6 pre table figure figcaption ul ol dl details aside header footer'.split(' '),
);
/** Elements whose text does not belong on one line with what stands around it: struck out, or for machines. */
const SILENT = new Set(['del', 's', 'rp', 'rt', 'audio', 'video']);
/** Footnotes, and the references to them. */
const NOTE = / class="(?:[^"]* )?footnote| role="doc-(?:noteref|backlink|endnotes?|footnote)"/;

/** How much a piece of text is part of the running text, from not at all to wholly. */
const LEVELS = { silent: 0, any: 1, running: 2, paragraph: 3 } as const;
type Level = (typeof LEVELS)[keyof typeof LEVELS];

/** So many code units besides white space are enough: 200 characters of two each, and a word more. */
const ENOUGH = 450;

/**
 * The beginning of an article's running text, as plain text on one line: that of its paragraphs; without any, that of
 * the rest but headings, lists, tables, code and captions; without any, all.
 *
 * @param html as the sanitiser gives it: every tag is closed, and no value has `<` or `>`
 * @returns empty where the article has no text; else 200 characters at least, or all there is
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
    if (!INLINE.has(name) && name !== 'wbr') texts.add(' ', LEVELS.paragraph);
    if (isEnd) open.pop();
    else if (!inside.endsWith('/')) open.push({ name, level: levelOf(name, inside) });
    if (level >= LEVELS.running && APART.has(name)) texts.omit();
    level = open.at(-1)?.level ?? LEVELS.running;
  }
  if (!texts.isEnough) texts.add(html.slice(at), level);
  return texts.best();

  function levelOf(name: string, tag: string): Level {
    if (level === LEVELS.silent || SILENT.has(name) || NOTE.test(tag)) return LEVELS.silent;
    // What links from a raised sign leads to a note.
    if (name === 'a' && open.some((outer) => outer.name === 'sup')) return LEVELS.silent;
    if (name === 'sup' && open.some((outer) => outer.name === 'a')) return LEVELS.silent;
    if (APART.has(name)) return LEVELS.any;
    return name === 'p' && level === LEVELS.running ? LEVELS.paragraph : level;
  }
}

/** Text so far: of each level, with what is on a higher one. */
class Texts {
  readonly #raw = ['', '', '', ''];
  readonly #visible = [0, 0, 0, 0];

  get isEnough(): boolean {
    return (this.#visible[LEVELS.paragraph] ?? 0) >= ENOUGH;
  }

  add(html: string, level: Level): void {
    // Lower levels have more.
    if (level === LEVELS.silent || (this.#visible[level] ?? 0) >= ENOUGH) return;
    const text = unescaped(html);
    const visible = text === ' ' ? 0 : text.replace(/\s+/g, '').length;
    for (let at = level; at > 0; at -= 1) {
      if ((this.#visible[at] ?? 0) >= ENOUGH) continue;
      this.#raw[at] += text;
      this.#visible[at] = (this.#visible[at] ?? 0) + visible;
    }
  }

  /** Shows that something is left out here, where the text so far announces it. */
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

/** Of entities the sanitiser leaves these four and no others. */
function unescaped(html: string): string {
  if (!html.includes('&')) return html;
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

/** A line break between Chinese or Japanese characters, where their writers may wrap a text at any place. */
const WRAPPED = /([\u3000-\u9fff\uff00-\uff60])\s*\n\s*(?=[\u3000-\u9fff\uff00-\uff60])/g;
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
