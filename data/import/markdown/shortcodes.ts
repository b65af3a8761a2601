import { escapeHtml } from '../../content/text.ts';
import type { Arguments } from './tag.ts';

/**
 * The shortcodes of a site of Hugo whose templates are plain: HTML with `.Get`, `.Inner`, `with`, `if` and `else`.
 * A template that has anything else is not run.
 */
export interface Shortcodes {
  /** Whether the site has a template of that name. */
  readonly has: (name: string) => boolean;
  /** What it shows; null where it is not plain. */
  readonly render: (name: string, call: ShortcodeCall) => string | null;
}

export interface ShortcodeCall {
  readonly args: Arguments;
  /** What stands between a pair, already as it is shown; null for a single tag. */
  readonly inner: string | null;
  readonly markdown: (text: string) => string;
  /** Front matter, by path. */
  readonly page: (path: string) => string | null;
}

const FILE = /^(?:themes\/[^/]+\/)?layouts\/_?shortcodes\/(.+)\.html$/s;

/** Its name, where a file is the template of a shortcode. The site's own comes before a theme's. */
export function shortcodeName(path: string): { readonly name: string; readonly isOwn: boolean } | null {
  const name = FILE.exec(path)?.[1];
  return name === undefined ? null : { name: name.toLowerCase(), isOwn: path.startsWith('layouts/') };
}

export function shortcodesFrom(templates: ReadonlyMap<string, string>): Shortcodes {
  const parsed = new Map<string, readonly Part[] | null>();
  return {
    has: (name) => templates.has(name),
    render(name, call) {
      const text = templates.get(name);
      if (text === undefined) return null;
      if (!parsed.has(name)) parsed.set(name, partsOf(text));
      const parts = parsed.get(name) ?? null;
      return parts === null ? null : shown(parts, { ...call, variables: new Map() }, null);
    },
  };
}

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly value: Value }
  | {
      readonly kind: 'if' | 'with';
      readonly value: Value;
      readonly then: readonly Part[];
      readonly otherwise: readonly Part[];
    };

interface Scope extends ShortcodeCall {
  readonly variables: Map<string, Result | null>;
}

/** What an expression gives: null is nothing at all. */
type Value = (call: Scope, dot: string | null) => Result | null;

interface Result {
  readonly text: string;
  readonly isHtml: boolean;
}

const MAX_TEMPLATE = 50_000;
const MAX_DEPTH = 20;
const ACTION = /\{\{(-?)([^]*?)(-?)\}\}/g;

function partsOf(template: string): readonly Part[] | null {
  if (template.length > MAX_TEMPLATE) return null;
  const source = template.replace(/\{\{-?\s*\/\*[^]*?\*\/\s*-?\}\}/g, '');
  const tokens: ({ readonly text: string } | { readonly action: string })[] = [];
  let at = 0;
  let trims = false;
  for (const match of source.matchAll(ACTION)) {
    const before = source.slice(at, match.index);
    const left = trims ? before.trimStart() : before;
    tokens.push({ text: match[1] === '-' ? left.trimEnd() : left }, { action: (match[2] ?? '').trim() });
    trims = match[3] === '-';
    at = match.index + match[0].length;
  }
  tokens.push({ text: trims ? source.slice(at).trimStart() : source.slice(at) });

  let next = 0;
  const notPlain: string[] = [];
  const read = (depth: number): { parts: Part[]; end: string } => {
    const parts: Part[] = [];
    while (next < tokens.length) {
      const token = tokens[next++];
      if (token === undefined) break;
      if ('text' in token) {
        if (token.text !== '') parts.push({ kind: 'text', text: token.text });
        continue;
      }
      const { action } = token;
      if (/^(?:end|else)\b/.test(action)) return { parts, end: action };
      const [, kind, condition = ''] = /^(if|with)\s+([^]+)$/.exec(action) ?? [];
      const value = valueOf(kind === undefined ? action : condition);
      if (value === null || depth > MAX_DEPTH) notPlain.push(action);
      if (kind !== 'if' && kind !== 'with') {
        if (value !== null) parts.push({ kind: 'value', value });
        continue;
      }
      const then = read(depth + 1);
      const otherwise = then.end === 'else' ? read(depth + 1) : { parts: [], end: then.end };
      if (otherwise.end !== 'end') notPlain.push(action);
      parts.push({ kind, value: value ?? (() => null), then: then.parts, otherwise: otherwise.parts });
    }
    return { parts, end: '' };
  };
  const { parts, end } = read(0);
  return notPlain.length === 0 && end === '' ? parts : null;
}

function shown(parts: readonly Part[], call: Scope, dot: string | null): string {
  return parts
    .map((part) => {
      if (part.kind === 'text') return part.text;
      const result = part.value(call, dot);
      if (part.kind === 'value')
        return result === null ? '' : result.isHtml ? result.text : escapeHtml(result.text);
      const isTrue = result !== null && result.text !== '';
      if (!isTrue) return shown(part.otherwise, call, dot);
      return shown(part.then, call, part.kind === 'with' ? result.text : dot);
    })
    .join('');
}

