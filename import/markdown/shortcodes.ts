import { escapeHtml } from '../../common/content/text.ts';
import {
  entriesOf,
  type GoExpression,
  goExpression,
  GoHtml,
  type GoScope,
  type GoValue,
  isTrue,
  textOf,
} from './go-expressions.ts';
import type { Arguments } from './tag.ts';

/**
 * A site's shortcodes with plain templates: HTML with conditions, loops and expressions over their arguments
 * (go-expressions.ts). A template with anything else is not run.
 */
export interface Shortcodes {
  /** Whether the site has a template with this name. */
  readonly has: (name: string) => boolean;
  /** Whether its output is Markdown. */
  readonly isMarkdown: (name: string) => boolean;
  /** Its output; null if it is not plain. */
  readonly render: (name: string, call: ShortcodeCall) => string | null;
}

export interface ShortcodeCall {
  readonly args: Arguments;
  /** The rendered text between a pair; null for a single tag. */
  readonly inner: string | null;
  readonly markdown: (text: string) => string;
  /** Front matter, by path. */
  readonly page: (path: string) => string | null;
}

const FILE = /^(?:themes\/[^/]+\/)?(?:layouts\/_?|templates\/)shortcodes\/(.+)\.(?:html|md)$/s;

/** The shortcode's name, if the file is a shortcode template. The site's own override a theme's. */
export function shortcodeName(path: string): { readonly name: string; readonly isOwn: boolean } | null {
  const name = FILE.exec(path)?.[1];
  return name === undefined ? null : { name: name.toLowerCase(), isOwn: !path.startsWith('themes/') };
}

/** For a Hugo site. */
export function shortcodesFrom(templates: ReadonlyMap<string, string>): Shortcodes {
  const parsed = new Map<string, readonly Part[] | null>();
  return {
    has: (name) => templates.has(name),
    isMarkdown: () => false,
    render(name, call) {
      const text = templates.get(name);
      if (text === undefined) return null;
      if (!parsed.has(name)) parsed.set(name, partsOf(text));
      const parts = parsed.get(name) ?? null;
      return parts === null ? null : shown(parts, scopeOf(call), { left: MAX_STEPS });
    },
  };
}

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly value: GoExpression }
  | { readonly kind: 'set'; readonly variable: string; readonly value: GoExpression }
  | {
      readonly kind: 'if' | 'with' | 'range';
      readonly value: GoExpression;
      /** The variables of a loop for key and item. */
      readonly variables: readonly string[];
      readonly then: readonly Part[];
      readonly otherwise: readonly Part[];
    };

const MAX_TEMPLATE = 50_000;
const MAX_DEPTH = 20;
/** Limit for nested loops, which can expand few arguments to many steps. */
const MAX_STEPS = 20_000;
const ACTION = /\{\{(-?)([^]*?)(-?)\}\}/g;

type Piece = { readonly text: string } | { readonly action: string };

function piecesOf(template: string): Piece[] {
  const source = template.replace(/\{\{-?\s*\/\*[^]*?\*\/\s*-?\}\}/g, '');
  const pieces: Piece[] = [];
  let at = 0;
  let trims = false;
  for (const match of source.matchAll(ACTION)) {
    const before = source.slice(at, match.index);
    const left = trims ? before.trimStart() : before;
    pieces.push({ text: match[1] === '-' ? left.trimEnd() : left }, { action: (match[2] ?? '').trim() });
    trims = match[3] === '-';
    at = match.index + match[0].length;
  }
  pieces.push({ text: trims ? source.slice(at).trimStart() : source.slice(at) });
  return pieces;
}

/** Null if the template is not plain. */
function partsOf(template: string): readonly Part[] | null {
  if (template.length > MAX_TEMPLATE) return null;
  const pieces = piecesOf(template);
  let next = 0;
  const notPlain: string[] = [];
  const read = (depth: number): { parts: Part[]; end: string } => {
    const parts: Part[] = [];
    while (next < pieces.length && notPlain.length === 0) {
      const piece = pieces[next++];
      if (piece === undefined) break;
      if ('text' in piece) {
        if (piece.text !== '') parts.push({ kind: 'text', text: piece.text });
      } else if (/^(?:end|else)\b/.test(piece.action)) {
        return { parts, end: piece.action };
      } else {
        const part = depth > MAX_DEPTH ? null : partOf(piece.action, depth);
        if (part === null) notPlain.push(piece.action);
        else parts.push(part);
      }
    }
    return { parts, end: '' };
  };
  const partOf = (action: string, depth: number): Part | null => {
    const [, kind, rest = ''] = /^(if|with|range)\s+([^]+)$/.exec(action) ?? [];
    const [, names = '', expression = ''] =
      /^((?:\$\w+\s*,\s*)?\$\w+)\s*:?=\s*([^]+)$/.exec(kind ? rest : action) ?? [];
    const value = goExpression(expression || (kind ? rest : action));
    if (value === null) return null;
    const variables = names === '' ? [] : names.split(/\s*,\s*/);
    if (kind !== 'if' && kind !== 'with' && kind !== 'range') {
      const [variable] = variables;
      return variable === undefined ? { kind: 'value', value } : { kind: 'set', variable, value };
    }
    const then = read(depth + 1);
    const otherwise = elseOf(then.end, depth);
    return otherwise === null ? null : { kind, value, variables, then: then.parts, otherwise };
  };
  const elseOf = (end: string, depth: number): readonly Part[] | null => {
    if (end === 'end') return [];
    if (end === 'else') {
      const { parts, end: last } = read(depth + 1);
      return last === 'end' ? parts : null;
    }
    // `else if x` is a nested `if x` that ends with the outer one.
    const [, condition] = /^else\s+((?:if|with)\s[^]+)$/.exec(end) ?? [];
    const part = condition === undefined || depth > MAX_DEPTH ? null : partOf(condition, depth + 1);
    return part === null ? null : [part];
  };
  const { parts, end } = read(0);
  return notPlain.length === 0 && end === '' ? parts : null;
}

function scopeOf({ args, ...call }: ShortcodeCall): GoScope {
  const params = new Map<string, GoValue>(args.named);
  for (const [at, value] of args.positional.entries()) params.set(String(at), value);
  return { ...call, params, dot: undefined, variables: new Map() };
}

/** Null if it takes too many steps. */
function shown(parts: readonly Part[], scope: GoScope, steps: { left: number }): string | null {
  let text = '';
  for (const part of parts) {
    steps.left -= 1;
    if (steps.left < 0) return null;
    const more = shownPart(part, scope, steps);
    if (more === null) return null;
    text += more;
  }
  return text;
}

function shownPart(part: Part, scope: GoScope, steps: { left: number }): string | null {
  if (part.kind === 'text') return part.text;
  const value = part.value(scope);
  if (part.kind === 'value') return value instanceof GoHtml ? value.html : escapeHtml(textOf(value));
  if (part.kind === 'set') {
    scope.variables.set(part.variable, value);
    return '';
  }
  const { kind, variables, then, otherwise } = part;
  if (!isTrue(value)) return shown(otherwise, scope, steps);
  if (kind === 'if') return shown(then, scope, steps);
  const [first, second] = variables;
  if (kind === 'with') {
    if (first !== undefined) scope.variables.set(first, value);
    return shown(then, { ...scope, dot: value }, steps);
  }
  let text = '';
  for (const [key, item] of entriesOf(value)) {
    if (first !== undefined) scope.variables.set(first, second === undefined ? item : key);
    if (second !== undefined) scope.variables.set(second, item);
    const more = shown(then, { ...scope, dot: item }, steps);
    if (more === null) return null;
    text += more;
  }
  return text;
}
