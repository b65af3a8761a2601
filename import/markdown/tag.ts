import { PostUnreadable } from '../../common/content/errors.ts';
import { PositionIndex, TextSearch } from '../article/text-search.ts';
import type { Dialect } from '../../common/content/markdown.ts';
import type { FrontMatter } from './front-matter.ts';
import type { Shortcodes } from './shortcodes.ts';

/** A template tag, without its braces. */
export interface Tag {
  readonly dialect: 'hugo' | 'zola' | 'liquid';
  /** In lower case; empty for a Liquid value (`{{ page.title }}`) or a Nunjucks comment. */
  readonly name: string;
  /** `endraw` has the name `raw`; Zola's `end` closes any. */
  readonly closing: boolean;
  /** The text after the name. */
  readonly rest: string;
  /** The position after the tag. */
  readonly end: number;
}

/** What a tag may need from the site. */
export interface Surroundings {
  /** Whether the site has Liquid or Nunjucks; if not, `{{ x }}` and `{% x %}` are text. */
  readonly liquid: boolean;
  readonly frontMatter: FrontMatter;
  readonly config: FrontMatter;
  /** The path on the site of an image or another file. */
  readonly assetPath: (written: string) => string;
  /** The path on the site of a page, by its file: `_posts/2015-03-17-hello.md`. */
  readonly pagePath: (file: string) => string;
  /** The site's shortcode templates; null if it is not a Hugo site. */
  readonly shortcodes: Shortcodes | null;
  readonly dialect: Dialect;
  /** Returns a placeholder for HTML that Markdown must not see; null if the generator has none. */
  readonly keep: ((html: string) => string) | null;
  /** The nesting depth of shortcodes. */
  readonly depth: number;
  /** Called for each loss. */
  readonly lose: (what: string, detail?: string) => void;
}

interface Form {
  readonly dialect: Tag['dialect'];
  readonly head: RegExp;
  readonly close: string;
  /** An ending of `rest` that is required and removed. */
  readonly last?: string;
}

