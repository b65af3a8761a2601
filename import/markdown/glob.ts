/** The rules for a pattern of file names. */
export interface GlobRules {
  /** `*` and `?` match a slash too. */
  readonly crossesFolders: boolean;
}

/** Limit for the alternatives of `{a,b}`. */
const MAX_ALTERNATIVES = 100;

/** Whether a path matches a pattern of `*`, `**`, `?`, `[abc]` and `{a,b}`. Time: the product of their lengths. */
export function matchesGlob(path: string, pattern: string, { crossesFolders }: GlobRules): boolean {
  return alternativesOf(pattern).some((alternative) =>
    matchesOne(path, tokensOf(alternative), crossesFolders),
  );
}

type Token =
  { readonly kind: 'any' | 'every' } | { readonly kind: 'one'; readonly is: (sign: string) => boolean };

function tokensOf(pattern: string): Token[] {
  const parts = pattern.match(/\*\*\/?|\*|\?|\[[^\]/]{1,100}\]|\\.|[^]/gu) ?? [];
  return parts.map((part): Token => {
    if (part.startsWith('**')) return { kind: 'every' };
    if (part === '*') return { kind: 'any' };
    if (part === '?') return { kind: 'one', is: (sign) => sign !== '/' };
    if (part.length > 2 && part.startsWith('[')) return { kind: 'one', is: oneOf(part.slice(1, -1)) };
    const wanted = part.length > 1 && part.startsWith('\\') ? part.slice(1) : part;
    return { kind: 'one', is: (sign) => sign === wanted };
  });
}

/** `abc`, `a-z`, `!abc` */
function oneOf(written: string): (sign: string) => boolean {
  const isNot = /^[!^]/.test(written);
  const ranges = Array.from(written.replace(/^[!^]/, '').matchAll(/(.)-(.)|(.)/gsu), ([, from, to, only]) => [
    from ?? only ?? '',
    to ?? only ?? '',
  ]);
  return (sign) => ranges.some(([from = '', to = '']) => from <= sign && sign <= to) !== isNot;
}

/** Reads the path once, with all possible positions in the pattern. */
function matchesOne(path: string, tokens: readonly Token[], crossesFolders: boolean): boolean {
  const isMany = (token: Token | undefined): boolean => token?.kind === 'any' || token?.kind === 'every';
  const withSkipped = (places: ReadonlySet<number>): Set<number> => {
    const all = new Set(places);
    for (const place of all) if (isMany(tokens[place])) all.add(place + 1);
    return all;
  };
  let places = withSkipped(new Set([0]));
  for (const sign of path) {
    const next = new Set<number>();
    for (const place of places) {
      const token = tokens[place];
      if (token?.kind === 'every' || (token?.kind === 'any' && (crossesFolders || sign !== '/')))
        next.add(place);
      else if (token?.kind === 'one' && token.is(sign)) next.add(place + 1);
    }
    if (next.size === 0) return false;
    places = withSkipped(next);
  }
  return places.has(tokens.length);
}

/** `a.{b,c}`: `a.b` and `a.c`. */
function alternativesOf(pattern: string): string[] {
  let found = [pattern];
  for (;;) {
    const next = found.flatMap((text) => {
      const [whole, before = '', inner = '', after = ''] = /^([^{]*)\{([^{}]*)\}([^]*)$/.exec(text) ?? [];
      return whole === undefined ? [text] : inner.split(',').map((part) => before + part + after);
    });
    if (next.length === found.length || next.length > MAX_ALTERNATIVES) return found;
    found = next;
  }
}
