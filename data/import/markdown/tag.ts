import type { FrontMatter } from './front-matter.ts';

/** One tag of a template language, without its braces. */
export interface Tag {
  readonly dialect: 'hugo' | 'zola' | 'liquid';
  /** In lower case; empty for a Liquid value (`{{ page.title }}`) or a Nunjucks comment. */
  readonly name: string;
  /** `endraw` has the name `raw`; Zola's `end` closes any. */
  readonly closing: boolean;
  /** What stands behind the name. */
  readonly rest: string;
  /** Where the text goes on. */
  readonly end: number;
}

/** What a tag may ask for. */
export interface Surroundings {
  /** Whether the site knows Liquid or Nunjucks; if not, `{{ x }}` and `{% x %}` are text. */
  readonly liquid: boolean;
  readonly frontMatter: FrontMatter;
  readonly config: FrontMatter;
  /** Where on the site an image or another file is found. */
  readonly assetPath: (written: string) => string;
  /** Where on the site a page is found that is named by its file: `_posts/2015-03-17-hello.md`. */
  readonly pagePath: (file: string) => string;
}

interface Form {
  readonly dialect: Tag['dialect'];
  readonly head: RegExp;
  readonly close: string;
  /** What `rest` must end with, which is cut off. */
  readonly last?: string;
}

/** Each can be told from the others by its head; Liquid takes what the others leave. */
const SHORTCODES: readonly Form[] = [
  { dialect: 'hugo', head: /\{\{<\s*(?<closing>\/?)\s*(?<name>[\w./-]+)/y, close: '>}}' },
  { dialect: 'hugo', head: /\{\{%\s*(?<closing>\/?)\s*(?<name>[\w./-]+)/y, close: '%}}' },
  { dialect: 'zola', head: /\{%-?\s*(?<closing>end)(?=\s*-?%\})/y, close: '%}' },
  { dialect: 'zola', head: /\{%-?\s*(?<name>\w[\w:]*)\(/y, close: '%}', last: ')' },
  { dialect: 'zola', head: /\{\{-?\s*(?<name>\w[\w:]*)\(/y, close: '}}', last: ')' },
];
const LIQUID: readonly Form[] = [
  { dialect: 'liquid', head: /\{%-?\s*(?<closing>end)?(?<name>\w+)/y, close: '%}' },
  { dialect: 'liquid', head: /\{#-?(?=\s)/y, close: '#}' },
  { dialect: 'liquid', head: /\{\{-?/y, close: '}}' },
];

/** No tag is longer; an opening brace without its end must not swallow the post. */
const MAX_LENGTH = 5000;

/** The tag that begins exactly at `start`, or null. */
export function readTag(text: string, start: number, liquid: boolean): Tag | null {
  for (const form of liquid ? [...SHORTCODES, ...LIQUID] : SHORTCODES) {
    form.head.lastIndex = start;
    const head = form.head.exec(text);
    if (head === null) continue;
    const from = start + head[0].length;
    const close = closeOf(text, from, form.close);
    if (close === null) continue;
    const inside = text.slice(from, close).replace(/-$/, '').trim();
    if (form.last !== undefined && !inside.endsWith(form.last)) continue;
    const { name = '', closing = '' } = head.groups ?? {};
    return {
      dialect: form.dialect,
      name: name.toLowerCase(),
      closing: closing !== '',
      rest: form.last === undefined ? inside : inside.slice(0, -form.last.length),
      end: close + form.close.length,
    };
  }
  return null;
}

/** Where the tag closes: the first mark that does not stand inside a quoted argument. */
function closeOf(text: string, from: number, mark: string): number | null {
  const near = text.slice(from, from + MAX_LENGTH);
  const first = near.indexOf(mark);
  if (first === -1) return null;
  for (let close = first; close !== -1; close = near.indexOf(mark, close + 1)) {
    const unquoted = near.slice(0, close).replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`/gs, '');
    if (!/["'`]/.test(unquoted)) return from + close;
  }
  return from + first; // An apostrophe, then: nothing was quoted.
}

/** The tag that closes this one, counting those of the same name between them; null without one. */
export function closingTag(text: string, tag: Tag, nests: boolean): { start: number; end: number } | null {
  const name = tag.name.replaceAll('.', '\\.');
  const pattern = {
    hugo: `\\{\\{[<%]\\s*(?<close>/?)\\s*${name}\\b[^{}]*[>%]\\}\\}`,
    zola: '\\{%-?\\s*(?:(?<close>end)|\\w[\\w:]*\\([^{}]*\\))\\s*-?%\\}',
    liquid: `\\{%-?\\s*(?<close>end)?${name}\\b[^{}]*%\\}`,
  }[tag.dialect];
  let depth = 1;
  for (const match of text.slice(tag.end).matchAll(new RegExp(pattern, 'gi'))) {
    if (match.groups?.['close']) depth -= 1;
    else if (nests) depth += 1;
    const start = tag.end + match.index;
    if (depth === 0) return { start, end: start + match[0].length };
  }
  return null;
}

/** What stands behind a tag's name: `src="a.png" "a photo"`, `(id=1, text="x")`, `"a.png", alt: "x"`. */
export interface Arguments {
  readonly named: ReadonlyMap<string, string>;
  readonly positional: readonly string[];
}

const ARGUMENT =
  /(?:(?<key>[\w-]+)\s*(?:=|:(?=\s|["']))\s*)?(?:"(?<double>(?:\\.|[^"\\])*)"|'(?<single>(?:\\.|[^'\\])*)'|`(?<raw>[^`]*)`|(?<bare>[^\s,"'`]+))/gs;

/** The arguments of a tag, in any dialect. */
export function parseArguments(rest: string): Arguments {
  const named = new Map<string, string>();
  const positional: string[] = [];
  for (const { groups = {} } of rest.matchAll(ARGUMENT)) {
    const quoted = groups['double'] ?? groups['single'];
    const value = quoted?.replace(/\\(["'\\])/g, '$1') ?? groups['raw'] ?? groups['bare'] ?? '';
    if (groups['key'] === undefined) positional.push(value);
    else named.set(groups['key'].toLowerCase(), value);
  }
  return { named, positional };
}
