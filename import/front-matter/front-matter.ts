import { parse as parseTomlDocument, TomlDate, TomlError } from 'smol-toml';
import { isCollection, isScalar, Lexer, LineCounter, parseDocument, visit } from 'yaml';
import { PostUnreadable } from '../../common/content/errors.ts';
import { tidyLine, tidyText } from '../../common/content/text.ts';

export type FrontValue = string | boolean | null | readonly FrontValue[] | FrontMatter;

/** Keys as written; `field` finds them in any spelling. */
export interface FrontMatter {
  readonly [key: string]: FrontValue;
}

export interface Page {
  /** Null if the file has no front matter, which differs from an empty one. */
  readonly frontMatter: FrontMatter | null;
  readonly body: string;
}

/** A file that is being saved, or was saved in part: no edit of its post. */
export class FileUnfinished extends PostUnreadable {}

/** Nested lists and tables; front matter written by hand has less than half of this depth. */
const MAX_DEPTH = 100;

/** In characters; front matter written by hand is shorter. */
const MAX_FRONT_MATTER = 64_000;

/** What may precede front matter: white space, invisible characters, HTML comments. A blank line must not publish a draft. */
const BEFORE = /(?:[\s\p{Cc}\p{Cf}]+|<!--[^]*?-->)*/uy;

/** The first line of front matter, and of text that looks like it. */
const OPENING = /(---|\+\+\+)([^\n]*)(?:\n|$)/y;

/** The first line of data in another form: Hexo's, Pelican's, MultiMarkdown's. Read as text, it would publish a draft. */
const OTHER_DATA =
  /;;;[ \t]*\n|["':]?(?:title|date|status|draft|published|layout|slug|permalink)["']?[ \t]*:[^\n]*/iy;

/**
 * Splits a post's text (from `tidyText`) into body and front matter: YAML between lines `---`, or TOML between `+++`.
 *
 * @throws PostUnreadable with the parser's reason and the line in the file
 */
export function splitPage(text: string): Page {
  if (text.trim() === '') throw new FileUnfinished('is empty');
  BEFORE.lastIndex = 0;
  BEFORE.test(text);
  const start = BEFORE.lastIndex;
  if (/^\{\s*(?:"|\}\s*$)/.test(text.slice(start, start + 1000)))
    throw new PostUnreadable('has front matter in JSON, which is not supported: write it in YAML or TOML');
  OPENING.lastIndex = start;
  const [line, mark, rest = ''] = OPENING.exec(text) ?? [];
  OTHER_DATA.lastIndex = start;
  const [other = rest.trim() && line] = OTHER_DATA.exec(text) ?? [];
  if (other)
    throw new PostUnreadable(`begins with "${tidyLine(other).slice(0, 40)}", which is not front matter`);
  if (line === undefined || mark === undefined) return { frontMatter: null, body: text };

  const from = start + line.length;
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
  const value = mark === '+++' ? parseToml(source, linesBefore) : parseYaml(source, linesBefore);
  return { frontMatter: mustBeTable(value), body: afterLine(text, from + found.index) };
}

function afterLine(text: string, from: number): string {
  const end = text.indexOf('\n', from);
  return end === -1 ? '' : text.slice(end + 1);
}

function mustBeTable(value: FrontValue): FrontMatter {
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
  const lines = new LineCounter();
  const document = parseDocument(source, { merge: true, prettyErrors: false, lineCounter: lines });
  const broken = (at: number, why: string): PostUnreadable => {
    const { line } = lines.linePos(at);
    const written = source.split('\n')[line - 1] ?? '';
    const [, key] = NEEDS_QUOTES.exec(written) ?? [];
    const space = /^\s*[\w-]+:[^\s:/]/.test(written) ? '; put a space after the colon' : '';
    const advice = key === undefined ? space : `; put the whole value of "${tidyLine(key)}" in quotes`;
    return new PostUnreadable(`its YAML is broken in line ${line + linesBefore}: ${firstLine(why)}${advice}`);
  };
  // A warning is about a tag: `title: !Important` would lose its first word.
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined) throw broken(error.pos[0], error.message);
  const anchors = new Set<string>();
  visit(document, {
    Pair(_key, { key }) {
      // `title: {{ name }}` is a template, not a table.
      if (isCollection(key)) throw broken(key.range?.[0] ?? 0, 'a key is a list or a table');
    },
    Value(_key, node) {
      if (node.anchor !== undefined) anchors.add(node.anchor);
      // A tag `1.10` is not the number 1.1, and a title `007` is not 7: numbers are kept as written.
      if (isScalar(node) && typeof node.value === 'number' && node.source !== undefined)
        node.value = node.source;
    },
    Alias(_key, { source: name, range }) {
      if (!anchors.has(name)) throw broken(range?.[0] ?? 0, `the alias *${name} has no anchor`);
    },
  });
  try {
    return frontValue(document.toJS());
  } catch (error) {
    // An alias that expands without end.
    if (error instanceof ReferenceError) throw new PostUnreadable(`its YAML is broken: ${error.message}`);
    throw error;
  }
}

/** A key, and a value that YAML does not read as text although it is meant as one: `*Really* good`, `Note: a thing`. */
const NEEDS_QUOTES =
  /^\s*(?:-\s+)?([^\s:][^:]{0,50}):[ \t]+(?:[-*&!|>%@`?:,]|\[[^\]]*\]|\{[^}]*\}|(["']).*\2[ \t]*[^\s#]|[^"'[{].*?:[ \t])/;

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
    const advice = reason === 'invalid value' ? '; put strings in quotes' : '';
    throw new PostUnreadable(`its TOML is broken in line ${error.line + linesBefore}: ${reason}${advice}`);
  }
}

function refuseTooLong(source: string): void {
  if (source.length > MAX_FRONT_MATTER)
    throw new PostUnreadable(`has more than ${MAX_FRONT_MATTER} characters of data`);
}

/** The value as a table, empty for null; null for text, a flag or a list. */
export function asTable(value: FrontValue | undefined): FrontMatter | null {
  if (value === null || value === undefined) return {};
  return isTable(value) ? value : null;
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
