/**
 * Objects of kind `suffixes`: the posts in which a text occurs, for every text that occurs in more than a few. Together
 * they are a tree of the suffixes of all words (format: docs/contributors/search-index.md).
 *
 * A post with the word "harbour" has the suffixes "harbour", "arbour", "rbour" …. A term occurs in it exactly when one
 * of its suffixes starts with the term. Each node of the tree represents a prefix of suffixes, and lists the posts in
 * which it occurs. A node with few posts has no children: for longer terms, the summaries of these posts are searched.
 */
import { countBefore } from '../binary-search.ts';
import { BitReader } from './bit-reader.ts';
import { intersect, setBit, wordsFor } from '../bitmap.ts';
import { readList, readMembers, skipList } from './postings.ts';

/** The index covers a multiple of this number of posts. The others are searched in summaries, on five pages at most. */
const POSTS_STEP = 250;

/** The most posts of a node without children. */
export const LEAF_POSTS = 8;

/** A child's list with more posts is preceded by its length, so that readers can skip it. */
export const LONG_LIST = 64;

/** A longer label (see readLabel) is not written. */
export const LABEL_CHARACTERS = 16;

/**
 * The most characters (code points) of a term: MAX_QUERY_CHARACTERS, each of which NFKC expands to six at most without
 * a space.
 */
export const TERM_CHARACTERS = 600;

/** How many posts, from the first on, the index covers. */
export function indexedPosts(posts: number): number {
  return posts - (posts % POSTS_STEP);
}

/**
 * If a text occurs in more posts, its entry has no tree: texts longer by one character have their own entries. An
 * eighth of the posts, as a power of two, so that it rarely changes.
 */
export function maxTreePosts(indexed: number): number {
  return Math.min(32_768, Math.max(1024, 2 ** (28 - Math.clz32(indexed))));
}

/** The posts in which a term occurs, or may occur. */
export interface Occurrences {
  /** One bit for each indexed post, 32 to a word. */
  readonly posts: Uint32Array;
  /** The number of these posts. */
  readonly count: number;
  /**
   * Which summaries to check. `none`: the term occurs in all of these posts. `one`: in all or in none, so check one.
   * `each`: in some at most, so check each of them; there are LEAF_POSTS at most.
   */
  readonly check: 'none' | 'one' | 'each';
}

export const NOWHERE: Occurrences = { posts: new Uint32Array(), count: 0, check: 'none' };

/** The posts in which all terms occur, or may occur, and which summaries to check for all terms. */
export function inAll(occurrences: readonly Occurrences[]): Pick<Occurrences, 'posts' | 'check'> {
  const [first, ...others] = occurrences;
  if (!first || occurrences.some(({ count }) => count === 0)) return NOWHERE;
  if (others.length === 0) return first;
  const posts = first.posts.slice();
  for (const other of others) intersect(posts, other.posts);
  const check = (['each', 'one'] as const).find((open) => occurrences.some((one) => one.check === open));
  return { posts, check: check ?? 'none' };
}

/** A text and the posts in which it occurs. */
interface IndexEntry {
  readonly text: string;
  readonly count: number;
  /** Byte offsets: of its list, of its tree, which follows the list, and of the tree's end. */
  readonly list: number;
  readonly tree: number;
  readonly end: number;
}

/** The entries of an object. @throws RangeError */
export function decodeEntries(bytes: Uint8Array, bits = new BitReader(bytes)): IndexEntry[] {
  const entries: IndexEntry[] = [];
  let characters: string[] = [];
  let before: IndexEntry | undefined;
  while (bits.place < 8 * bytes.length) {
    characters = characters.slice(0, bits.readLength());
    for (let rest = bits.readLength(); rest > 0; rest--)
      characters.push(String.fromCodePoint(bits.readLength()));
    const text = characters.join('');
    const count = bits.readLength();
    if (count === 0 && before) before = { ...before, text };
    else {
      const [listBytes, treeBytes] = [bits.readLength(), bits.readLength()];
      const list = bits.place >>> 3;
      const tree = list + listBytes;
      before = { text, count, list, tree, end: tree + treeBytes };
      bits.place = 8 * before.end;
    }
    entries.push(before);
  }
  if (bits.place !== 8 * bytes.length)
    throw new RangeError('the last entry of a part of the search index is cut off');
  return entries;
}

/**
 * Reads the label of a node: the only characters that follow it, in all its posts.
 *
 * @returns their number, and the characters themselves unless there are more than LABEL_CHARACTERS
 */
export function readLabel(bits: BitReader): {
  readonly length: number;
  readonly written?: readonly number[];
} {
  const length = bits.readNumber(0);
  if (length > LABEL_CHARACTERS) return { length };
  return { length, written: Array.from({ length }, () => bits.readNumber(6)) };
}

