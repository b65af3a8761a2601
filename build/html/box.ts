/**
 * Keeps an article's media and links inside its box on any page, by styles on elements that could overflow. The input
 * is the sanitiser's output: every tag is closed, attributes are in double quotes, and no value contains `<` or `>`.
 *
 * Text that does not wrap, such as code, may still overflow. docs/consumers/showing-articles.md has CSS for it.
 */

/** The styles that `keepInBox` may add. The policy's styles do not include them. */
export const BOX_STYLES = {
  media: 'max-width:100%',
  /** Otherwise an image that is made narrower would keep its height. */
  sized: 'height:auto',
  frame: 'border:0',
  wrapping: 'overflow-wrap:anywhere',
  preWrapping: 'white-space:break-spaces;overflow-wrap:anywhere',
  scrolling: 'display:block;overflow:auto',
  notIndented: 'margin-inline:0;padding-inline:0',
  notLarger: 'font-size:1em',
} as const;

/** Unbroken characters that fit into most boxes, or overflow only slightly. */
const MAX_UNBROKEN = 60;
/** The same in a link, which would cover what is next to the box. */
const MAX_UNBROKEN_IN_LINK = 30;
const MAX_GLUE = 20;
const MAX_COLUMNS = 12;
const MAX_INDENTS = 6;

const MEDIA = new Set(['img', 'audio', 'video', 'iframe']);
const INDENTED = new Set(['ul', 'ol', 'dd', 'blockquote', 'figure']);
const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
/** Inline elements. All others start a new line. */
export const INLINE = new Set(
  'a abbr b bdi bdo cite code data del dfn em i ins kbd mark q ruby rp rt s samp small span strong sub sup time u var img'.split(' '), // prettier-ignore
);
/** They grow with their content. */
const RUBY = new Set(['ruby', 'rt', 'rp']);
/** Characters that forbid line breaks (UAX #14: GL, WJ, ZWJ), except the no-break space, which images ignore. */
const GLUE = /[\u034f\u200d\u2007\u2011\u202f\u2060\ufeff]/g;
const SPANNING = / (?:colspan|rowspan|span)="(\d+)"/g;

interface Open {
  readonly name: string;
  /** Its index in the output pieces. */
  readonly at: number;
  /** Whether it contains media or links, which must not overflow. */
  hasMedia: boolean;
  hasLink: boolean;
  /** For `pre`: characters in its longest line, and in the current one. */
  longest: number;
  line: number;
  /** For tables: cells in the current row, and whether any row is wide or contains something that does not wrap. */
  cells: number;
  isWide: boolean;
}

/** Adds the styles that keep HTML in its box. */
export function keepInBox(html: string): string {
  const reader = new BoxReader();
  let at = 0;
  for (let tag = html.indexOf('<'); tag !== -1; tag = html.indexOf('<', at)) {
    if (tag > at) reader.text(html.slice(at, tag));
    at = html.indexOf('>', tag) + 1;
    if (html[tag + 1] === '/') reader.close(html.slice(tag + 2, at - 1));
    else reader.open(html.slice(tag, at));
  }
  if (at < html.length) reader.text(html.slice(at));
  return reader.printed();
}

class BoxReader {
  readonly #pieces: string[] = [];
  readonly #open: Open[] = [];
  readonly #tables: Open[] = [];
  readonly #pres: Open[] = [];
  #indents = 0;
  #headings = 0;
  #links = 0;
  #rubies = 0;
  /** Output indexes of the tags in the outermost open ruby, and whether it contains more than a few characters. */
  #rubyTags: number[] = [];
  #isRubyLarge = false;
  /** Characters since the last possible line break, and all characters so far that forbid one. */
  #unbroken = 0;
  #glue = 0;
  /** Whether the outermost open element needs more possible line breaks. */
  #mustWrap = false;
  /** The same for the open link, which a browser moves out of places where links are not allowed. */
  #mustLinkWrap = false;

