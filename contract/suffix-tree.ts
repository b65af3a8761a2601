/**
 * Objects of kind `suffixes`: in which posts a text occurs, for every text that occurs in more than a few. Together they
 * are a tree of the suffixes of all words (docs/search-index.md says how it is written).
 *
 * A post whose words hold "harbour" has the suffixes "harbour", "arbour", "rbour" …, so a term occurs in it exactly when
 * one of its suffixes begins with the term. Each node of the tree stands for a beginning of suffixes, and has the list of
 * posts in which it occurs. A node of few posts has no children: whether a longer term occurs in them is read in
 * their summaries.
 */
import { BitReader } from './bit-reader.ts';
import { readList, readMembers, skipList } from './postings.ts';

/** The posts of the index are a multiple of these: the others are searched in their summaries, on at most five pages. */
const POSTS_STEP = 250;

/** A node of at most so many posts has no children. */
export const LEAF_POSTS = 8;

/** A longer list of a child has its length before it, so that a reader skips it at once. */
export const LONG_LIST = 64;

/** Characters of a label (see readLabel) that are written. */
export const LABEL_CHARACTERS = 16;

/**
 * Characters (code points) that a term has at most: MAX_QUERY_CHARACTERS, each of which NFKC makes into six at most
 * without a space between them.
 */
export const TERM_CHARACTERS = 600;

/** How many posts, from the first on, have their words in the index. */
export function indexedPosts(posts: number): number {
  return posts - (posts % POSTS_STEP);
}

/**
 * The entry of a text in more posts has no tree: texts that are longer by a character have entries of their own. An eighth
 * of the posts, as a power of two, so that it seldom changes.
 */
export function mostTreePosts(indexed: number): number {
  return Math.min(32_768, Math.max(1024, 2 ** (28 - Math.clz32(indexed))));
}

/** Where a term occurs. */
export interface Occurrences {
  /** One bit for each indexed post, 32 to a word. */
  readonly posts: Uint32Array;
  /** How many they are. */
  readonly count: number;
  /**
   * What is left to find out from the texts of these posts. `none`: it occurs in all of them. `one`: in all or in
   * none. `each`: perhaps in some, and they are at most LEAF_POSTS.
   */
  readonly check: 'none' | 'one' | 'each';
}

export const NOWHERE: Occurrences = { posts: new Uint32Array(), count: 0, check: 'none' };

/** A text, and the posts in which it occurs. */
export interface Entry {
  readonly text: string;
  readonly count: number;
  /** The byte at which its list begins; where that ends and the tree begins; and where that ends. */
  readonly list: number;
  readonly tree: number;
  readonly end: number;
}

/** The bytes are not a part of an index. */
class SuffixesFaulty extends Error {
  override name = 'SuffixesFaulty';
  constructor(detail: string) {
    super(`These bytes are not a part of a search index: ${detail}.`);
  }
}

/** The entries of an object. @throws SuffixesFaulty, RangeError */
export function readEntries(bytes: Uint8Array, bits = new BitReader(bytes)): Entry[] {
  const entries: Entry[] = [];
  let characters: string[] = [];
  let before: Entry | undefined;
  while (bits.place < 8 * bytes.length) {
    characters = characters.slice(0, bits.readLength());
    for (let rest = bits.readLength(); rest > 0; rest--)
      characters.push(String.fromCodePoint(bits.readLength()));
    const text = characters.join('');
    const count = bits.readLength();
    if (text === '' || (count === 0 && !before)) throw new SuffixesFaulty('an entry is empty');
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
  if (bits.place !== 8 * bytes.length) throw new SuffixesFaulty('the last entry is cut off');
  return entries;
}

/**
 * Reads the label of a node: characters that follow in all its posts, and nothing else does.
 *
 * @returns how many, and which; many are not written
 */
export function readLabel(bits: BitReader): {
  readonly length: number;
  readonly written?: readonly number[];
} {
  const length = bits.readNumber(0);
  if (length > LABEL_CHARACTERS) return { length };
  return { length, written: Array.from({ length }, () => bits.readNumber(6)) };
}

/** A child of a node, behind a character. */
export interface EncodedChild {
  readonly character: number;
  /** Its posts by their place among those of the node, ascending. */
  readonly ranks: Uint32Array;
  /** The bytes of what is below it. Of a leaf they are empty. */
  start: number;
  end: number;
}

/**
 * Reads the children of a node, which follow its label.
 *
 * @param all posts of the node
 * @param wanted the character of the only child that is needed; undefined: all are
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

/** One object: the entries of some texts, sorted by code point, among all those of the index. */
export class Suffixes {
  readonly #bits: BitReader;
  readonly #entries: ReadonlyMap<string, Entry>;

  /** @throws SuffixesFaulty, RangeError */
  constructor(bytes: Uint8Array) {
    this.#bits = new BitReader(bytes);
    this.#entries = new Map(readEntries(bytes, this.#bits).map((entry) => [entry.text, entry]));
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

  /** @param term the characters behind the text of the entry */
  #findIn({ count, list, tree, end }: Entry, term: readonly number[], indexed: number): Occurrences {
    const bits = this.#bits;
    bits.place = 8 * list;
    if (term.length === 0) return { posts: readList(bits, count, indexed), count, check: 'none' };
    if (count <= LEAF_POSTS) return { posts: readList(bits, count, indexed), count, check: 'each' };
    if (tree === end) return NOWHERE; // It would have an entry of its own.
    const posts = readMembers(bits, count, indexed);
    bits.place = 8 * tree;
    return findBelow(bits, posts, term, (indexed + 31) >>> 5);
  }
}

/**
 * Follows a term down the tree of an entry.
 *
 * @param bits where the tree begins
 * @param from the posts of the entry, ascending
 * @param words of 32 bits in a result
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
  for (const post of posts) found[post >>> 5]! |= 1 << (post & 31);
  const count = posts.length;
  if (isSure && at >= term.length) return { posts: found, count, check: 'none' };
  return { posts: found, count, check: count <= LEAF_POSTS ? 'each' : 'one' };
}

/**
 * The place of the object in which the entry of a term would be.
 *
 * @param objects for each the text of its first entry, ascending
 * @returns -1: the term occurs nowhere
 */
export function placeOf(objects: readonly (readonly [first: string, ...unknown[]])[], term: string): number {
  let [low, high] = [0, objects.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareCodePoints(objects[middle]![0], term) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Texts by code points, as their UTF-8 compares. Surrogates stand below U+E000, and mean what is above U+FFFF. */
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
