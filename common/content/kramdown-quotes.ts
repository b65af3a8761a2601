import type { StateInline } from 'markdown-it';
import { replaceSigns } from './inline-text.ts';

const WORD = String.raw`[\p{L}\p{M}\p{N}_]`;
const SIGN = String.raw`[!"#$%'()*+,\-./:;<=>?@[\\\]^_\x60{|}~]`;

/** The first match decides which quote it is; patterns may look at the character before it. */
const RULES: readonly { readonly pattern: RegExp; readonly becomes: 'open' | 'close' }[] = (
  [
    [String.raw`["'](?=[_*]{1,2}\S)`, 'open'],
    [String.raw`["'](?=${SIGN}(?!\.\.)(?!${WORD}))`, 'close'],
    [String.raw`(?<before>\s?)(?:"'|'")(?=${WORD})`, 'open'],
    [String.raw`(?<before>\s?)'(?=\d\ds)`, 'close'],
    [String.raw`(?<before>\s)["'](?=${WORD})`, 'open'],
    [String.raw`(?<before>[^ \\\t\r\n[{(-])["']`, 'close'],
    [String.raw`["'](?=\s|s(?!${WORD})|$)`, 'close'],
    [String.raw`(?<before>[^]?)["']`, 'open'],
  ] as const
).map(([pattern, becomes]) => ({ pattern: new RegExp(pattern, 'uy'), becomes }));

const QUOTES = { open: { '"': '“', "'": '‘' }, close: { '"': '”', "'": '’' } } as const;

/** Where the last quote ended: it does not count as a character before the next one. */
const ENDS = new WeakMap<StateInline, number>();

/** kramdown's typographic quotes, by its own rules (SmartyPants'). */
export function kramdownQuotes(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src[pos] !== '"' && src[pos] !== "'") return false;
  // Otherwise the character before it belongs to a mark.
  const follows = pos > (ENDS.get(state) ?? 0) && state.pending.length > 0;
  const from = follows && src[pos - 1] !== '\\' ? pos - 1 : pos;
  for (const { pattern, becomes } of RULES) {
    pattern.lastIndex = from;
    const match = pattern.exec(src);
    if (match === null) continue;
    const signs = match[0].slice(match.groups?.['before']?.length ?? 0);
    if (from + match[0].length <= pos) continue;
    const text = signs.replace(/["']/g, (sign) => QUOTES[becomes][sign === '"' ? '"' : "'"]);
    if (!silent) ENDS.set(state, from + match[0].length);
    return replaceSigns(state, silent, text, signs.length);
  }
  return false;
}

const SIGNS: readonly (readonly [string, string])[] = [
  ['---', '—'],
  ['--', '–'],
  ['...', '…'],
  ['<< ', '«\u00a0'],
  ['<<', '«'],
  ['>>', '»'],
];

/** Dashes, ellipses and angle quotes. */
export function kramdownSigns(state: StateInline, silent: boolean): boolean {
  const found = SIGNS.find(([written]) => state.src.startsWith(written, state.pos));
  return found !== undefined && replaceSigns(state, silent, found[1], found[0].length);
}
