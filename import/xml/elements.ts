import { Parser, type Handler } from 'htmlparser2';
import { elementHtml } from '../../common/content/html-tree.ts';
import { escapeHtml } from '../../common/content/text.ts';

/** An element with its content. */
export interface XmlElement {
  /** With NAMESPACES' prefix for its namespace, whatever prefix the document uses: `atom:entry`. */
  readonly name: string;
  /** As written, except for namespace prefixes. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
  /** The base of its addresses (`xml:base`); null if not given. */
  readonly base: string | null;
  /** From `xml:lang`, also of an outer element; null if not given. */
  readonly language: string | null;
}

/** The content of a document, in order. */
type XmlEntry =
  /** A direct child of a container: a record, or a field of the document itself. */
  | { readonly kind: 'element'; readonly element: XmlElement }
  /** A record larger than any post, with the part that was read. */
  | { readonly kind: 'too large'; readonly element: XmlElement }
  /** Always last. */
  | { readonly kind: 'end'; readonly end: XmlEnd };

export interface XmlEnd {
  /** Whether the XML is complete at the end of the document. */
  readonly isComplete: boolean;
  /** The part of the truncated element that was read; null if none is truncated. */
  readonly cut: XmlElement | null;
  /** The outermost container, or else the first element; null without one. */
  readonly root: string | null;
}

interface XmlShape {
  /** Elements that contain the wanted ones: `atom:feed`. */
  readonly containers: ReadonlySet<string>;
  /** Elements that never nest, so that an unclosed one does not swallow the next. */
  readonly records: ReadonlySet<string>;
  /** Elements in records that nobody reads, of any number and size. */
  readonly ignored?: ReadonlySet<string>;
}

/** The prefixes of element names here. Two namespaces with the same prefix are versions of one format. */
const NAMESPACES: Readonly<Record<string, string>> = {
  'http://www.w3.org/2005/Atom': 'atom:',
  'http://purl.org/atom/ns#': 'atom:',
  'http://purl.org/rss/1.0/': '',
  'http://backend.userland.com/rss2': '',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#': 'rdf:',
  'http://purl.org/rss/1.0/modules/content/': 'content:',
  'http://purl.org/dc/elements/1.1/': 'dc:',
  'http://search.yahoo.com/mrss/': 'media:',
  'http://search.yahoo.com/mrss': 'media:',
  'http://www.itunes.com/dtds/podcast-1.0.dtd': 'itunes:',
  'http://rssnamespace.org/feedburner/ext/1.0': 'feedburner:',
  'http://www.w3.org/2007/app': 'app:',
  'http://purl.org/atom/app#': 'app:',
  'http://purl.org/syndication/thread/1.0': 'thr:',
  'http://schemas.google.com/blogger/2018': 'blogger:',
  'http://www.w3.org/1999/xhtml': 'xhtml:',
};

/** For one element: real posts have less text, and fewer elements. */
const MAX_TEXT = 10_000_000;
const MAX_ELEMENTS = 200_000;
/** Nesting depth of one wanted element. */
const MAX_DEPTH = 200;
/** Nesting depth of the whole document: each unclosed record adds some. */
const MAX_OPEN = 10_000;
/** How much text the parser may hold back; more means that something is not closed. */
const MAX_PENDING = 2 * MAX_TEXT;
const MAX_PREFIXES = 100;

/**
 * Streams XML, with one element of a container in memory at most. Tolerates errors of real feeds: text before the XML
 * declaration, a bare `&`, undeclared prefixes, unclosed elements, truncation anywhere.
 */
export async function* readXml(texts: AsyncIterable<string>, shape: XmlShape): AsyncGenerator<XmlEntry> {
  const entries: XmlEntry[] = [];
  const reader = entryReader(shape, (entry) => entries.push(entry));
  const parser = new Parser(reader.handler, { xmlMode: true });
  let length = 0;
  for await (const text of texts) {
    parser.write(text);
    yield* entries.splice(0);
    length += text.length;
    if (length - parser.endIndex > MAX_PENDING || reader.open() > MAX_OPEN) break;
  }
  // The parser is not ended: it would close what the document leaves open.
  yield { kind: 'end', end: reader.end() };
}

/** Values that apply to an open element and its content. */
interface Scope {
  readonly prefixes: ReadonlyMap<string, string>;
  readonly base: string | null;
  readonly language: string | null;
  readonly isContainer: boolean;
}

type OpenElement = XmlElement & { readonly children: (XmlElement | string)[] };

