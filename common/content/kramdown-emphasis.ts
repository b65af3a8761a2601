import type { StateInline } from 'markdown-it';

type Kind = 'em' | 'strong';

/** State that is kept while a block's text is read. */
interface Known {
  /** The emphasis around the position. */
  readonly open: Kind[];
  /** Marks that have no end from any later position. */
  readonly endless: Set<string>;
  /** markdown-it's cache of closing positions, which depends on the open emphasis. */
  readonly caches: Map<string, Record<number, number>>;
}

const KNOWN = new WeakMap<StateInline, Known>();

/**
 * Emphasis as in kramdown: a mark opens before any non-blank and closes after any non-blank, regardless of letters and
 * punctuation around it. Emphasis of one kind does not nest.
 */
export function kramdownEmphasis(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  const mark = src[pos];
  if (mark !== '*' && mark !== '_') return false;
  const known: Known = KNOWN.get(state) ?? { open: [], endless: new Set(), caches: new Map() };
  KNOWN.set(state, known);
  const size = src[pos + 1] === mark ? 2 : 1;
  const kind: Kind = size === 2 ? 'strong' : 'em';
  const isText =
    (mark === '_' && /\p{L}-?$/u.test(src.slice(Math.max(0, pos - 3), pos))) ||
    /\s/.test(src[pos + size] ?? '') ||
    known.open.includes(kind);
  if (!isText) {
    if (emphasised(state, silent, known, { mark: mark.repeat(size), kind, at: pos })) return true;
    if (kind === 'strong' && known.open.at(-1) !== 'em') {
      if (emphasised(state, silent, known, { mark, kind: 'em', at: pos, from: pos + 1 })) return true;
    }
  }
  if (!silent) state.pending += mark.repeat(size);
  state.pos = pos + size;
  return true;
}

interface Opening {
  readonly mark: string;
  readonly kind: Kind;
  readonly at: number;
  /** Where the emphasised text begins, after the mark. */
  readonly from?: number;
}

function emphasised(state: StateInline, silent: boolean, known: Known, opening: Opening): boolean {
  const { mark, kind, at } = opening;
  const start = opening.from ?? at + mark.length;
  const key = `${mark} ${known.open.join(' ')}`;
  if (known.endless.has(key)) return false;
  return within(state, known, kind, () => {
    const close = closeOf(state, start, mark, kind);
    if (close === null) {
      known.endless.add(key);
      state.pos = at;
      return false;
    }
    if (!silent) {
      const { posMax } = state;
      state.push(`${kind}_open`, kind, 1).markup = mark;
      state.pos = start;
      state.posMax = close;
      state.md.inline.tokenize(state);
      state.posMax = posMax;
      state.push(`${kind}_close`, kind, -1).markup = mark;
    }
    state.pos = close + mark.length;
    return true;
  });
}

/** With this emphasis open, and with the cache for it. */
function within(state: StateInline, known: Known, kind: Kind, read: () => boolean): boolean {
  const { cache } = state;
  known.open.push(kind);
  const key = known.open.join(' ');
  state.cache = known.caches.get(key) ?? {};
  known.caches.set(key, state.cache);
  try {
    return read();
  } finally {
    known.open.pop();
    state.cache = cache;
  }
}

function closeOf(state: StateInline, start: number, mark: string, kind: Kind): number | null {
  const { src, posMax } = state;
  state.pos = start;
  while (state.pos < posMax) {
    const { pos } = state;
    const after = src[pos + mark.length] ?? '';
    if (
      pos > start &&
      src.startsWith(mark, pos) &&
      pos + mark.length <= posMax &&
      !/\s/.test(src[pos - 1] ?? '') &&
      // Two marks end strong text, three end strong emphasis.
      !(kind === 'em' && after === mark && src[pos + 2] !== mark) &&
      !(mark.startsWith('_') && /[\p{L}\p{N}]/u.test(after))
    )
      return pos;
    state.md.inline.skipToken(state);
  }
  return null;
}
