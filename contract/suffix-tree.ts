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

/** Characters of a label (see Label) that are written. */
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

/** The entry of a text in more posts has no tree: texts that are longer by a character have entries of their own. */
export function mostTreePosts(indexed: number): number {
  return Math.min(32_768, Math.max(1024, indexed >>> 3));
}

/** Where a term occurs. */
export interface Occurrences {
  /** One bit for each indexed post, 32 to a word. */
  readonly posts: Uint32Array;
  /**
   * What is left to find out from the texts of these posts. `none`: it occurs in all of them. `one`: in all or in
   * none. `each`: perhaps in some, and they are at most LEAF_POSTS.
   */
  readonly check: 'none' | 'one' | 'each';
}

/** A text, and the posts in which it occurs. */
interface Entry {
  readonly count: number;
  /** The bit at which its list begins. */
  readonly start: number;
}

/** The bytes are not a part of an index. */
class SuffixesFaulty extends Error {
  override name = 'SuffixesFaulty';
  constructor(detail: string) {
    super(`These bytes are not a part of a search index: ${detail}.`);
  }
}

/** One object: the entries of some texts, sorted by code point, among all those of the index. */
export class Suffixes {
  readonly #bits: BitReader;
  readonly #entries = new Map<string, Entry>();

  /** @throws SuffixesFaulty */
  constructor(bytes: Uint8Array) {
    const bits = (this.#bits = new BitReader(bytes));
    let before: string[] = [];
    while (bits.place < 8 * bytes.length) {
      const text = before.slice(0, bits.readLength());
      for (let rest = bits.readLength(); rest > 0; rest--) text.push(String.fromCodePoint(bits.readLength()));
      const count = bits.readLength();
      const length = bits.readLength();
      const start = bits.place;
      bits.place += 8 * length;
      if (count === 0 || text.length === 0) throw new SuffixesFaulty('an entry is empty');
      this.#entries.set(text.join(''), { count, start });
      before = text;
    }
    if (bits.place !== 8 * bytes.length) throw new SuffixesFaulty('the last entry is cut off');
  }

  /**
   * @param term normalised, without white space
   * @param indexed posts of the whole index
   * @returns undefined: it occurs nowhere
   */
  find(term: string, indexed: number): Occurrences | undefined {
    const characters = Array.from(term);
    for (let length = characters.length; length > 0; length--) {
      const entry = this.#entries.get(characters.slice(0, length).join(''));
      if (!entry) continue;
      const rest = characters.slice(length).map((character) => character.codePointAt(0) ?? 0);
      return this.#findIn(entry, rest, indexed);
    }
    return undefined;
  }

  /** @param term the characters behind the text of the entry */
  #findIn({ count, start }: Entry, term: readonly number[], indexed: number): Occurrences | undefined {
    const bits = this.#bits;
    bits.place = start;
    if (term.length > 0 && count > LEAF_POSTS && count <= mostTreePosts(indexed)) {
      const posts = readMembers(bits, count, indexed);
      bits.align();
      return findBelow(bits, posts, term, (indexed + 31) >>> 5);
    }
    const posts = readList(bits, count, indexed);
    if (term.length === 0) return { posts, check: 'none' };
    if (count <= LEAF_POSTS) return { posts, check: 'each' };
    bits.align();
    const label = readLabel(bits, term, 0);
    return label && label.length >= term.length
      ? { posts, check: label.isWritten ? 'none' : 'one' }
      : undefined;
  }
}

/**
 * Follows a term down the tree of an entry.
 *
 * @param bits where the tree begins
 * @param from the posts of the entry, ascending
 * @param words of 32 bits in a result
 */
function findBelow(
  bits: BitReader,
  from: Uint32Array,
  term: readonly number[],
  words: number,
): Occurrences | undefined {
  let [posts, at, isSure] = [from, 0, true];
  for (;;) {
    const label = readLabel(bits, term, at);
    if (!label) return undefined;
    at += label.length;
    isSure &&= label.isWritten;
    if (at >= term.length) break;
    const child = readChild(bits, posts, term[at]!);
    if (!child) return undefined;
    posts = child;
    at += 1;
    if (posts.length <= LEAF_POSTS) {
      isSure &&= at === term.length;
      break;
    }
    if (at === term.length) break;
  }
  const found = new Uint32Array(words);
  for (const position of posts) found[position >>> 5]! |= 1 << (position & 31);
  return { posts: found, check: isSure ? 'none' : posts.length <= LEAF_POSTS ? 'each' : 'one' };
}

/**
 * Characters that follow in all posts of a node, and nothing else does. Many are not written.
 *
 * @returns undefined: the term has others
 */
function readLabel(
  bits: BitReader,
  term: readonly number[],
  at: number,
): { readonly length: number; readonly isWritten: boolean } | undefined {
  const length = bits.readNumber(0);
  if (length > LABEL_CHARACTERS) return { length, isWritten: false };
  for (let i = 0; i < length; i++) {
    const character = bits.readNumber(6);
    if (at + i < term.length && character !== term[at + i]) return undefined;
  }
  return { length, isWritten: true };
}

/**
 * Goes to the child of a node that a character leads to.
 *
 * @param posts of the node
 * @returns the posts of the child; undefined: there is no such child
 */
function readChild(bits: BitReader, posts: Uint32Array, wanted: number): Uint32Array | undefined {
  let found: Uint32Array | undefined;
  let [inner, before] = [0, 0];
  let character = -1;
  for (let children = bits.readNumber(0); children > 0; children--) {
    character = character < 0 ? bits.readNumber(6) : character + 1 + bits.readNumber(2);
    const count = bits.readNumber(0) + 1;
    const length = count > LONG_LIST ? bits.readNumber(8) : undefined;
    if (character === wanted) {
      found = readMembers(bits, count, posts.length);
      for (let i = 0; i < count; i++) found[i] = posts[found[i]!]!;
      before = inner;
    } else if (length === undefined) skipList(bits, count, posts.length);
    else bits.place += length;
    if (count > LEAF_POSTS) inner += 1;
  }
  if (!found || found.length <= LEAF_POSTS) return found;
  bits.align();
  for (; before > 0; before--) {
    const length = bits.readLength();
    bits.place += 8 * length;
  }
  bits.readLength();
  return found;
}

/**
 * The object in which the entry of a term would be.
 *
 * @param objects for each the text of its first entry, ascending
 * @returns undefined: the term occurs nowhere
 */
export function objectOf<Hash>(
  objects: readonly (readonly [first: string, hash: Hash])[],
  term: string,
): Hash | undefined {
  let [low, high] = [0, objects.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareCodePoints(objects[middle]![0], term) <= 0) low = middle + 1;
    else high = middle;
  }
  return objects[low - 1]?.[1];
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
