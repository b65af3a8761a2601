import { decodeLetter, type SearchPart } from '../../contract/search-index.ts';
import { BLOCK_WORDS } from '../../contract/search-words.ts';
import { lowestBit } from './position-bits.ts';

const SPACE = 0x20;

/** Sets of blocks, one for all trigrams, or all letters, of the same hash. */
const TRIGRAM_BITS = 12;
const LETTER_BITS = 9;

/**
 * A part of the search index, ready to be asked in which of its posts a term occurs.
 *
 * The words are joined to long strings, so the engine's own string search finds a term in them. Looking
 * through all of them for a rare word would take as long as the blog is large, so there is a filter: for each
 * trigram and each letter, which blocks of words it may occur in. A term is looked for only where all
 * that it consists of may be. The filter never misses a block. It is made here, and takes no space in the snapshot.
 */
export class WordIndex {
  readonly #part: SearchPart;
  /** The filter: for each hash of a trigram, or of a letter, a set of blocks, one after the other. */
  readonly #trigrams: Uint32Array;
  readonly #letters: Uint32Array;
  /** Words of 32 bits in a set of blocks. */
  readonly #width: number;

  constructor(part: SearchPart) {
    this.#part = part;
    const width = (this.#width = Math.ceil((part.starts.length - 1) / BLOCK_WORDS / 32));
    const trigrams = (this.#trigrams = new Uint32Array(width << TRIGRAM_BITS));
    const letters = (this.#letters = new Uint32Array(width << LETTER_BITS));
    for (const [block, text] of part.blocks.entries()) {
      const [at, bit] = [block >>> 5, 1 << (block & 31)];
      let a = SPACE;
      let b = SPACE;
      for (let i = 0; i < text.length; i++) {
        const c = text.charCodeAt(i);
        if (c === SPACE) a = SPACE;
        else {
          letters[hashLetter(c) * width + at]! |= bit;
          if (a !== SPACE) trigrams[hashTrigram(a, b, c) * width + at]! |= bit;
          a = b;
        }
        b = c;
      }
    }
  }

  /** Bits of the segment's posts that hold a letter; undefined where it has no list of its own. */
  letter(term: string): Uint32Array | undefined {
    const encoded = this.#part.letters.get(term);
    return encoded === undefined ? undefined : decodeLetter(encoded, this.#part.posts);
  }

  /**
   * Sets the bits of the posts of each word in which the term occurs.
   *
   * @param term not empty, without white space
   * @param found one bit a post of the segment
   */
  addPostsWith(term: string, found: Uint32Array): void {
    const blocks = this.#candidates(term);
    for (let i = 0; i < blocks.length; i++) {
      for (let rest = blocks[i]!; rest !== 0; rest &= rest - 1) {
        this.#scan(term, i * 32 + lowestBit(rest), found);
      }
    }
  }

  /** The blocks in which all that the term consists of may occur: one bit a block. */
  #candidates(term: string): Uint32Array {
    const blocks = new Uint32Array(this.#width).fill(0xffffffff);
    for (let i = 0; i < term.length; i++) {
      const c = term.charCodeAt(i);
      if (term.length < 3) this.#keep(blocks, this.#letters, hashLetter(c));
      else if (i >= 2)
        this.#keep(blocks, this.#trigrams, hashTrigram(term.charCodeAt(i - 2), term.charCodeAt(i - 1), c));
    }
    return blocks;
  }

  #keep(blocks: Uint32Array, sets: Uint32Array, bucket: number): void {
    const from = bucket * this.#width;
    for (let i = 0; i < blocks.length; i++) blocks[i]! &= sets[from + i]!;
  }

  /** Looks through the words of one block. */
  #scan(term: string, block: number, found: Uint32Array): void {
    const { blocks, starts, lists, postings } = this.#part;
    let word = block * BLOCK_WORDS;
    const last = Math.min(word + BLOCK_WORDS, starts.length - 1);
    const offset = starts[word]!;
    const text = blocks[block]!;
    for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, starts[word]! - offset)) {
      word = wordAt(starts, at + offset, word, last);
      for (let i = lists[word]!; i < lists[word + 1]!; i++) {
        const position = postings[i]!;
        found[position >>> 5]! |= 1 << (position & 31);
      }
      word += 1;
    }
  }
}

function hashTrigram(a: number, b: number, c: number): number {
  return (
    (Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35)) >>> (32 - TRIGRAM_BITS)
  );
}

function hashLetter(unit: number): number {
  return Math.imul(unit, 0x9e3779b1) >>> (32 - LETTER_BITS);
}

/** The word that a character belongs to: steps that double, then halve, since hits come close together. */
function wordAt(starts: Uint32Array, at: number, from: number, end: number): number {
  let step = 1;
  while (from + step < end && starts[from + step]! <= at) step *= 2;
  let low = from;
  let high = Math.min(from + step, end);
  while (low + 1 < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! <= at) low = middle;
    else high = middle;
  }
  return low;
}
