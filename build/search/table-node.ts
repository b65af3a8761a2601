import { LEAF_POSTS, TERM_CHARACTERS } from '../../contract/search/suffix-tree.ts';
import { allRanks, type Child, type Node, pick } from './node.ts';
import type { WordTable } from './words.ts';

/** For each character: the number of suffixes with it next, then their target index. All zeros between calls. */
const counts = new Uint32Array(0x110002);

/** The suffix tree of a table's words. Suffixes are sorted lazily, one character at a time. */
export class SuffixSorter {
  readonly table: WordTable;
  readonly #least: number;
  /** The start of each suffix in the text. */
  readonly #order: Uint32Array;
  readonly #sorting: Uint32Array;
  /** The rank of each post in the current node. */
  readonly #rank: Uint32Array;
  readonly #found: Uint32Array;
  /** All zeros between calls. */
  readonly #bits: Uint32Array;

  /**
   * @param unit the range of first characters of the suffixes
   * @param least a child with at most this many posts has no node
   */
  constructor(table: WordTable, { from, to }: Unit = EVERYTHING, least = LEAF_POSTS) {
    this.table = table;
    this.#least = least;
    const { text } = table;
    let size = 0;
    for (let at = 0; at < text.length; at++) if (text[at]! >= from && text[at]! < to) size += 1;
    this.#order = new Uint32Array(size);
    this.#sorting = new Uint32Array(size);
    for (let at = 0, i = 0; at < text.length; at++)
      if (text[at]! >= from && text[at]! < to) this.#order[i++] = at;
    this.#rank = new Uint32Array(table.posts);
    this.#found = new Uint32Array(table.posts);
    this.#bits = new Uint32Array((table.posts + 31) >>> 5);
  }

  /** The root node. */
  root(): TableNode {
    return new TableNode(this, 0, this.#order.length, 0, allRanks(this.table.posts));
  }

  /** The words with suffixes of a node, with duplicates. */
  suffixWords({ low, high }: TableNode): Uint32Array {
    return this.#order.subarray(low, high).map((suffix) => this.table.wordAt[suffix]!);
  }

  /** Sorts the suffixes of a node by their next character. Suffixes that end here are in no child. */
  sortIntoChildren({ low, high, depth, posts }: TableNode): TableChild[] {
    if (depth === TERM_CHARACTERS) return [];
    const { text } = this.table;
    const [order, sorting] = [this.#order, this.#sorting];
    const seen: number[] = [];
    for (let i = low; i < high; i++) {
      const character = text[order[i]! + depth]!;
      if (counts[character]!++ === 0) seen.push(character);
    }
    const [only, other] = seen;
    if (depth > 0 && only !== undefined && other === undefined) {
      // Fast path: all continue with the same character, as in long texts that are in many posts.
      counts[only] = 0;
      if (only === 0) return [];
      const node = new TableNode(this, low, high, depth + 1, posts);
      return [{ character: only - 1, ranks: allRanks(posts.length), node }];
    }
    const ends: number[] = [];
    let at = low;
    seen.sort((a, b) => a - b);
    for (const character of seen) {
      ends.push(at + counts[character]!);
      counts[character] = at;
      at = ends.at(-1)!;
    }
    for (let i = low; i < high; i++) {
      const suffix = order[i]!;
      sorting[counts[text[suffix + depth]!]!++] = suffix;
    }
    order.set(sorting.subarray(low, high), low);
    for (const character of seen) counts[character] = 0;
    for (let i = 0; i < posts.length; i++) this.#rank[posts[i]!] = i;
    return seen.flatMap((character, i) => {
      if (character === 0) return [];
      const [from, to] = [ends[i - 1] ?? low, ends[i]!];
      const ranks = this.#collectRanks(from, to);
      const isInner = ranks.length > this.#least;
      const node = isInner ? new TableNode(this, from, to, depth + 1, pick(posts, ranks)) : undefined;
      return { character: character - 1, ranks, node };
    });
  }

  /** The ranks of posts with a suffix in a range. */
  #collectRanks(low: number, high: number): Uint32Array {
    const { wordAt, lists, postings } = this.table;
    const [order, rank, found, bits] = [this.#order, this.#rank, this.#found, this.#bits];
    let size = 0;
    if (high - low === 1) {
      const word = wordAt[order[low]!]!;
      const end = lists[word + 1]!;
      for (let i = lists[word]!; i < end; i++) found[size++] = rank[postings[i]!]!;
      return found.slice(0, size);
    }
    let least = bits.length;
    let most = 0;
    for (let at = low; at < high; at++) {
      const word = wordAt[order[at]!]!;
      const end = lists[word + 1]!;
      for (let i = lists[word]!; i < end; i++) {
        const one = rank[postings[i]!]!;
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
    return found.slice(0, size);
  }
}

/** A range of characters, each plus one; `to` is exclusive. */
export interface Unit {
  readonly from: number;
  readonly to: number;
}

const EVERYTHING: Unit = { from: 1, to: Infinity };

/** A node of that tree: suffixes with the same first `depth` characters, and their posts. */
export class TableNode implements Node {
  readonly sorter: SuffixSorter;
  readonly low: number;
  readonly high: number;
  readonly depth: number;
  readonly posts: Uint32Array;

  constructor(sorter: SuffixSorter, low: number, high: number, depth: number, posts: Uint32Array) {
    this.sorter = sorter;
    this.low = low;
    this.high = high;
    this.depth = depth;
    this.posts = posts;
  }

  children(): readonly TableChild[] {
    return this.sorter.sortIntoChildren(this);
  }

  /** The words with its suffixes, with duplicates. */
  words(): Uint32Array {
    return this.sorter.suffixWords(this);
  }

  /** The descendant that a text leads to. @throws RangeError */
  below(text: string): TableNode {
    const [first, ...others] = text;
    if (first === undefined) return this;
    const child = this.children().find(({ character }) => character === first.codePointAt(0));
    if (!child?.node) throw new RangeError(`No node of the tree is below "${text}".`);
    return child.node.below(others.join(''));
  }
}

interface TableChild extends Child {
  readonly node: TableNode | undefined;
}

/** The number of tasks for building an index in threads. */
const UNITS = 24;

/** Divides an index into tasks of about equal work. */
export function divideIndex({ text, wordAt, lists }: WordTable): Unit[] {
  const weights = new Map<number, number>();
  let total = 0;
  for (const [at, character] of text.entries()) {
    if (character === 0) continue;
    const weight = lists[wordAt[at]! + 1]! - lists[wordAt[at]!]!;
    weights.set(character, (weights.get(character) ?? 0) + weight);
    total += weight;
  }
  const units: Unit[] = [];
  let [from, held] = [1, 0];
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
