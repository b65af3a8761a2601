import { parse as parseTomlDocument, TomlDate, TomlError } from 'smol-toml';
import { parseDocument, visit } from 'yaml';
import { PostUnreadable } from '../errors.ts';
import { tidyText } from '../text.ts';

export type FrontValue = string | boolean | null | readonly FrontValue[] | FrontMatter;

/** Keys as they are written; `field` finds them in any spelling. */
export interface FrontMatter {
  readonly [key: string]: FrontValue;
}

export interface Page {
  /** Null when the file has no front matter at all, which is not the same as an empty one. */
  readonly frontMatter: FrontMatter | null;
  /** TOML is Hugo's and Zola's alone: neither knows Liquid. */
  readonly language: 'yaml' | 'toml';
  readonly body: string;
}

const FORMS = [
  {
    language: 'yaml',
    pattern: /^---(?:json|ya?ml)?[ \t]*\n(?<text>(?:[^]*?\n)??)(?:---|\.\.\.)[ \t]*(?:\n|$)/,
  },
  {
    language: 'toml',
    pattern: /^(?:\+\+\+|---toml)[ \t]*\n(?<text>(?:[^]*?\n)??)(?:\+\+\+|---)[ \t]*(?:\n|$)/,
  },
] as const;

/**
 * Splits a post's text (as `tidyText` gives it) into front matter and body.
 *
 * @throws PostUnreadable with the parser's reason and the line in the file
 */
export function splitPage(text: string): Page {
  for (const { language, pattern } of FORMS) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const source = match.groups?.['text'] ?? '';
    const frontMatter = asTable(language === 'yaml' ? parseYaml(source, 1) : parseToml(source, 1));
    if (frontMatter === null) throw new PostUnreadable('its front matter is not a list of keys and values');
    return { frontMatter, language, body: text.slice(match[0].length) };
  }
  return { frontMatter: null, language: 'yaml', body: text };
}

/**
 * A document in YAML, or in JSON, which is a part of it. `linesBefore` stand in the file before `source`.
 *
 * @throws PostUnreadable
 */
export function parseYaml(source: string, linesBefore = 0): FrontValue {
  // The last of two equal keys wins, as in Jekyll and Hugo; `<<` merges.
  const options = { uniqueKeys: false, merge: true } as const;
  let document = parseDocument(source, options);
  if (document.errors.length > 0) {
    const repaired = parseDocument(indentQuoted(source), options);
    if (repaired.errors.length === 0) document = repaired;
  }
  const [error] = document.errors;
  if (error !== undefined) {
    const line = (error.linePos?.[0].line ?? 1) + linesBefore;
    throw new PostUnreadable(`its YAML is broken in line ${line}: ${firstLine(error.message)}`);
  }
  // A tag `1.10` is not the number 1.1, and a title `007` not 7: numbers stay as they are written.
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'number' && node.source !== undefined) node.value = node.source;
    },
  });
  try {
    return frontValue(document.toJS());
  } catch (error) {
    // An alias to nothing, or one that grows without end.
    if (error instanceof ReferenceError) throw new PostUnreadable(`its YAML is broken: ${error.message}`);
    throw error;
  }
}

/**
 * A TOML document. `linesBefore` stand in the file before `source`.
 *
 * @throws PostUnreadable
 */
export function parseToml(source: string, linesBefore = 0): FrontValue {
  try {
    return frontValue(parseTomlDocument(source, { integersAsBigInt: 'asNeeded' }));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = firstLine(error.message.replace(/^Invalid TOML document: /, ''));
    throw new PostUnreadable(`its TOML is broken in line ${error.line + linesBefore}: ${reason}`);
  }
}

/** The value as a table, an empty one for null; null when it is text, a flag or a list. */
export function asTable(value: FrontValue | undefined): FrontMatter | null {
  if (value === null || value === undefined) return {};
  return isTable(value) ? value : null;
}

/**
 * Jekyll's and 11ty's parsers let a quoted value go on at the line's very start, which YAML 1.2 does
 * not. One space before each such line makes it valid, and changes nothing else: a line break inside
 * quotes is folded to one space anyway.
 */
function indentQuoted(source: string): string {
  const quoted = /^((?:[\w-]+:|-)[ \t]+)("(?:[^"\\]|\\[^])*"|'(?:[^']|'')*')[ \t]*$/gm;
  return source.replace(quoted, (_match, key: string, value: string) => key + value.replaceAll('\n', '\n '));
}

function frontValue(value: unknown): FrontValue {
  if (typeof value === 'string') return tidyText(value); // An escape such as "\0" makes any character.
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return value.map(frontValue);
  if (typeof value !== 'object' || value === null) return null;
  // No prototype: `constructor` is a key like any other, and there only when it was written.
  const table: Record<string, FrontValue> = Object.create(null);
  for (const [key, item] of Object.entries(value)) table[key] = frontValue(item);
  return table;
}

/** Whether the value is a table: neither text, nor a list, nor a flag. */
export function isTable(value: FrontValue | undefined): value is FrontMatter {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:$/, '').trim();
}
