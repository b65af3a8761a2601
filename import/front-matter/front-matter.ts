import { parse as parseTomlDocument, TomlDate, TomlError } from 'smol-toml';
import { isScalar, Lexer, LineCounter, parseDocument, type Scalar, visit, type Document } from 'yaml';
import { PostUnreadable } from '../../common/content/errors.ts';
import { tidyLine, tidyText } from '../../common/content/text.ts';
import { yamlAdvice } from './yaml-advice.ts';

export type FrontValue = string | boolean | null | readonly FrontValue[] | FrontMatter;

/** Keys as written; `field` finds them in any spelling. */
export interface FrontMatter {
  readonly [key: string]: FrontValue;
}

export interface Page {
  /** Null if the file has no front matter, which differs from an empty one. */
  readonly frontMatter: FrontMatter | null;
  readonly body: string;
  /** The key of its status that it has twice, which makes it a draft; null: none. */
  readonly repeated: string | null;
}

/** A file that is being saved, or was saved in part: no edit of its post. */
export class FileUnfinished extends PostUnreadable {}

/** A key that front matter has twice. Generators take one or the other. */
export class KeyRepeated extends PostUnreadable {
  readonly key: string;
  constructor(key: string, line: number) {
    super(`has the key "${key}" twice, again in line ${line}: remove one`);
    this.key = key;
  }
}