/** Converts the parser's events to entries. */
function entryReader(
  { containers, records, ignored = new Set() }: XmlShape,
  emit: (entry: XmlEntry) => void,
): {
  readonly handler: Partial<Handler>;
  readonly end: () => XmlEnd;
  /** The number of open elements in the parser. */
  readonly open: () => number;
} {
  const scopes: Scope[] = [];
  const outside: Scope = {
    prefixes: new Map([['rss', '']]),
    base: null,
    language: null,
    isContainer: true,
  };
  let root: string | null = null;
  let openContainers = 0;
  /** The current element of a container and its open descendants, outermost first. */
  let path: OpenElement[] = [];
  /** The index in `scopes` of the first of `path`. */
  let start = 0;
  let size = { text: 0, elements: 0, tooLarge: false };
  /** Its value where the ignored element began. */
  let sizeBefore = size;

  return {
    handler: { onopentag, ontext, onclosetag },
    open: () => scopes.length,
    end: () => ({ isComplete: openContainers === 0 && path.length === 0, cut: path[0] ?? null, root }),
  };

  function onopentag(written: string, attributes: Readonly<Record<string, string>>): void {
    const around = scopes.at(-1) ?? outside;
    const scope = innerScope(around, written, attributes);
    const name = nameIn(scope, written);
    const isContainer = path.length === 0 && around.isContainer && containers.has(name);
    if (root === null || (isContainer && !containers.has(root))) root = name;
    if (records.has(name) && path.length > 0) finish();
    scopes.push({ ...scope, isContainer });
    if (isContainer) {
      openContainers += 1;
      return;
    }
    if (path.length === 0 && !around.isContainer && !records.has(name)) return;
    const element: OpenElement = {
      name,
      attributes,
      children: [],
      base: scope.base,
      language: scope.language,
    };
    if (path.length === 0) {
      path = [element];
      start = scopes.length - 1;
      size = { text: 0, elements: 0, tooLarge: false };
      return;
    }
    const isIgnored = ignored.has(name);
    if (isIgnored) sizeBefore = { ...size };
    const isTooMuch = size.elements >= MAX_ELEMENTS || path.length > MAX_DEPTH;
    if (isTooMuch) size.tooLarge = true;
    else size.elements += 1;
    if (!isIgnored && !isTooMuch) path.at(-1)?.children.push(element);
    path.push(element);
  }

  function ontext(data: string): void {
    const element = path.at(-1);
    if (element === undefined) return;
    // The small fields after a large one are read: they identify the record.
    if (size.text + data.length > MAX_TEXT) {
      size.tooLarge = true;
      return;
    }
    size.text += data.length;
    const last = element.children.length - 1;
    const before = element.children[last];
    if (typeof before === 'string') element.children[last] = before + data;
    else element.children.push(data);
  }

  function onclosetag(): void {
    if (scopes.pop()?.isContainer) openContainers -= 1;
    if (path.length === 0) return;
    if (scopes.length === start) finish();
    else if (scopes.length - start < path.length && ignored.has(path.pop()?.name ?? '')) size = sizeBefore;
  }

  function finish(): void {
    const [element] = path;
    path = [];
    if (element !== undefined) emit({ kind: size.tooLarge ? 'too large' : 'element', element });
  }
}

function innerScope(around: Scope, written: string, attributes: Readonly<Record<string, string>>): Scope {
  const { 'xml:base': base, 'xml:lang': language } = attributes;
  let prefixes = around.prefixes;
  for (const [name, value] of Object.entries(attributes)) {
    if (!/^xmlns(?:$|:)/.test(name) || prefixes.size > MAX_PREFIXES) continue;
    const known = Object.hasOwn(NAMESPACES, value) ? NAMESPACES[value] : undefined;
    // Prefixes of unknown namespaces are kept.
    const prefix = name.slice(6);
    prefixes = new Map(prefixes).set(prefix, known ?? (prefix === '' ? '' : `${prefix}:`));
  }
  // Some feeds omit or misspell Atom's namespace.
  if (written === 'feed' && !prefixes.get('')) prefixes = new Map(prefixes).set('', 'atom:');
  return {
    prefixes,
    base: base === undefined ? around.base : resolved(base, around.base),
    language: language ?? around.language,
    isContainer: false,
  };
}

function nameIn({ prefixes }: Scope, written: string): string {
  const colon = written.indexOf(':');
  const prefix = colon === -1 ? '' : written.slice(0, colon);
  return (prefixes.get(prefix) ?? (colon === -1 ? '' : `${prefix}:`)) + written.slice(colon + 1);
}

/** Resolves `written` against `base`; unchanged if that is impossible. */
export function resolved(written: string, base: string | null): string {
  const text = written.trim();
  return base !== null && URL.canParse(text, base) ? new URL(text, base).href : text;
}

export function childElements({ children }: XmlElement): XmlElement[] {
  return children.filter((child) => typeof child !== 'string');
}

export function childrenNamed(element: XmlElement, ...names: readonly string[]): XmlElement[] {
  return childElements(element).filter(({ name }) => names.includes(name));
}

/** The texts of the non-empty children with the first of these names that has some, trimmed. */
export function childTexts(element: XmlElement, ...names: readonly string[]): string[] {
  for (const name of names) {
    const texts = childrenNamed(element, name).map(textIn).filter(Boolean);
    if (texts.length > 0) return texts;
  }
  return [];
}

/** The first of these texts; empty without one. */
export function childText(element: XmlElement, ...names: readonly string[]): string {
  return childTexts(element, ...names)[0] ?? '';
}

/** All text in an element, trimmed, without a CDATA section's marks that were escaped with it. */
export function textIn(element: XmlElement): string {
  const text = rawText(element).trim();
  return text.startsWith('<![CDATA[')
    ? text
        .slice(9)
        .replace(/\]\]>$/, '')
        .trim()
    : text;
}

/** All text in an element. */
export function rawText({ children }: XmlElement): string {
  return children.map((child) => (typeof child === 'string' ? child : rawText(child))).join('');
}

/** The content of an element as HTML, for XHTML in XML. */
export function innerHtml({ children }: XmlElement): string {
  return children.map((child) => (typeof child === 'string' ? escapeHtml(child) : outerHtml(child))).join('');
}

function outerHtml(element: XmlElement): string {
  const name = element.name.replace(/^(?:xhtml|atom):/, '');
  const attributes = Object.entries(element.attributes).filter(([key]) => !/^xml(?:ns)?(?::|$)/.test(key));
  return elementHtml(name, attributes, innerHtml(element));
}
