import { textOfHtml } from '../../common/content/html-text.ts';
import { termSlug } from '../../common/content/term-slug.ts';

/** The value of a template expression. */
export type GoValue =
  null | boolean | number | string | GoHtml | readonly GoValue[] | ReadonlyMap<string, GoValue>;

/** Text that is already HTML. */
export class GoHtml {
  readonly html: string;
  constructor(html: string) {
    this.html = html;
  }
}

/** What expressions can access besides their literals. */
export interface GoScope {
  /** The value of `.Params`, where `.Get` looks. */
  readonly params: ReadonlyMap<string, GoValue>;
  readonly inner: string | null;
  /** `.`; undefined if it is the shortcode itself. */
  readonly dot: GoValue | undefined;
  readonly variables: Map<string, GoValue>;
  readonly markdown: (text: string) => string;
  /** Front matter, by path. */
  readonly page: (path: string) => string | null;
}

/** A compiled expression. */
export type GoExpression = (scope: GoScope) => GoValue;

type GoFunction = (args: readonly GoValue[], scope: GoScope) => GoValue;

const TOKEN =
  /\s*(?:(?<text>"(?:\\.|[^"\\])*"|`[^`]*`)|(?<number>-?\d+(?:\.\d+)?)|(?<sign>[()|])|(?<name>(?:\$\w*|\w+)(?:\.\w+)*|(?:\.\w+)+|\.))/y;

interface Token {
  readonly kind: 'text' | 'number' | 'name' | 'sign';
  readonly written: string;
}

/** Compiles a pipeline such as `.Get "a" | default "b"`; null if it uses anything unsupported. */
export function goExpression(written: string): GoExpression | null {
  const tokens = tokensOf(written);
  if (tokens === null || tokens.length === 0) return null;
  let next = 0;
  const pipeline = (): GoExpression | null => {
    let value = command(null);
    while (value !== null && tokens[next]?.written === '|') {
      next += 1;
      value = command(value);
    }
    return value;
  };
  const command = (piped: GoExpression | null): GoExpression | null => {
    const first = tokens[next];
    const operands: GoExpression[] = [];
    const call = first?.kind === 'name' ? callOf(first.written) : null;
    if (call !== null) next += 1;
    while (next < tokens.length && !/^[|)]$/.test(tokens[next]?.written ?? '')) {
      const one = operand();
      if (one === null) return null;
      operands.push(one);
    }
    if (call === null) return operands.length === 1 && piped === null ? (operands[0] ?? null) : null;
    const args = piped === null ? operands : [...operands, piped];
    return (scope) =>
      call(
        args.map((arg) => arg(scope)),
        scope,
      );
  };
  const operand = (): GoExpression | null => {
    const token = tokens[next++];
    if (token === undefined) return null;
    if (token.written === '(') {
      const inner = pipeline();
      if (inner === null || tokens[next++]?.written !== ')') return null;
      const field = /^\.(\w+)$/.exec(tokens[next]?.written ?? '')?.[1]?.toLowerCase();
      if (field === undefined) return inner;
      next += 1;
      return (scope) => {
        const table = inner(scope);
        return isMap(table) ? (table.get(field) ?? null) : null;
      };
    }
    if (token.kind === 'number') return () => Number(token.written);
    if (token.kind === 'text') {
      const raw = token.written.slice(1, -1);
      const text = token.written.startsWith('`') ? raw : unquoted(raw);
      return () => text;
    }
    return token.kind === 'name' ? valueNamed(token.written) : null;
  };
  const value = pipeline();
  return next === tokens.length ? value : null;
}

function tokensOf(written: string): Token[] | null {
  const tokens: Token[] = [];
  const text = written.trim();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const { groups = {} } = TOKEN.exec(text) ?? {};
    const kind = (['text', 'number', 'name', 'sign'] as const).find((name) => groups[name]);
    if (kind === undefined) return null;
    tokens.push({ kind, written: groups[kind] ?? '' });
  }
  return tokens;
}

function unquoted(raw: string): string {
  return raw.replace(/\\(.)/gs, (_all, sign: string) => ({ n: '\n', t: '\t' })[sign] ?? sign);
}

/** Finds what takes arguments by its name: a function, or `.Get`. */
function callOf(name: string): GoFunction | null {
  if (/^\$?\.Get$/.test(name)) return ([key], { params }) => params.get(textOf(key).toLowerCase()) ?? null;
  if (/^\$?\.Page\.RenderString$/.test(name)) return FUNCTIONS['markdownify'] ?? null;
  const known = name.replace(/^(?:strings|transform|safe|urls|compare|fmt)\.(?=\w)/, '');
  const folded = known.charAt(0).toLowerCase() + known.slice(1);
  return Object.hasOwn(FUNCTIONS, folded) ? (FUNCTIONS[folded] ?? null) : null;
}