/** Each is recognised by its beginning; Liquid takes the rest. */
const SHORTCODES: readonly Form[] = [
  { dialect: 'hugo', head: /\{\{<\s*(?:(?<closing>\/)\s*)?(?<name>[\w./-]+)/y, close: '>}}' },
  { dialect: 'hugo', head: /\{\{%\s*(?:(?<closing>\/)\s*)?(?<name>[\w./-]+)/y, close: '%}}' },
  { dialect: 'zola', head: /\{%-?\s*(?<closing>end)(?=\s*-?%\})/y, close: '%}' },
  { dialect: 'zola', head: /\{%-?\s*(?<name>\w[\w:]*)\(/y, close: '%}', last: ')' },
  { dialect: 'zola', head: /\{\{-?\s*(?<name>\w[\w:]*)\(/y, close: '}}', last: ')' },
];
const LIQUID: readonly Form[] = [
  { dialect: 'liquid', head: /\{%-?\s*(?<closing>end)?(?<name>\w+)/y, close: '%}' },
  { dialect: 'liquid', head: /\{#-?(?=\s)/y, close: '#}' },
  { dialect: 'liquid', head: /\{\{-?/y, close: '}}' },
];

/** Real tags are shorter; an opening brace without an end must not swallow the post. */
const MAX_LENGTH = 5000;

/** Reads the tags of one text, from its start to its end. */
export interface TagReader {
  /** The tag that begins exactly at `start`, or null. */
  readonly tagAt: (start: number) => Tag | null;
  /** The tag that closes this one, counting nested tags with the same name; null without one. */
  readonly closingTag: (tag: Tag, nests: boolean) => { start: number; end: number } | null;
}

/** Limit for the work on all tags of a text, in steps for each character: real ones take less than 20. */
const MAX_STEPS = 200;

/** @throws PostUnreadable from its functions, if unclosed quotes make the text too much work */
export function tagReader(text: string, liquid: boolean): TagReader {
  const forms = liquid ? [...SHORTCODES, ...LIQUID] : SHORTCODES;
  const search = new TextSearch(text);
  const families = new Map<string, Family>();
  let steps = 0;
  return { tagAt, closingTag };

  function tagAt(start: number): Tag | null {
    for (const form of forms) {
      form.head.lastIndex = start;
      const head = form.head.exec(text);
      if (head === null) continue;
      const from = start + head[0].length;
      const close = closeOf(from, form.close);
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

  /** Where the tag closes: the first mark outside quoted arguments. */
  function closeOf(from: number, mark: string): number | null {
    const first = search.indexOf(mark, from);
    if (first === null || first + mark.length > from + MAX_LENGTH) return null;
    const near = text.slice(from, from + MAX_LENGTH);
    let at = 0;
    for (let close = first - from; close !== -1; close = near.indexOf(mark, at)) {
      at = afterQuotes(near, at, close);
      if (at === -1) break;
      if (at <= close) return from + close;
    }
    return first; // It was an apostrophe, not a quote.
  }

  /** The end of the quoted arguments that begin between `at` and `close`; -1 if one is not closed. */
  function afterQuotes(near: string, from: number, close: number): number {
    let at = from;
    while (at < close) {
      QUOTE.lastIndex = at;
      const begin = QUOTE.exec(near)?.index ?? close;
      if (begin >= close) return close;
      QUOTED.lastIndex = begin;
      const length = QUOTED.exec(near)?.[0].length;
      steps += length ?? near.length - begin;
      if (steps > MAX_STEPS * (text.length + MAX_LENGTH)) {
        throw new PostUnreadable('has too many unclosed quotes in its template tags');
      }
      if (length === undefined) return -1;
      at = begin + length;
    }
    return at;
  }

  function closingTag(tag: Tag, nests: boolean): { start: number; end: number } | null {
    const key = tag.dialect === 'zola' ? tag.dialect : `${tag.dialect} ${tag.name}`;
    const family = families.get(key) ?? familyOf(text, tag);
    families.set(key, family);
    return family.closing(tag.end, nests);
  }
}

const QUOTE = /["'`]/g;
const QUOTED = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`/sy;

/** The tags of one name in a text. */
interface Family {
  readonly closing: (from: number, nests: boolean) => { start: number; end: number } | null;
}

function familyOf(text: string, tag: Tag): Family {
  const name = tag.name.replaceAll('.', '\\.');
  const pattern = {
    hugo: `\\{\\{[<%]\\s*(?:(?<close>/)\\s*)?${name}\\b[^{}]*[>%]\\}\\}`,
    zola: '\\{%-?\\s*(?:(?<close>end)|\\w[\\w:]*\\([^{}]*\\))\\s*-?%\\}',
    liquid: `\\{%-?\\s*(?<close>end)?${name}\\b[^{}]*%\\}`,
  }[tag.dialect];
  const ends = new Map<number, number>();
  const closes = new PositionIndex();
  /** By the number of tags that are still open after them. */
  const closesByDepth = new PositionIndex();
  const tags = new PositionIndex();
  const depths = new Map<number, number>();
  let depth = 0;
  for (const match of text.matchAll(new RegExp(pattern, 'gi'))) {
    const start = match.index;
    ends.set(start, start + match[0].length);
    depths.set(start, depth);
    tags.add('', start);
    depth += match.groups?.['close'] ? -1 : 1;
    if (!match.groups?.['close']) continue;
    closes.add('', start);
    closesByDepth.add(String(depth), start);
  }
  return {
    closing: (from, nests) => {
      const next = tags.next('', from);
      if (next === null) return null;
      const outside = String((depths.get(next) ?? 0) - 1);
      const start = nests ? closesByDepth.next(outside, from) : closes.next('', from);
      return start === null ? null : { start, end: ends.get(start) ?? start };
    },
  };
}

/** The text after a tag's name: `src="a.png" "a photo"`, `(id=1, text="x")`, `"a.png", alt: "x"`. */
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
