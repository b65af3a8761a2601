/** One shortcode tag: `[gallery ids="1,2"]`, `[/caption]`, `[more /]`. */
export interface Shortcode {
  readonly name: string;
  /** `[/name]` */
  readonly closes: boolean;
  /** `[name /]` */
  readonly closesItself: boolean;
  /** By key in lower case. */
  readonly named: ReadonlyMap<string, string>;
  readonly positional: readonly string[];
  /** Whether an argument has a key and quotes, or all have keys, unlike ordinary text in brackets: its links are HTML. */
  readonly hasKeys: boolean;
  /** The position after the tag. */
  readonly end: number;
}

/** Real tags are shorter; an opening bracket without an end must not swallow the post. */
const MAX_LENGTH = 5000;

/** `=` directly after the name is wordpress.com's form: `[youtube=https://…]`. */
const TAG =
  /^\[(?<closes>\/)?(?<name>[A-Za-z][\w-]*)(?<rest>(?:[\s=](?:"[^"]*"|'[^']*'|[^[\]"'])*)?)(?<self>\/)?\]/;

const ARGUMENT = /(?:(?<key>[\w-]+)\s*=\s*)?(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[^\s"']+))/g;

/** Typographic quotes that an editor made of straight ones, also as entities. */
const CURLED = /[\u201C-\u201F\u2033]|&quot;|&#(?:8220|8221|8243|0?34);|&[lr]dquo;/g;

/** The shortcode that begins exactly at `start`, or null. */
export function readShortcode(text: string, start: number): Shortcode | null {
  const { closes, name, rest = '', self } = TAG.exec(text.slice(start, start + MAX_LENGTH))?.groups ?? {};
  if (name === undefined) return null;
  const length = 1 + (closes?.length ?? 0) + name.length + rest.length + (self?.length ?? 0) + 1;
  const written = rest.replace(/^=/, '').replace(CURLED, '"');
  // A final slash belongs to the tag, unless it ends an address.
  const isSelf = self !== undefined || /(?:^|\s)\/$/.test(written);
  return {
    name,
    closes: closes !== undefined,
    closesItself: isSelf,
    ...parseArguments(written.replace(/(?:^|\s)\/$/, '')),
    end: start + length,
  };
}

function parseArguments(written: string): Pick<Shortcode, 'named' | 'positional' | 'hasKeys'> {
  const named = new Map<string, string>();
  const positional: string[] = [];
  const isHtml = /[<>]/.test(written.replace(/"[^"]*"|'[^']*'/g, ''));
  let hasQuoted = false;
  for (const { groups = {} } of written.matchAll(ARGUMENT)) {
    const quoted = groups['double'] ?? groups['single'];
    const value = (quoted ?? groups['bare'] ?? '').replaceAll('&amp;', '&');
    if (groups['key'] === undefined) positional.push(value);
    else named.set(groups['key'].toLowerCase(), value);
    hasQuoted ||= groups['key'] !== undefined && quoted !== undefined;
  }
  const hasKeys = !isHtml && (hasQuoted || (named.size > 0 && positional.length === 0));
  return { named, positional, hasKeys };
}
