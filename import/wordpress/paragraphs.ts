import { TextSearch } from '../article/text-search.ts';

/**
 * Adds paragraphs to texts of the classic editor: a blank line separates two, a single line break becomes `<br>`.
 * Written from WordPress's documentation (the function `wpautop`).
 *
 * - Blocks (lists, tables, headings and so on) are unchanged and not wrapped in a paragraph.
 * - Text directly inside a block becomes paragraphs only if it contains a blank line, or the block is
 *   a quotation; text blocks such as headings, and lists and tables themselves, get none.
 * - Code, scripts, texts of forms, and media are unchanged.
 *
 * @param text without comments
 */
export function withParagraphs(text: string): string {
  const writer = new ParagraphWriter();
  const search = new TextSearch(text.toLowerCase());
  let at = 0;
  while (at < text.length) {
    const tag = nextTag(text, at);
    writer.addText(text.slice(at, tag?.start ?? text.length));
    if (tag === null) break;
    at = tag.end;
    const close = !tag.closes && UNTOUCHED.has(tag.name) ? search.indexOf(`</${tag.name}`, at) : null;
    if (close !== null) {
      const after = search.indexOf('>', close);
      at = after === null ? text.length : after + 1;
      writer.addVerbatim(tag.name, text.slice(tag.start, at));
    } else if (BLOCKS.has(tag.name)) writer.addBlock(tag);
    else writer.addInline(tag);
  }
  return writer.end();
}

interface HtmlTag {
  /** As written, with its brackets. */
  readonly html: string;
  readonly name: string;
  readonly closes: boolean;
  readonly start: number;
  readonly end: number;
}

const TAG = /<(\/?)([a-z][a-z\d-]*)(?:[\s/][^<>]*)?>/gi;

function nextTag(text: string, from: number): HtmlTag | null {
  TAG.lastIndex = from;
  const match = TAG.exec(text);
  if (match === null) return null;
  const [html, slash, name = ''] = match;
  return {
    html,
    name: name.toLowerCase(),
    closes: slash === '/',
    start: match.index,
    end: TAG.lastIndex,
  };
}

const UNTOUCHED = words('pre code script style textarea select svg math object audio video map');
const BLOCKS = words(
  'address article aside blockquote caption center col colgroup dd details dir div dl dt fieldset figcaption ' +
    'figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol p pre section summary ' +
    'table tbody td tfoot th thead tr ul',
);
/** Blocks whose text may become paragraphs. */
const CONTAINERS = words(
  'article aside blockquote center dd details div fieldset footer form header li main nav section td th',
);
const VOID_BLOCKS = words('col hr');
const VOID_INLINE = words('area br embed img input link meta param source track wbr');

/** Limit for nested inline elements that are reopened after a paragraph's end; real text has fewer. */
const MAX_OPEN = 8;
/** Replaces a line break that is not the text's: in a tag, in code. No text contains this character. */
const KEPT_BREAK = '\u0001';

interface OpenBlock {
  readonly name: string;
  readonly mayHaveParagraphs: boolean;
  /** Whether it directly contains a blank line. */
  parted: boolean;
}

/** Receives the parts of a text in order, and writes them with paragraphs. */
class ParagraphWriter {
  readonly #made: string[] = [];
  /** Whether a line ends before the next part. */
  #lineEnds = false;
  /** Open blocks, and inline elements that contain blocks, outermost first. */
  readonly #blocks: OpenBlock[] = [];
  /** Counts of the open names. */
  readonly #counts = new Map<string, number>();
  /** Text and inline elements since the last block or paragraph. */
  #run = '';
  /** Whether any of it is visible. */
  #shows = false;
  /** Open inline elements. */
  #open: HtmlTag[] = [];

