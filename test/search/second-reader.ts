/**
 * A reader of the search index that was written from docs/search-index.md alone, and shares no code with the gateway. It
 * needs nothing but a function that reads files, and runs in a browser too.
 */
export type ReadFile = (path: string) => Promise<Uint8Array>;

interface Answer {
  readonly positions: readonly number[];
  /** `open`: each may lack the term. `unread`: all have it, or none. */
  readonly state: 'sure' | 'open' | 'unread';
}

interface Summary {
  readonly title: string;
  readonly description: string | null;
  readonly tags: readonly string[];
}

interface Directory {
  readonly posts: number;
  readonly pages: readonly string[];
  readonly suffixes: readonly (readonly [string, string])[];
}

const LEAF = 8;
const NOWHERE: Answer = { positions: [], state: 'sure' };

/** The positions of the posts in which every term of `q` occurs, ascending. */
export async function find(read: ReadFile, q: string): Promise<number[]> {
  const known = new Map<string, Promise<string>>();
  const json = async (path: string) => {
    const text = known.get(path) ?? read(path).then((bytes) => new TextDecoder().decode(bytes));
    known.set(path, text);
    return JSON.parse(await text);
  };
  const path = (kind: string, hash: string) => `objects/${kind}/${hash.slice(0, 2)}/${hash}`;
  const { snapshot }: { snapshot: string } = await json('snapshot.json');
  const directory: Directory = await json(`${path('directory', snapshot)}.json`);
  const { posts, pages, suffixes } = directory;
  const indexed = suffixes.length === 0 ? 0 : posts - (posts % 250);
  const terms = normal(q).split(/\s+/u).filter(Boolean);

  const holdsAll = async (position: number) => {
    const page: Summary[] = await json(`${path('page', pages[Math.floor(position / 50)] ?? '')}.json`);
    const { title, description, tags } = page[position % 50]!;
    const texts = [title, description ?? '', ...tags].map(normal);
    return terms.every((term) => texts.some((text) => text.includes(term)));
  };

  const answers = await Promise.all(
    terms.map(async (term) => {
      const object = suffixes.findLast(([first]) => compare([...first], [...term]) <= 0);
      return object ? findIn(await read(path('suffixes', object[1])), [...term], indexed) : NOWHERE;
    }),
  );
  let found = Array.from({ length: indexed }, (_, position) => position);
  for (const { positions } of answers) {
    const own = new Set(positions);
    found = found.filter((position) => own.has(position));
  }
  const newest = Array.from({ length: posts - indexed }, (_, i) => indexed + i);
  if (answers.some(({ state }) => state === 'open')) found = await filter(found, holdsAll);
  else if (answers.some(({ state }) => state === 'unread') && found[0] !== undefined) {
    if (!(await holdsAll(found[0]))) found = [];
  }
  return [...found, ...(await filter(newest, holdsAll))];
}

function normal(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

async function filter(list: readonly number[], keep: (one: number) => Promise<boolean>): Promise<number[]> {
  const kept = await Promise.all(list.map(keep));
  return list.filter((_, i) => kept[i]);
}

function compare(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((character, i) => character !== b[i]);
  if (at < 0) return a.length - b.length;
  return at >= b.length ? 1 : a[at]!.codePointAt(0)! - b[at]!.codePointAt(0)!;
}

class Bits {
  readonly #bytes: Uint8Array;
  at = 0;
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }
  get isEnd(): boolean {
    return this.at >= 8 * this.#bytes.length;
  }
  bit(): number {
    const byte = this.#bytes[this.at >> 3];
    if (byte === undefined) throw new Error('the end of the object');
    return (byte >> (this.at++ & 7)) & 1;
  }
  bits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) value += this.bit() << i;
    return value;
  }
  zeros(): number {
    let zeros = 0;
    while (this.bit() === 0) zeros += 1;
    return zeros;
  }
  number(width: number): number {
    const count = width + this.zeros();
    return 2 ** count + this.bits(count) - 2 ** width;
  }
  length(): number {
    const byte = this.bits(8);
    return byte < 128 ? byte : byte - 128 + 128 * this.length();
  }
  byteEnd(): void {
    this.at = 8 * Math.ceil(this.at / 8);
  }
  list(count: number, all: number): number[] {
    const others = 2 * count > all;
    const size = others ? all - count : count;
    const k = size === 0 ? 0 : Math.max(0, Math.floor(Math.log2(Math.floor((2 * all) / (3 * size)))));
    const listed = new Set<number>();
    for (let last = -1, i = 0; i < size; i++) listed.add((last += 1 + this.zeros() * 2 ** k + this.bits(k)));
    return others ? Array.from({ length: all }, (_, i) => i).filter((i) => !listed.has(i)) : [...listed];
  }
}

function findIn(bytes: Uint8Array, term: readonly string[], indexed: number): Answer {
  const bits = new Bits(bytes);
  let text: string[] = [];
  let best: { count: number; at: number; length: number } | undefined;
  while (!bits.isEnd) {
    text = text.slice(0, bits.length());
    for (let added = bits.length(); added > 0; added--) text.push(String.fromCodePoint(bits.length()));
    const count = bits.length();
    const rest = bits.length();
    const isPrefix = text.length <= term.length && text.every((character, i) => character === term[i]);
    if (isPrefix && text.length > (best?.length ?? 0)) best = { count, at: bits.at, length: text.length };
    bits.at += 8 * rest;
  }
  if (!best) return NOWHERE;
  bits.at = best.at;
  const most = Math.min(32768, Math.max(1024, Math.floor(indexed / 8)));
  const positions = bits.list(best.count, indexed);
  bits.byteEnd();
  return follow(bits, positions, term.slice(best.length), best.count > most, true);
}

/** From a node on, whose list was read, along the rest of a term. */
function follow(
  bits: Bits,
  positions: readonly number[],
  term: readonly string[],
  isLast: boolean,
  isSure: boolean,
): Answer {
  const sure = isSure ? 'sure' : 'unread';
  if (term.length === 0) return { positions, state: positions.length <= LEAF && !isSure ? 'open' : sure };
  if (positions.length <= LEAF) return { positions, state: 'open' };
  const length = bits.number(0);
  const label = length > 16 ? undefined : Array.from({ length }, () => String.fromCodePoint(bits.number(6)));
  if (label?.some((character, i) => i < term.length && character !== term[i])) return NOWHERE;
  if (length >= term.length) return { positions, state: label ? sure : 'unread' };
  if (isLast) return NOWHERE;

  let point = -1;
  let chosen: { positions: number[]; skipped: number } | undefined;
  let large = 0;
  for (let children = bits.number(0); children > 0; children--) {
    point = point < 0 ? bits.number(6) : point + 1 + bits.number(2);
    const count = bits.number(0) + 1;
    if (count > 64) bits.number(8);
    const list = bits.list(count, positions.length);
    if (String.fromCodePoint(point) === term[length])
      chosen = { positions: list.map((rank) => positions[rank]!), skipped: large };
    if (count > LEAF) large += 1;
  }
  if (!chosen) return NOWHERE;
  bits.byteEnd();
  if (chosen.positions.length > LEAF) {
    for (let i = 0; i < chosen.skipped; i++) {
      const bytes = bits.length();
      bits.at += 8 * bytes;
    }
    bits.length();
  }
  return follow(bits, chosen.positions, term.slice(length + 1), false, isSure && label !== undefined);
}