/** A line at the top of front matter with a key that decides whether a post is public. */
const STATUS_LINE = /^["']?(draft|published)["']?[ \t]*[:=].*$/gim;

/** Nested lists and tables; front matter written by hand has less than half of this depth. */
const MAX_DEPTH = 100;

/** In characters; front matter written by hand is shorter. */
const MAX_FRONT_MATTER = 64_000;

/** The same for a file of data or settings. */
const MAX_SOURCE = 250_000;

/** What Hugo and similar generators allow before front matter: white space, invisible characters, HTML comments. */
const BEFORE = /(?:[\s\p{Cc}\p{Cf}]+|<!--[^]*?-->)+/uy;

/** The first line of front matter, and of text that looks like it. */
const OPENING = /(?<mark>-{3,}|\+{3,})(?<rest>[^\n]*)(?:\n|$)/y;

/** Fences that only Hexo has, or dashes that an editor has replaced. */
const ODD_OPENING = /(?:;{3,}|-?[\u2010-\u2015]-{0,2})[^\S\n]*\n/y;

/** Hexo does not need the first line of dashes: every line is `key: value`, with at least one known key. */
const UNOPENED =
  /(?:\w[\w -]{0,39}:[^\n]*\n|[^\S\n][^\n]*\n|- [^\n]*\n){1,50}?(?:-{3,}|;{3,})[^\S\n]*(?:\n|$)/y;
/** Pelican and MultiMarkdown have no marks: the header ends with an empty line. */
const UNFENCED = /(?:\w[\w -]{0,39}:[^\n]*(?:\n|$)|[^\S\n]+[^\s][^\n]*(?:\n|$)){1,50}(?=[^\S\n]*(?:\n|$))/y;
const KNOWN_KEY = /^(?:title|date|draft|layout|published|status|permalink|slug|tags|categories)[^\S\n]*:/im;

/** Front matter further down: generators read it as text, which the author did not intend. */
const LATE =
  /^(---|\+\+\+)[ \t]*\n(?:[^\n]*\n){0,50}?[ \t]*["']?(?:title|date|draft|layout|published|status|permalink|slug|tags|categories)["']?[ \t]*[:=][^\n]*\n(?:[^\n]*\n){0,50}?\1[ \t]*$/m;
const LATE_WITHIN = 10_000;

/**
 * Splits a post's text (from `tidyText`) into front matter and body. Text that looks like front matter is never body:
 * generators differ in what may precede it, and a blank line must not publish a draft.
 *
 * @throws PostUnreadable with the parser's reason and the line in the file
 */
export function splitPage(text: string): Page {
  if (text.trim() === '') throw new FileUnfinished('is empty');
  const start = startOf(text);
  if (/^\{\s*(?:"|\}\s*$)/.test(text.slice(start, start + 1000))) return jsonPage(text, start);
  OPENING.lastIndex = start;
  const { mark = '', rest = '' } = OPENING.exec(text)?.groups ?? {};
  if (mark === '') {
    ODD_OPENING.lastIndex = UNOPENED.lastIndex = UNFENCED.lastIndex = start;
    if (ODD_OPENING.test(text) || KNOWN_KEY.test(UNOPENED.exec(text)?.[0] ?? '')) {
      throw new PostUnreadable('has front matter that does not begin with a line "---"');
    }
    if (KNOWN_KEY.test(UNFENCED.exec(text)?.[0] ?? '')) {
      throw new PostUnreadable('begins with lines like front matter: put "---" around them');
    }
    if (LATE.test(text.slice(0, LATE_WITHIN).replace(/^(```|~~~)[^]*/m, ''))) {
      throw new PostUnreadable('has text before its front matter; put the front matter first');
    }
    return { frontMatter: null, body: text, repeated: null };
  }

  const kind = /^[ \t]*(?:json|ya?ml|toml|#.*)?[ \t]*$/i.exec(rest)?.[0];
  if (kind === undefined || mark.length > 3) {
    throw new PostUnreadable(
      `begins with "${tidyLine(mark + rest).slice(0, 40)}", which is not front matter`,
    );
  }
  const isToml = mark === '+++' || /^\s*toml/i.test(kind);
  const from = OPENING.lastIndex;
  const close = mark === '+++' ? /^\+\+\+[ \t]*$/m : /^(?:---|\.\.\.)[ \t]*$/m;
  const found = close.exec(text.slice(from, from + MAX_FRONT_MATTER));
  if (found === null) {
    throw new FileUnfinished(
      text.length - from > MAX_FRONT_MATTER
        ? `has front matter of more than ${MAX_FRONT_MATTER} characters, or without an end`
        : `has front matter without an end: a line "${mark}"`,
    );
  }
  const source = text.slice(from, from + found.index);
  const linesBefore = text.slice(0, from).split('\n').length - 1;
  const repeated = repeatedStatus(source);
  const readable = repeated === null ? source : source.replace(STATUS_LINE, '');
  const value = isToml ? parseToml(readable, linesBefore) : parseYaml(readable, linesBefore);
  const table = tableOf(value);
  const frontMatter = repeated === null ? table : { __proto__: null, ...table, draft: true };
  return { frontMatter, body: afterLine(text, from + found.index), repeated };
}

/** Hugo's JSON front matter, which has no marks: up to the brace that closes the first. */
function jsonPage(text: string, start: number): Page {
  const near = text.slice(start, start + MAX_FRONT_MATTER);
  let depth = 0;
  for (const { 0: token, index } of near.matchAll(/"(?:[^"\\]|\\[^])*"|["{}]/g)) {
    if (token === '"') break;
    if (token === '{') depth += 1;
    if (token !== '}') continue;
    depth -= 1;
    if (depth > 0) continue;
    // Only JSON may have tabs there, and its strings contain none.
    const source = near.slice(0, index + 1).replaceAll('\t', ' ');
    const frontMatter = tableOf(parseYaml(source, text.slice(0, start).split('\n').length - 1));
    return { frontMatter, body: afterLine(text, start + index + 1), repeated: null };
  }
  throw new FileUnfinished('has front matter in JSON without an end');
}

function repeatedStatus(source: string): string | null {
  const keys = Array.from(source.matchAll(STATUS_LINE), ([, key = '']) => key.toLowerCase());
  return keys.find((key, index) => keys.indexOf(key) < index) ?? null;
}

/** Where the text begins, after anything that may precede front matter. */
function startOf(text: string): number {
  BEFORE.lastIndex = 0;
  return BEFORE.test(text) ? BEFORE.lastIndex : 0;
}

function afterLine(text: string, from: number): string {
  const end = text.indexOf('\n', from);
  return end === -1 ? '' : text.slice(end + 1);
}

function tableOf(value: FrontValue): FrontMatter {
  const table = asTable(value);
  if (table === null) throw new PostUnreadable('its front matter is not a list of keys and values');
  return table;
}

/**
 * Parses YAML, or JSON, which is a subset of it. In the file, `linesBefore` lines precede `source`.
 *
 * @throws PostUnreadable
 */
export function parseYaml(source: string, linesBefore = 0): FrontValue {
  refuseTooLong(source);
  if (nestsTooDeep(source)) throw tooDeep();
  let { document, lines } = documentOf(source);
  if (document.errors.length > 0) {
    const repaired = documentOf(indentClosing(indentQuoted(source)));
    if (repaired.document.errors.length === 0) ({ document, lines } = repaired);
  }
  const [error] = document.errors;
  if (error !== undefined) {
    const line = lines.linePos(error.pos[0]).line + linesBefore;
    const advice = yamlAdvice(source, error) ?? firstLine(error.message);
    throw new PostUnreadable(`its YAML is broken in line ${line}: ${advice}`);
  }
  const repeated = repeatedKey(document);
  if (repeated !== null) {
    const line = lines.linePos(repeated.range?.[0] ?? 0).line + linesBefore;
    throw new KeyRepeated(tidyLine(String(repeated.value).slice(0, 100)), line);
  }
  // A tag `1.10` is not the number 1.1, and a title `007` is not 7: numbers are kept as written.
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'number' && node.source !== undefined) node.value = node.source;
    },
  });
  try {
    return frontValue(document.toJS({ maxAliasCount: MAX_ALIASES }));
  } catch (error) {
    // An unresolved alias, or one that expands without end.
    if (error instanceof ReferenceError)
      throw new PostUnreadable(`its YAML is broken: ${error.message}; quote a value that begins with *`);
    throw error;
  }
}

/** How often an anchor may be referenced, including nested references. */
const MAX_ALIASES = 100;

function documentOf(source: string): { document: Document; lines: LineCounter } {
  const lines = new LineCounter();
  const options = { merge: true, uniqueKeys: false, prettyErrors: false, lineCounter: lines } as const;
  return { document: parseDocument(source, options), lines };
}

/**
 * Of two equal keys, generators take one or the other, so both are an error; `<<` merges. The parser would compare each
 * key with all others.
 */
function repeatedKey(document: Document): Scalar | null {
  let repeated: Scalar | null = null;
  visit(document, {
    Map(_key, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value) && key.value !== '<<') repeated ??= key;
        seen.add(key.value);
      }
    },
  });
  return repeated;
}

/**
 * Whether brackets, or list and key marks on one line, nest too deeply for a parser. Nesting by indentation needs as
 * many spaces.
 */
function nestsTooDeep(source: string): boolean {
  let brackets = 0;
  let signs = 0;
  for (const token of new Lexer().lex(source)) {
    if (token === '[' || token === '{') brackets += 1;
    else if (token === ']' || token === '}') brackets -= 1;
    else if (token.endsWith('\n')) signs = 0;
    else if (brackets <= 0 && /^[-?:&!]/.test(token)) signs += 1;
    if (brackets > MAX_DEPTH || signs > MAX_DEPTH) return true;
  }
  return false;
}

/** Parses TOML. In the file, `linesBefore` lines precede `source`. @throws PostUnreadable */
export function parseToml(source: string, linesBefore = 0): FrontValue {
  refuseTooLong(source);
  try {
    return frontValue(parseTomlDocument(source, { integersAsBigInt: 'asNeeded', maxDepth: MAX_DEPTH }));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    if (/excessively nested/.test(error.message)) throw tooDeep();
    const reason = firstLine(error.message.replace(/^Invalid TOML document: /, ''));
    throw new PostUnreadable(`its TOML is broken in line ${error.line + linesBefore}: ${reason}`);
  }
}

function refuseTooLong(source: string): void {
  if (source.length > MAX_SOURCE) throw new PostUnreadable(`has more than ${MAX_SOURCE} characters of data`);
}

/** The value as a table, empty for null; null for text, a flag or a list. */
export function asTable(value: FrontValue | undefined): FrontMatter | null {
  if (value === null || value === undefined) return {};
  return isTable(value) ? value : null;
}

/**
 * Jekyll's and 11ty's parsers let a quoted value continue at the start of a line, which YAML 1.2 forbids. A space
 * before each such line makes it valid and changes nothing else: a line break in quotes is folded to one space anyway.
 */
function indentQuoted(source: string): string {
  const quoted = /^((?:[\w-]+:|-)[ \t]+)("(?:[^"\\]|\\[^])*"|'(?:[^']|'')*')[ \t]*$/gm;
  return source.replace(quoted, (_match, key: string, value: string) => key + value.replaceAll('\n', '\n '));
}

/** They also allow a bracket that closes a list at the start of a line, and tabs in lists. */
function indentClosing(source: string): string {
  return source
    .replace(/^(?=[\]}][ \t]*$)/gm, ' ')
    .replace(/^([\w-]+:[ \t]*[[{][^\]}]*[\]}][ \t]*)$/gm, (list) => list.replace(/\n[ \t]*/g, '\n  '));
}

/** A parsed value of YAML, TOML or JSON, with numbers as text. @throws PostUnreadable if it nests too deeply */
export function frontValue(value: unknown, depth = 0): FrontValue {
  if (typeof value === 'string') return tidyText(value); // An escape such as "\0" can produce any character.
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (value instanceof TomlDate) return value.toISOString();
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_DEPTH) throw tooDeep();
  if (Array.isArray(value)) return value.map((item) => frontValue(item, depth + 1));
  // No prototype: `constructor` is an ordinary key, present only if written.
  const table: Record<string, FrontValue> = { __proto__: null };
  for (const [key, item] of Object.entries(value)) table[key] = frontValue(item, depth + 1);
  return table;
}

/** Whether the value is a table: not text, a list or a flag. */
export function isTable(value: FrontValue | undefined): value is FrontMatter {
  return typeof value === 'object' && value !== null && !isList(value);
}

export function isList(value: FrontValue | undefined): value is readonly FrontValue[] {
  return Array.isArray(value);
}

function tooDeep(): PostUnreadable {
  return new PostUnreadable(`has front matter with lists or tables nested more than ${MAX_DEPTH} deep`);
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:$/, '').trim();
}
