/** Writes what contract/suffix-tree.ts reads: docs/search-index.md explains the format. */
import {
  LABEL_CHARACTERS,
  LEAF_POSTS,
  LONG_LIST,
  mostTreePosts,
  TERM_CHARACTERS,
} from '../../contract/suffix-tree.ts';
import { listLength, writeList } from './list-writer.ts';
import { lengthBytes, type Piece, PieceWriter } from './piece-writer.ts';
import type { WordTable } from './words.ts';

/** Pieces of work into which an index is cut, for threads. */
const UNITS = 24;

/** A piece of an index: the entries of all texts that begin with a character from `from` up to `to`, as in `text`. */
export interface Unit {
  readonly from: number;
  readonly to: number;
}

/** Cuts an index into pieces of work, about equal. */
export function unitsOf({ text, wordAt, lists }: WordTable): Unit[] {
  const weights = new Map<number, number>();
  let total = 0;
  for (const [at, character] of text.entries()) {
    if (character === 0) continue;
    const weight = lists[wordAt[at]! + 1]! - lists[wordAt[at]!]!;
    weights.set(character, (weights.get(character) ?? 0) + weight);
    total += weight;
  }
  const units: Unit[] = [];
  let [from, held] = [0, 0];
  const characters = [...weights.keys()].sort((a, b) => a - b);
  for (const character of characters) {
    held += weights.get(character) ?? 0;
    if (held < total / UNITS) continue;
    units.push({ from, to: character + 1 });
    [from, held] = [character + 1, 0];
  }
  if (held > 0) units.push({ from, to: Infinity });
  return units;
}

/** An object of an index, and the text of its first entry. */
export interface IndexObject {
  readonly first: string;
  readonly bytes: Uint8Array;
}

/** Joins pieces to objects. Only the last of a unit can be without an end. */
export class PieceJoiner {
  #held: Piece[] = [];

  /** @param pieces of the next unit */
  *add(pieces: readonly Piece[]): Generator<IndexObject> {
    for (const piece of pieces) {
      this.#held.push(piece);
      if (piece.isEnd) yield* this.end();
    }
  }