function valueNamed(name: string): GoExpression | null {
  if (name === 'true' || name === 'false') return () => name === 'true';
  if (name === 'nil') return () => null;
  if (name === '.') return ({ dot }) => dot ?? null;
  const [, variable, path = ''] = /^(\$\w+)((?:\.\w+)*)$/.exec(name) ?? [];
  if (variable !== undefined) return path === '' ? ({ variables }) => variables.get(variable) ?? null : null;
  const field = /^\$?\.(\w+(?:\.\w+)*)$/.exec(name)?.[1] ?? '';
  if (field === 'Inner' || field === 'InnerDeindent')
    return ({ inner }) => (inner === null ? null : new GoHtml(inner));
  if (field === 'Position' || field === 'Name') return () => '';
  if (field === 'Params') return ({ params }) => params;
  if (field === 'IsNamedParams') return ({ params }) => params.size > 0 && !params.has('0');
  const [, param] = /^Params\.(\w+)$/.exec(field) ?? [];
  if (param !== undefined) return ({ params }) => params.get(param.toLowerCase()) ?? null;
  const [, own, title] = /^Page\.(?:Params\.([\w.]+)|(Title|Description))$/.exec(field) ?? [];
  const asked = own ?? title;
  return asked === undefined ? null : ({ page }) => page(asked.toLowerCase());
}

/** As a template shows it, before escaping. */
export function textOf(value: GoValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (value instanceof GoHtml) return value.html;
  if (Array.isArray(value)) return `[${value.map(textOf).join(' ')}]`;
  return typeof value === 'object' ? '' : String(value);
}

export function isTrue(value: GoValue): boolean {
  if (value instanceof GoHtml) return value.html !== '';
  if (Array.isArray(value)) return value.length > 0;
  return isMap(value) ? value.size > 0 : Boolean(value);
}

function isMap(value: GoValue | undefined): value is ReadonlyMap<string, GoValue> {
  return value instanceof Map;
}

/** The entries that `range` iterates over. */
export function entriesOf(value: GoValue): readonly (readonly [GoValue, GoValue])[] {
  if (isMap(value)) return [...value];
  return Array.isArray(value) ? value.map((item: GoValue, at) => [at, item] as const) : [];
}

function asHtml(change: (text: string, scope: GoScope) => string): GoFunction {
  return (args, scope) => new GoHtml(change(textOf(args.at(-1)), scope));
}

function asText(change: (text: string) => string): GoFunction {
  return (args) => change(textOf(args.at(-1)));
}

const same = asText((text) => text);
const nothing: GoFunction = () => null;

/** Hugo's template functions that do not need the site. */
const FUNCTIONS: Readonly<Record<string, GoFunction>> = {
  markdownify: asHtml((text, { markdown }) => markdown(text)),
  safeHTML: asHtml((text) => text),
  hTML: asHtml((text) => text),
  ...{ safeURL: same, safeCSS: same, safeJS: same, safeHTMLAttr: same, htmlUnescape: same },
  ...{ relURL: same, absURL: same, string: same, print: same },
  lower: asText((text) => text.toLowerCase()),
  upper: asText((text) => text.toUpperCase()),
  toLower: asText((text) => text.toLowerCase()),
  toUpper: asText((text) => text.toUpperCase()),
  plainify: asText(textOfHtml),
  urlize: asText(termSlug),
  // These print on the command line.
  ...{ errorf: nothing, warnf: nothing },
  parse: ([address]) => {
    const { host = '', pathname = '', protocol = '' } = URL.parse(textOf(address)) ?? {};
    return new Map([
      ['host', host],
      ['path', pathname],
      ['scheme', protocol.replace(/:$/, '')],
    ]);
  },
  default: ([fallback = null, value = null]) => (isTrue(value) ? value : fallback),
  trim: ([text, signs]) => trimmed(textOf(text), textOf(signs)),
  printf: ([format, ...args]) => formatted(textOf(format), args),
  replace: ([text, from, to]) => textOf(text).replaceAll(textOf(from), textOf(to)),
  hasPrefix: ([text, start]) => textOf(text).startsWith(textOf(start)),
  hasSuffix: ([text, end]) => textOf(text).endsWith(textOf(end)),
  contains: ([text, part]) => textOf(text).includes(textOf(part)),
  split: ([text, by]) => textOf(text).split(textOf(by)),
  delimit: ([list = null, by]) =>
    entriesOf(list)
      .map(([, item]) => textOf(item))
      .join(textOf(by)),
  in: ([list = null, item]) =>
    typeof list === 'string'
      ? list.includes(textOf(item))
      : entriesOf(list).some(([, one]) => textOf(one) === textOf(item)),
  eq: ([first, ...others]) => others.some((other) => textOf(other) === textOf(first)),
  ne: ([first, other]) => textOf(other) !== textOf(first),
  not: ([value = null]) => !isTrue(value),
  and: (args) => args.find((value) => !isTrue(value)) ?? args.at(-1) ?? null,
  or: (args) => args.find(isTrue) ?? args.at(-1) ?? null,
  cond: ([test = null, yes = null, no = null]) => (isTrue(test) ? yes : no),
  isset: ([table, key]) => isMap(table) && table.has(textOf(key).toLowerCase()),
  index: ([table = null, key]) =>
    entriesOf(table).find(([name]) => textOf(name) === textOf(key).toLowerCase())?.[1] ?? null,
  len: ([value = null]) => (typeof value === 'object' ? entriesOf(value).length : textOf(value).length),
};

function trimmed(text: string, signs: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && signs.includes(text.charAt(start))) start += 1;
  while (end > start && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function formatted(format: string, args: readonly GoValue[]): string {
  let next = 0;
  return format.replace(/%(?:%|[svdq])/g, (verb) => {
    if (verb === '%%') return '%';
    const text = textOf(args[next++]);
    return verb === '%q' ? JSON.stringify(text) : text;
  });
}