  addText(text: string): void {
    const [first = '', ...others] = text.split(/\n[ \t]*\n\s*/);
    this.#add(first);
    for (const other of others) {
      const block = this.#blocks.at(-1);
      if (block) block.parted = true;
      if (this.#flush() && block?.name === 'p') this.#closeParagraph();
      this.#lineEnds = true;
      this.#add(other);
    }
  }

  addVerbatim(name: string, html: string): void {
    if (name === 'pre') {
      this.#beginBlock();
      this.#write(html);
      return;
    }
    this.#shows ||= name !== 'script' && name !== 'style';
    this.#run += html.replaceAll('\n', KEPT_BREAK);
  }

  addInline(tag: HtmlTag): void {
    const { name, html, closes } = tag;
    if (closes) {
      const index = this.#open.findLastIndex((open) => open.name === name);
      const [begun] = index === -1 ? [] : this.#open.splice(index, 1);
      // An anchor counts as visible; an empty emphasis does not.
      if (begun) this.#shows ||= begun.html.includes('=');
      else if (this.#counts.get(name)) {
        this.#endBlock(tag);
        return;
      }
    } else {
      if (VOID_INLINE.has(name)) this.#shows = true;
      else if (this.#open.push(tag) > MAX_OPEN) this.#open.shift();
    }
    this.#run += html.replaceAll('\n', KEPT_BREAK);
  }

  addBlock(tag: HtmlTag): void {
    if (tag.closes) {
      if (this.#counts.get(tag.name)) this.#endBlock(tag);
      else {
        this.#flush();
        if (tag.name !== 'p') this.#write(tag.html);
      }
      return;
    }
    this.#beginBlock();
    this.#write(tag.html);
    if (!VOID_BLOCKS.has(tag.name)) this.#push(tag.name, CONTAINERS.has(tag.name));
  }

  end(): string {
    this.#flush();
    return this.#made.join('').replaceAll(KEPT_BREAK, '\n');
  }

  #add(text: string): void {
    this.#shows ||= text.trim() !== '';
    this.#run += text;
  }

  #write(html: string): void {
    if (this.#lineEnds && this.#made.length > 0) this.#made.push('\n');
    this.#lineEnds = false;
    this.#made.push(html);
  }

  /** Writes the run. Returns whether any of it was visible. */
  #flush(): boolean {
    const run = this.#run;
    const shows = this.#shows;
    const block = this.#blocks.at(-1);
    if (shows) {
      const closing = this.#open.map(({ name }) => `</${name}>`).reverse();
      const html = withBreaks(run.trim()) + closing.join('');
      if (!block || block.name === 'blockquote' || (block.mayHaveParagraphs && block.parted)) {
        this.#lineEnds = true;
        this.#write(`<p>${html}</p>`);
        this.#lineEnds = true;
      } else {
        this.#lineEnds ||= /^[ \t]*\n/.test(run);
        this.#write(html);
      }
    } else if (this.#open.length === 0 && run.trim() !== '') this.#write(run.trim());
    else this.#lineEnds ||= run.includes('\n');
    if (shows) this.#lineEnds ||= run.includes('\n', run.trimEnd().length);
    if (shows) this.#open = this.#open.map((tag) => ({ ...tag, html: withoutId(tag.html) }));
    this.#run = this.#open.map(({ html }) => html).join('');
    this.#shows = false;
    return shows;
  }

  /** Ends the run. Inline elements that are still open continue around the block. */
  #beginBlock(): void {
    this.#flush();
    if (this.#blocks.at(-1)?.name === 'p') this.#closeParagraph();
    for (const { name, html } of this.#open) {
      this.#write(html);
      this.#push(name, true);
    }
    this.#open = [];
    this.#run = '';
  }

  #endBlock({ name, html }: HtmlTag): void {
    this.#flush();
    this.#open = [];
    this.#run = '';
    while (this.#pop() !== name);
    this.#write(html);
  }

  #closeParagraph(): void {
    this.#pop();
    this.#lineEnds = false;
    this.#write('</p>');
    this.#lineEnds = true;
  }

  #push(name: string, mayHaveParagraphs: boolean): void {
    this.#blocks.push({ name, mayHaveParagraphs, parted: false });
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  #pop(): string | undefined {
    const name = this.#blocks.pop()?.name;
    if (name !== undefined) this.#counts.set(name, (this.#counts.get(name) ?? 1) - 1);
    return name;
  }
}

/** Converts single line breaks to `<br>`, unless there is one already. */
function withBreaks(text: string): string {
  return text
    .split('\n')
    .map((line, at, { length }) => {
      const trimmed = line.trim();
      return at === length - 1 || /<br\s*\/?>$/i.test(trimmed) ? trimmed : `${trimmed}<br />`;
    })
    .join('\n');
}

/** An id must be unique in a page. */
function withoutId(tag: string): string {
  return tag.replace(/\s(?:id|name)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*)/gi, '');
}

function words(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}