  /** The last object, if there is one. */
  *end(): Generator<IndexObject> {
    const [first] = this.#held;
    if (first) yield { first: first.first, bytes: Buffer.concat(this.#held.map(({ bytes }) => bytes)) };
    this.#held = [];
  }
}

/** The suffixes from `low` up to `high` in the order so far: all begin with the same characters, `depth` of them. */
interface Range {
  readonly low: number;
  readonly high: number;
  readonly depth: number;
}

/** The suffixes of a range that go on with the same character. */
interface Child extends Range {
  readonly character: number;
}

/** Writes the entries of one unit. */
export class UnitWriter {
  readonly #table: WordTable;
  readonly #mostTreePosts: number;
  /** Where each suffix begins in the text. Sorted step by step, only as far as is needed. */
  readonly #order: Uint32Array;
  readonly #sorting: Uint32Array;
  /** For each character how many suffixes of a range have it next, then where they go. Zeros in between. */
  readonly #counts = new Uint32Array(0x110002);
  /** The place of each post among those of the node whose children are written. */
  readonly #rank: Uint32Array;
  /** The posts of a range: see #collect. */
  readonly #found: Uint32Array;
  readonly #bits: Uint32Array;
  readonly #pieces: Piece[] = [];
  readonly #entries = new PieceWriter((piece) => this.#pieces.push(piece));
  readonly #writer = this.#entries.bits;

  constructor(table: WordTable, { from, to }: Unit) {
    this.#table = table;
    this.#mostTreePosts = mostTreePosts(table.posts);
    const { text } = table;
    let size = 0;
    for (let at = 0; at < text.length; at++)
      if (text[at]! >= from && text[at]! < to && text[at] !== 0) size += 1;
    this.#order = new Uint32Array(size);
    this.#sorting = new Uint32Array(size);
    for (let at = 0, i = 0; at < text.length; at++)
      if (text[at]! >= from && text[at]! < to && text[at] !== 0) this.#order[i++] = at;
    this.#rank = new Uint32Array(table.posts);
    this.#found = new Uint32Array(table.posts);
    this.#bits = new Uint32Array((table.posts + 31) >>> 5);
  }

  write(): Piece[] {
    this.#writeEntries({ low: 0, high: this.#order.length, depth: 0 }, []);
    this.#entries.end();
    return this.#pieces;
  }

  /** An entry for each text that is longer by a character than the range's. */
  #writeEntries(range: Range, text: readonly string[]): void {
    for (const child of this.#childrenOf(range)) {
      const posts = this.#collect(child, undefined).slice();
      const own = [...text, String.fromCodePoint(child.character)];
      const start = this.#writer.length;
      writeList(this.#writer, posts, this.#table.posts);
      this.#writer.align();
      let rest: { readonly range: Range; readonly label: readonly string[] } | undefined;
      if (posts.length > LEAF_POSTS) {
        const chain = this.#writeLabel(child, posts.length);
        if (posts.length > this.#mostTreePosts) {
          this.#writer.align();
          rest = { range: chain.range, label: chain.label.map((one) => String.fromCodePoint(one)) };
        } else this.#writeNode(chain, posts);
      }
      this.#entries.endEntry(start, own, posts.length);
      if (rest) this.#writeEntries(rest.range, [...own, ...rest.label]);
    }
  }

  /**
   * Characters that follow in all posts of a range and nothing else does: so many, then these, if they are few.
   *
   * @param count of its posts
   * @returns the range behind them, and its children
   */
  #writeLabel(
    from: Range,
    count: number,
  ): { readonly range: Range; readonly children: readonly Child[]; readonly label: readonly number[] } {
    const label: number[] = [];
    let range = from;
    let children = this.#childrenOf(range);
    for (;;) {
      const [child, other] = children;
      if (!child || other) break;
      const isSame = child.high - child.low === range.high - range.low;
      if (!isSame && this.#collect(child, undefined).length < count) break;
      label.push(child.character);
      range = child;
      children = this.#childrenOf(range);
    }
    this.#writer.writeNumber(label.length, 0);
    if (label.length <= LABEL_CHARACTERS) for (const one of label) this.#writer.writeNumber(one, 6);
    return { range, children, label };
  }

  /** The children of a node: which characters, in which of its posts; then what is below each, with its length before it. */
  #writeNode({ children }: { readonly children: readonly Child[] }, posts: Uint32Array): void {
    const writer = this.#writer;
    for (let i = 0; i < posts.length; i++) this.#rank[posts[i]!] = i;
    writer.writeNumber(children.length, 0);
    let before = -1;
    const inner: { readonly child: Child; readonly posts: Uint32Array }[] = [];
    for (const child of children) {
      if (before < 0) writer.writeNumber(child.character, 6);
      else writer.writeNumber(child.character - before - 1, 2);
      before = child.character;
      const ranks = this.#collect(child, posts.length);
      writer.writeNumber(ranks.length - 1, 0);
      if (ranks.length > LONG_LIST) writer.writeNumber(listLength(ranks, posts.length), 8);
      writeList(writer, ranks, posts.length);
      if (ranks.length > LEAF_POSTS) inner.push({ child, posts: ranks.map((rank) => posts[rank]!) });
    }
    writer.align();
    for (const { child, posts: own } of inner) {
      const start = writer.length;
      this.#writeNode(this.#writeLabel(child, own.length), own);
      writer.insert(start, lengthBytes(writer.length - start));
    }
  }

  /** Sorts a range by the next character. A suffix that ends here has none. */
  #childrenOf({ low, high, depth }: Range): Child[] {
    const { text } = this.#table;
    const [order, counts, sorting] = [this.#order, this.#counts, this.#sorting];
    if (depth === TERM_CHARACTERS) return [];
    const seen: number[] = [];
    for (let i = low; i < high; i++) {
      const character = text[order[i]! + depth]!;
      if (counts[character]!++ === 0) seen.push(character);
    }
    const children: Child[] = [];
    let at = low;
    seen.sort((a, b) => a - b);
    for (const character of seen) {
      const end = at + counts[character]!;
      counts[character] = at;
      if (character !== 0) children.push({ character: character - 1, low: at, high: end, depth: depth + 1 });
      at = end;
    }
    if (seen.length > 1) {
      for (let i = low; i < high; i++) {
        const suffix = order[i]!;
        sorting[counts[text[suffix + depth]!]!++] = suffix;
      }
      order.set(sorting.subarray(low, high), low);
    }
    for (const character of seen) counts[character] = 0;
    return children;
  }

  /**
   * The posts of a range.
   *
   * @param among how many posts the node has whose ranks are set: they are given as ranks; undefined: as positions
   * @returns ascending; good until the next call
   */
  #collect({ low, high }: Range, among: number | undefined): Uint32Array {
    const { wordAt, lists, postings } = this.#table;
    const order = this.#order;
    const rank = among === undefined ? undefined : this.#rank;
    const found = this.#found;
    const bits = this.#bits;
    let size = 0;
    if (high - low === 1) {
      const word = wordAt[order[low]!]!;
      const end = lists[word + 1]!;
      for (let i = lists[word]!; i < end; i++) found[size++] = rank ? rank[postings[i]!]! : postings[i]!;
      return found.subarray(0, size);
    }
    let least = bits.length;
    let most = 0;
    for (let at = low; at < high; at++) {
      const word = wordAt[order[at]!]!;
      const end = lists[word + 1]!;
      for (let i = lists[word]!; i < end; i++) {
        const one = rank ? rank[postings[i]!]! : postings[i]!;
        const place = one >>> 5;
        bits[place]! |= 1 << (one & 31);
        if (place < least) least = place;
        if (place > most) most = place;
      }
    }
    for (let place = least; place <= most; place++) {
      let word = bits[place]!;
      if (word === 0) continue;
      bits[place] = 0;
      for (const base = place * 32 + 31; word !== 0; word &= word - 1)
        found[size++] = base - Math.clz32(word & -word);
    }
    return found.subarray(0, size);
  }
}

/** The objects of the index of some words. */
export function* writeSuffixes(table: WordTable): Generator<IndexObject> {
  const joiner = new PieceJoiner();
  for (const unit of unitsOf(table)) yield* joiner.add(new UnitWriter(table, unit).write());
  yield* joiner.end();
}
