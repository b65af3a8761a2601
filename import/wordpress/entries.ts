import { Parser, type Handler } from 'htmlparser2';
import { textOf } from './decode.ts';
import type { Item, ItemTerm } from './item.ts';

/** The content of an export, in the order of the file. */
export type Entry =
  | { readonly kind: 'channel'; readonly field: string; readonly text: string }
  | { readonly kind: 'author'; readonly fields: ReadonlyMap<string, string> }
  | { readonly kind: 'item'; readonly item: Item }
  /** Always last. */
  | { readonly kind: 'end'; readonly end: End };

export interface End {
  /** Whether the XML is complete at the end of the file. */
  readonly isWhole: boolean;
  /** The fields so far of the item in which the file is truncated; null if in none. */
  readonly cut: ReadonlyMap<string, string> | null;
  /** Names of elements outside items: they show what the file is if it is not an export. */
  readonly elements: ReadonlySet<string>;
  /** Whether anything in it has one of WordPress's names. */
  readonly isWordPress: boolean;
  readonly isEmpty: boolean;
  /** Whether it begins as XML does: Markdown contains tags too. */
  readonly isXml: boolean;
  /** Whether it begins as JSON does. */
  readonly isJson: boolean;
}

/** Real texts are shorter: a million words are 6 MB. */
const MAX_FIELD = 10_000_000;
/** How much text the parser may hold back; more means that something is not closed. */
const MAX_PENDING = 2 * MAX_FIELD;
/** Nested elements: an item has four levels, and each unclosed item adds some. */
const MAX_DEPTH = 10_000;
/** More names than this do not help to identify the file. */
const MAX_ELEMENTS = 50;

/**
 * Streams an export, with one item in memory at most. Tolerates errors of real exports: text before the XML
 * declaration, a bare `&`, undeclared prefixes, unclosed elements, truncation anywhere.
 */
export async function* readEntries(path: string, onRead: (bytes: number) => void): AsyncGenerator<Entry> {
  const entries: Entry[] = [];
  const reader = entryReader((entry) => entries.push(entry));
  const parser = new Parser(reader.handler, { xmlMode: true });
  let length = 0;
  let beginning = '';
  for await (const text of textOf(path, onRead)) {
    if (beginning.trim() === '') beginning = text.slice(0, 1000);
    parser.write(text);
    yield* entries.splice(0);
    length += text.length;
    if (length - parser.endIndex > MAX_PENDING || reader.depth() > MAX_DEPTH) break;
  }
  const isEmpty = beginning.trim() === '';
  const isXml = /^[\s\uFEFF]*<(?:\?xml|!|[\w:]+[\s/>])/.test(beginning);
  const isJson = /^[\s\uFEFF]*[[{]/.test(beginning);
  // The parser is not ended: it would close what the file leaves open.
  yield { kind: 'end', end: { ...reader.end(), isEmpty, isXml, isJson } };
}

interface OpenItem {
  readonly fields: Map<string, string>;
  readonly terms: ItemTerm[];
  readonly meta: Map<string, string>;
  tooLong: string | null;
  metaKey: string;
}

/** Converts the parser's events to entries. */
function entryReader(emit: (entry: Entry) => void): {
  handler: Partial<Handler>;
  end: () => Omit<End, 'isEmpty' | 'isXml' | 'isJson'>;
  /** The number of open elements in the parser. */
  depth: () => number;
} {
  let item: OpenItem | null = null;
  let author: Map<string, string> | null = null;
  /** The open elements inside the item, author or channel. */
  let open: string[] = [];
  let attributes: Readonly<Record<string, string>> = {};
  /** The text of the current field; null outside one. */
  let text: string | null = null;
  let channel: 'none' | 'open' | 'closed' = 'none';
  let isWordPress = false;
  let depth = 0;
  const elements = new Set<string>();

  return {
    handler: { onopentag, ontext, onclosetag },
    depth: () => depth,
    end: () => ({
      isWhole: item === null && channel !== 'open',
      cut: item?.fields ?? null,
      elements,
      isWordPress,
    }),
  };

  function onopentag(name: string, given: Readonly<Record<string, string>>): void {
    depth += 1;
    isWordPress ||= name.startsWith('wp:');
    if (name === 'item') {
      finishItem(); // An unclosed item must not swallow the next one.
      item = { fields: new Map(), terms: [], meta: new Map(), tooLong: null, metaKey: '' };
      open = [];
      return;
    }
    if (item === null) {
      if (elements.size < MAX_ELEMENTS) elements.add(name);
      if (name === 'rss' || name === 'channel') {
        channel = 'open';
        open = [];
        return;
      }
      if (name === 'wp:author') author = new Map();
    }
    open.push(name);
    if (isField()) {
      text = '';
      attributes = given;
    }
  }

  /** Whether the innermost open element is a field to read. Comments are skipped. */
  function isField(): boolean {
    const isGroup = /^wp:(?:postmeta|comment|author|category|tag|term)$/.test(open[0] ?? '');
    if (!isGroup) return open.length === 1;
    return open.length === 2 && (item === null ? author !== null : open[0] === 'wp:postmeta');
  }

  function ontext(data: string): void {
    if (text === null) return;
    if (text.length + data.length <= MAX_FIELD) text += data;
    else if (item !== null) item.tooLong = open.at(-1) ?? null;
  }

  function onclosetag(name: string): void {
    depth -= 1;
    if (name === 'item') {
      finishItem();
      return;
    }
    if (name === 'rss' || name === 'channel') {
      channel = 'closed';
      return;
    }
    if (text !== null && isField()) {
      takeField(text, name);
      text = null;
    }
    if (name === 'wp:author' && author !== null) {
      emit({ kind: 'author', fields: author });
      author = null;
    }
    open.pop();
  }

  function takeField(value: string, name: string): void {
    if (item === null) {
      if (author !== null) author.set(name, value);
      else emit({ kind: 'channel', field: name, text: value });
    } else if (name === 'wp:meta_key') {
      item.metaKey = value.trim();
    } else if (name === 'wp:meta_value') {
      if (!item.meta.has(item.metaKey)) item.meta.set(item.metaKey, value);
    } else if (name === 'category') {
      const { domain = 'category', nicename = '' } = attributes;
      item.terms.push({ domain, nicename, name: value });
    } else if (open.length === 1 && !item.fields.has(name)) {
      item.fields.set(name, value);
    }
  }

  function finishItem(): void {
    if (item !== null) {
      const { fields, terms, meta, tooLong } = item;
      emit({ kind: 'item', item: { fields, terms, meta, tooLong } });
    }
    item = null;
    text = null;
    open = [];
  }
}