  open(tag: string): void {
    const space = tag.indexOf(' ');
    const name = tag.slice(1, space === -1 ? -1 : space);
    const isVoid = tag.endsWith(' />');
    const attributes = space === -1 ? '' : tag.slice(space, isVoid ? -3 : -1);
    if (!INLINE.has(name)) this.#unbroken = 0;
    const styles: string[] = [];
    if (INDENTED.has(name)) {
      this.#indents += 1;
      if (this.#indents > MAX_INDENTS) styles.push(BOX_STYLES.notIndented);
    }
    if (HEADINGS.has(name)) {
      this.#headings += 1;
      if (this.#headings > 1) styles.push(BOX_STYLES.notLarger);
    }
    if (MEDIA.has(name)) styles.push(...mediaStyles(name, attributes));
    this.#noteContent(name, attributes);
    if (RUBY.has(name)) {
      if (name === 'ruby' && this.#rubies > 0) this.#isRubyLarge = true;
      this.#rubies += 1;
      this.#rubyTags.push(this.#pieces.length);
    } else if (this.#rubies > 0 && (MEDIA.has(name) || !INLINE.has(name))) this.#isRubyLarge = true;
    const kept = attributes === '' ? tag : withBreakSpaces(tag);
    const at = this.#pieces.push(withStyles(kept, styles)) - 1;
    if (isVoid) return;
    if (name === 'a') this.#links += 1;
    const hasLink = this.#links > 0;
    const opened: Open = { name, at, hasMedia: MEDIA.has(name), hasLink, longest: 0, line: 0, cells: 0, isWide: false }; // prettier-ignore
    this.#open.push(opened);
    if (name === 'table') this.#tables.push(opened);
    if (name === 'pre') this.#pres.push(opened);
  }

  text(text: string): void {
    if (this.#rubies > 0 && text.length > MAX_UNBROKEN) this.#isRubyLarge = true;
    const pre = this.#pres.at(-1);
    if (pre) measureLines(pre, text);
    else this.#measureRuns(text);
    const isLoose = this.#open.length === 0 && this.#mustWrap;
    this.#pieces.push(isLoose ? `<span style="${BOX_STYLES.wrapping}">${text}</span>` : text);
    if (isLoose) this.#mustWrap = false;
  }

  close(name: string): void {
    const at = this.#pieces.push(`</${name}>`) - 1;
    if (!INLINE.has(name)) this.#unbroken = 0;
    const closed = this.#open.pop();
    if (closed?.name !== name) return;
    const outer = this.#open.at(-1);
    if (INDENTED.has(name)) this.#indents -= 1;
    if (HEADINGS.has(name)) this.#headings -= 1;
    if (name === 'a') this.#closeLink(closed, outer);
    if (RUBY.has(name)) this.#closeRuby(at);
    if (outer) {
      outer.hasMedia ||= closed.hasMedia;
      outer.hasLink ||= closed.hasLink;
    }
    if (name === 'pre') {
      this.#pres.pop();
      if (closed.hasMedia || (closed.hasLink && closed.longest > MAX_UNBROKEN_IN_LINK))
        this.#restyle(closed, BOX_STYLES.preWrapping);
    }
    if (name === 'table') {
      this.#tables.pop();
      if (closed.isWide && (closed.hasMedia || closed.hasLink)) this.#restyle(closed, BOX_STYLES.scrolling);
    }
    if (outer !== undefined || !this.#mustWrap) return;
    this.#restyle(closed, BOX_STYLES.wrapping);
    this.#mustWrap = false;
  }

  printed(): string {
    return this.#pieces.join('');
  }

  #noteContent(name: string, attributes: string): void {
    const parent = this.#open.at(-1);
    if (parent && name === 'img') parent.hasMedia = true;
    const table = this.#tables.at(-1);
    if (!table) return;
    if (name === 'tr') table.cells = 0;
    if (name === 'td' || name === 'th') table.cells += 1;
    const spans = attributes === '' ? [] : [...attributes.matchAll(SPANNING)];
    const widest = Math.max(0, ...spans.map(([, span]) => Number(span)));
    if (
      name === 'table' ||
      name === 'pre' ||
      INDENTED.has(name) ||
      table.cells > MAX_COLUMNS ||
      widest > MAX_COLUMNS
    )
      table.isWide = true;
  }

  #closeLink(link: Open, outer: Open | undefined): void {
    this.#links -= 1;
    if (this.#mustLinkWrap && outer !== undefined) this.#restyle(link, BOX_STYLES.wrapping);
    this.#mustLinkWrap = false;
  }

  /** A large ruby becomes plain text, because it would not wrap. */
  #closeRuby(at: number): void {
    this.#rubyTags.push(at);
    this.#rubies -= 1;
    if (this.#rubies > 0) return;
    if (this.#isRubyLarge)
      for (const tag of this.#rubyTags)
        this.#pieces[tag] = this.#pieces[tag]?.startsWith('</') ? '</span>' : '<span>';
    this.#rubyTags = [];
    this.#isRubyLarge = false;
  }

  /** Jumps from each possible line break to the last one within reach, so it reads few characters. */
  #measureRuns(text: string): void {
    const most = this.#links > 0 ? MAX_UNBROKEN_IN_LINK : MAX_UNBROKEN;
    this.#glue += text.match(GLUE)?.length ?? 0;
    let isUnbroken = this.#glue > MAX_GLUE && !/^[ \t-\r\u2e80-\ua4cf]*$/.test(text);
    let start = -this.#unbroken;
    while (!isUnbroken && start + most < text.length) {
      const end = lastLineEnd(text, start, Math.max(0, start + most));
      if (end === -1) isUnbroken = true;
      else start = end + 1;
    }
    const end = lastLineEnd(text, start, text.length - 1);
    this.#unbroken = text.length - (end === -1 ? start : end + 1);
    if (!isUnbroken) return;
    this.#mustWrap = true;
    this.#mustLinkWrap = this.#links > 0;
  }

  #restyle({ at }: Open, style: string): void {
    this.#pieces[at] = withStyles(this.#pieces[at] ?? '', [style]);
  }
}

function mediaStyles(name: string, attributes: string): string[] {
  const isSized = attributes.includes(' width="') && attributes.includes(' height="');
  if (name === 'iframe') return [BOX_STYLES.media, BOX_STYLES.frame];
  return isSized && name !== 'audio' ? [BOX_STYLES.media, BOX_STYLES.sized] : [BOX_STYLES.media];
}

function measureLines(pre: Open, text: string): void {
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    pre.longest = Math.max(pre.longest, pre.line + end - start);
    pre.line = 0;
    start = end + 1;
  }
  pre.line += text.length - start;
  pre.longest = Math.max(pre.longest, pre.line);
}

/** @returns the last possible line break from `first` to `last`; -1: none */
function lastLineEnd(text: string, first: number, last: number): number {
  for (let at = last; at >= first && at >= 0; at--) if (mayEndLine(text.charCodeAt(at))) return at;
  return -1;
}

/** White space, and Chinese and Japanese characters, which wrap anywhere unless GLUE forbids it. */
function mayEndLine(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || (code >= 0x2e80 && code <= 0xa4cf);
}

/** With `pre-wrap`, spaces at the end of a line overflow the box, and so does a link around them. */
function withBreakSpaces(tag: string): string {
  if (!tag.includes('white-space:pre-wrap')) return tag;
  return tag.replace(/ style="[^"]*"/, (style) =>
    style.replaceAll('white-space:pre-wrap', 'white-space:break-spaces'),
  );
}

/** A start tag with more styles after its own. */
function withStyles(tag: string, styles: readonly string[]): string {
  if (styles.length === 0) return tag;
  const more = styles.join(';');
  if (tag.includes(' style="')) return tag.replace(/( style="[^"]*)"/, `$1;${more}"`);
  return tag.replace(/ ?\/?>$/, (end) => ` style="${more}"${end}`);
}