/** A child of a node. */
interface EncodedChild {
  readonly character: number;
  /** Its posts, by their index in the list of the node, ascending. */
  readonly ranks: Uint32Array;
  /** The byte offsets of its subtree, which is empty for a leaf. */
  start: number;
  end: number;
}

/**
 * Reads the children of a node, which follow its label.
 *
 * @param all posts of the node
 * @param wanted the character of the only child to read; undefined: all children
 */
export function readChildren(bits: BitReader, all: number, wanted?: number): EncodedChild[] {
  const found: EncodedChild[] = [];
  const inner: (EncodedChild | undefined)[] = [];
  let character = -1;
  for (let children = bits.readNumber(0); children > 0; children--) {
    character = character < 0 ? bits.readNumber(6) : character + 1 + bits.readNumber(2);
    const count = bits.readNumber(0) + 1;
    const length = count > LONG_LIST ? bits.readNumber(8) : undefined;
    let child: EncodedChild | undefined;
    if (wanted === undefined || wanted === character) {
      child = { character, ranks: readMembers(bits, count, all), start: 0, end: 0 };
      found.push(child);
    } else if (length === undefined) skipList(bits, count, all);
    else bits.place += length;
    if (count > LEAF_POSTS) inner.push(child);
  }
  bits.align();
  for (const child of inner) {
    const length = bits.readLength();
    if (child) [child.start, child.end] = [bits.place >>> 3, (bits.place >>> 3) + length];
    bits.place += 8 * length;
  }
  return found;
}

/** One object of the index: a range of its entries, sorted by code point. */
export class Suffixes {
  readonly #bits: BitReader;
  readonly #entries: ReadonlyMap<string, IndexEntry>;

  /** @throws RangeError */
  constructor(bytes: Uint8Array) {
    this.#bits = new BitReader(bytes);
    this.#entries = new Map(decodeEntries(bytes, this.#bits).map((entry) => [entry.text, entry]));
  }

  /**
   * @param term normalised, without white space
   * @param indexed posts of the whole index
   */
  find(term: string, indexed: number): Occurrences {
    const characters = Array.from(term);
    for (let length = characters.length; length > 0; length--) {
      const entry = this.#entries.get(characters.slice(0, length).join(''));
      if (!entry) continue;
      const rest = characters.slice(length).map((character) => character.codePointAt(0) ?? 0);
      return this.#findIn(entry, rest, indexed);
    }
    return NOWHERE;
  }

  /** @param term the characters after the text of the entry */
  #findIn({ count, list, tree, end }: IndexEntry, term: readonly number[], indexed: number): Occurrences {
    const bits = this.#bits;
    bits.place = 8 * list;
    if (term.length === 0) return { posts: readList(bits, count, indexed), count, check: 'none' };
    if (count <= LEAF_POSTS) return { posts: readList(bits, count, indexed), count, check: 'each' };
    if (tree === end) return NOWHERE; // A longer text would have its own entry.
    const posts = readMembers(bits, count, indexed);
    bits.place = 8 * tree;
    return findBelow(bits, posts, term, wordsFor(indexed));
  }
}

/**
 * Follows a term down the tree of an entry.
 *
 * @param bits at the start of the tree
 * @param from the posts of the entry, ascending
 * @param words of 32 bits in the result
 */
function findBelow(bits: BitReader, from: Uint32Array, term: readonly number[], words: number): Occurrences {
  let [posts, at, isSure] = [from, 0, true];
  while (at < term.length && posts.length > LEAF_POSTS) {
    const { length, written } = readLabel(bits);
    if (written?.some((character, i) => at + i < term.length && character !== term[at + i])) return NOWHERE;
    at += length;
    isSure &&= written !== undefined;
    if (at >= term.length) break;
    const [child] = readChildren(bits, posts.length, term[at]);
    if (!child) return NOWHERE;
    const { ranks } = child;
    for (let i = 0; i < ranks.length; i++) ranks[i] = posts[ranks[i]!]!;
    posts = ranks;
    bits.place = 8 * child.start;
    at += 1;
  }
  const found = new Uint32Array(words);
  for (const post of posts) setBit(found, post);
  const count = posts.length;
  if (isSure && at >= term.length) return { posts: found, count, check: 'none' };
  return { posts: found, count, check: count <= LEAF_POSTS ? 'each' : 'one' };
}

/**
 * The index of the object that would contain the entry of a term.
 *
 * @param objects the text of the first entry of each, ascending
 * @returns -1: the term occurs nowhere
 */
export function findObjectIndex(
  objects: readonly (readonly [first: string, ...unknown[]])[],
  term: string,
): number {
  return countBefore(objects.length, (i) => compareCodePoints(objects[i]![0], term) <= 0) - 1;
}

/** Compares by code points, like UTF-8 bytes. Surrogates are below U+E000, but encode characters above U+FFFF. */
export function compareCodePoints(a: string, b: string): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) return (isSurrogate(x) ? x + 0x10000 : x) - (isSurrogate(y) ? y + 0x10000 : y);
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xe000;
}