const STRING = /^(?:"((?:\\.|[^"\\])*)"|`([^`]*)`)$/s;

/** An expression that is plain; null for any other. */
function valueOf(expression: string): Value | null {
  const [, variable, assigned] = /^(\$\w+)\s*:?=\s*([^]+)$/.exec(expression) ?? [];
  if (variable !== undefined && assigned !== undefined) {
    const value = valueOf(assigned);
    if (value === null) return null;
    return (call, dot) => {
      call.variables.set(variable, value(call, dot));
      return null;
    };
  }
  const [, negated] = /^not\s+([^]+)$/.exec(expression) ?? [];
  if (negated !== undefined) {
    const value = valueOf(negated);
    return value && ((call, dot) => (value(call, dot)?.text ? null : { text: 'true', isHtml: false }));
  }
  // What is said at the command line.
  if (/^(?:errorf|warnf)\s/.test(expression)) return () => null;
  const [first = '', ...filters] = splitPipes(expression);
  let value = sourceOf(first);
  for (const filter of filters) {
    const before = value;
    if (before === null) return null;
    value = filtered(filter, before);
  }
  return value;
}

function splitPipes(expression: string): string[] {
  return (expression.match(/(?:"(?:\\.|[^"\\])*"|`[^`]*`|\([^()]*\)|[^|"`(])+/g) ?? []).map((part) =>
    part.trim(),
  );
}

function sourceOf(written: string): Value | null {
  const text = written.replace(/^\((.*)\)$/s, '$1').trim();
  const [, double, raw] = STRING.exec(text) ?? [];
  const literal = double ?? raw;
  if (literal !== undefined) return () => ({ text: literal.replace(/\\(.)/g, '$1'), isHtml: false });
  if (/^\$\w+$/.test(text)) return ({ variables }) => variables.get(text) ?? null;
  if (text === '.') return (_call, dot) => (dot === null ? null : { text: dot, isHtml: false });
  if (/^[.$]*\.?Inner$/.test(text))
    return ({ inner }) => (inner === null ? null : { text: inner, isHtml: true });
  const [, key, index] = /^\$?\.Get\s+(?:["`]([\w-]+)["`]|(\d+))$/.exec(text) ?? [];
  if (key !== undefined) return ({ args }) => asResult(args.named.get(key.toLowerCase()));
  if (index !== undefined) return ({ args }) => asResult(args.positional[Number(index)]);
  const [, isset] = /^isset\s+\$?\.Params\s+["`]?([\w-]+)["`]?$/.exec(text) ?? [];
  if (isset !== undefined)
    return ({ args }) =>
      args.named.has(isset.toLowerCase()) || args.positional[Number(isset)] !== undefined
        ? asResult('true')
        : null;
  const [, param, own = param] = /^\$?\.Page\.(?:Params\.([\w.]+)|(Title|Description))$/.exec(text) ?? [];
  if (own !== undefined) return ({ page }) => asResult(page(own.toLowerCase()) ?? undefined);
  const [, name = '', rest = ''] =
    /^(markdownify|safeHTML|safeURL|safeCSS|safeHTMLAttr|default|trim|lower|upper|relURL|absURL|\$?\.Page\.RenderString)\s+([^]+)$/.exec(
      text,
    ) ?? [];
  if (name === 'default') {
    const [, fallback = '', of = ''] = /^("(?:\\.|[^"\\])*"|`[^`]*`)\s+([^]+)$/.exec(rest) ?? [];
    const source = sourceOf(of);
    return source === null ? null : filtered(`default ${fallback}`, source);
  }
  const source = name === '' || name === 'trim' ? null : sourceOf(rest);
  return source === null ? null : filtered(name, source);
}

function asResult(text: string | undefined): Result | null {
  return text === undefined ? null : { text, isHtml: false };
}

function filtered(filter: string, value: Value): Value | null {
  const map =
    (change: (text: string, call: Scope) => Result): Value =>
    (call, dot) => {
      const result = value(call, dot);
      return result === null ? null : change(result.text, call);
    };
  const [, name = '', argument = ''] = /^([\w.$]+)\s*([^]*)$/.exec(filter) ?? [];
  const [, double, raw] = STRING.exec(argument) ?? [];
  switch (name) {
    case 'safeHTML':
      return map((text) => ({ text, isHtml: true }));
    case 'safeURL':
    case 'safeCSS':
    case 'safeHTMLAttr':
    case 'htmlUnescape':
    case 'relURL':
    case 'absURL':
      return map((text) => ({ text, isHtml: false }));
    case 'markdownify':
    case '$.Page.RenderString':
    case '.Page.RenderString':
      return map((text, { markdown }) => ({ text: markdown(text), isHtml: true }));
    case 'lower':
      return map((text) => ({ text: text.toLowerCase(), isHtml: false }));
    case 'upper':
      return map((text) => ({ text: text.toUpperCase(), isHtml: false }));
    case 'default': {
      const fallback = double ?? raw;
      if (fallback === undefined) return null;
      return (call, dot) => {
        const result = value(call, dot);
        return result === null || result.text === '' ? { text: fallback, isHtml: false } : result;
      };
    }
    default:
      return null;
  }
}
