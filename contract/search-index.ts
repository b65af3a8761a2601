/**
 * Objects of kind `search`: for a run of positions (a segment) the distinct words of titles,
 * descriptions and tags, and for each word the positions of the posts that hold it.
 *
 * Whoever looks for a term finds the words it occurs in, and joins their lists. That is exact, for
 * terms of any length and in any script, and words grow only like the square root of the text. A single
 * letter occurs in so many words that its own list stands beside theirs.
 */
import { BitWriter, unpackBits } from './bits.ts';
import { readPostings, writePostings } from './postings.ts';

/** Sizes of segments. A post that is appended rewrites the last and smallest one alone. */
const SEGMENT_SIZES = [32_768, 8192, 2048, 512];

/** A segment that would be longer is written in parts, each with some of its words. In bytes of UTF-8. */
const PART_BYTES = 800_000;

/** A letter that occurs in more words of a segment than this has a list of its own. */
const WORDS_OF_LETTER = 4096;

/**
 * Where the search index is cut into segments: as many large ones as fit from the oldest post on, then
 * smaller ones. So segments are few (10 at most beside the largest), and the last is short.
 *
 * @param posts how many there are
 * @returns boundaries; segment i holds the positions from cut i up to cut i + 1
 */
export function searchCuts(posts: number): number[] {
  const cuts = [0];
  let at = 0;
  for (const size of SEGMENT_SIZES) {
    while (posts - at >= size) cuts.push((at += size));
  }
  if (at < posts) cuts.push(posts);
  return cuts;
}

/** A segment, or a part of one. */
export interface SearchPart {
  /** Posts of the segment. */
  readonly posts: number;
  /** The words, sorted by code unit, each followed by a space. */
  readonly words: string;
  /** Where each word begins in `words`; one more entry for the end. */
  readonly starts: Uint32Array;
  /** Where each word's list begins in `postings`; one more entry for the end. */
  readonly lists: Uint32Array;
  /** Positions from the segment's first, ascending within a list. */
  readonly postings: Uint16Array;
  /** In the first part: the lists of letters that are in very many words, encoded. See decodeLetter. */
  readonly letters: ReadonlyMap<string, string>;
}

/** As a part stands in its object. */
interface EncodedPart {
  readonly posts: number;
  /** How many words, and how many positions in their lists. */
  readonly count: number;
  readonly size: number;
  readonly words: string;
  readonly postings: string;
  readonly letters: Readonly<Record<string, string>>;
}

/**
 * The objects of one segment.
 *
 * @param posts the words of each post, by position from the segment's first; repeats do no harm
 * @returns the text of each part, at least one
 */
export function encodeSegment(posts: Iterable<readonly string[]>): string[] {
  const index = invert(posts);
  const parts: string[] = [];
  const bits = new BitWriter();
  let letters = encodeLetters(index);
  let [words, bytes, previous] = ['', JSON.stringify(letters).length, ''];
  let from = 0;
  const endPart = (to: number) => {
    const size = index.lists[to]! - index.lists[from]!;
    const part = { posts: index.posts, count: to - from, size, words, postings: bits.take(), letters };
    parts.push(JSON.stringify(part satisfies EncodedPart));
    [letters, words, bytes, previous, from] = [{}, '', 0, '', to];
  };
  for (const [i, word] of index.words.entries()) {
    if (bytes + bits.length > PART_BYTES) endPart(i);
    const written = frontCoded(word, previous);
    words += written;
    bytes += jsonLength(written);
    previous = word;
    writePostings(bits, index.postings.subarray(index.lists[i], index.lists[i + 1]), index.posts);
  }
  endPart(index.words.length);
  return parts;
}

/** Reads a part that encodeSegment wrote. */
export function decodePart(text: string): SearchPart {
  const {
    posts,
    count,
    size,
    words: encoded,
    postings: encodedLists,
    letters,
  }: EncodedPart = JSON.parse(text);
  const { words, starts } = decodeWords(encoded, count);
  const lists = new Uint32Array(count + 1);
  const postings = new Uint16Array(size);
  readPostings(unpackBits(encodedLists), 0, posts, postings, lists);
  return { posts, words, starts, lists, postings, letters: new Map(Object.entries(letters)) };
}

/** The words of a segment, sorted; the list of word i are the postings from `lists[i]` up to `lists[i + 1]`. */
interface InvertedIndex {
  readonly posts: number;
  readonly words: readonly string[];
  readonly lists: Uint32Array;
  readonly postings: Uint16Array;
}

function invert(posts: Iterable<readonly string[]>): InvertedIndex {
  // Words are numbered as they come, so that the many occurrences are handled as numbers.
  const numbers = new Map<string, number>();
  const words: string[] = [];
  const counts: number[] = [];
  const lastPost: number[] = [];
  const occurrences: number[] = [];
  const ends: number[] = [];
  for (const post of posts) {
    const position = ends.length;
    for (const word of post) {
      let number = numbers.get(word);
      if (number === undefined) {
        numbers.set(word, (number = words.length));
        words.push(word);
        counts.push(0);
        lastPost.push(-1);
      }
      if (lastPost[number] === position) continue;
      lastPost[number] = position;
      counts[number]! += 1;
      occurrences.push(number);
    }
    ends.push(occurrences.length);
  }

  const sorted = words.map((_, number) => number).sort((a, b) => (words[a]! < words[b]! ? -1 : 1));
  const lists = new Uint32Array(words.length + 1);
  const next = new Uint32Array(words.length);
  for (const [i, number] of sorted.entries()) {
    next[number] = lists[i]!;
    lists[i + 1] = lists[i]! + counts[number]!;
  }
  const postings = new Uint16Array(occurrences.length);
  let at = 0;
  for (const [position, end] of ends.entries()) {
    for (; at < end; at++) postings[next[occurrences[at]!]!++] = position;
  }
  return { posts: ends.length, words: sorted.map((number) => words[number]!), lists, postings };
}

/*
 * Sorted words share their beginnings. Each is written as a capital letter that says how many code units
 * it shares with the one before (A: none), and the rest. Words are in lower case, so a capital letter
 * also ends the word before.
 */
const NOTHING_SHARED = 0x41; // A
const MOST_SHARED = 25; // Z

function frontCoded(word: string, previous: string): string {
  let shared = 0;
  const most = Math.min(MOST_SHARED, word.length, previous.length);
  while (shared < most && word.charCodeAt(shared) === previous.charCodeAt(shared)) shared++;
  if (isLowSurrogate(word.charCodeAt(shared))) shared--; // A character is never cut in two.
  return String.fromCharCode(NOTHING_SHARED + shared) + word.slice(shared);
}

function decodeWords(encoded: string, count: number): Pick<SearchPart, 'words' | 'starts'> {
  const starts = new Uint32Array(count + 1);
  let units = new Uint16Array(2 * encoded.length);
  let [at, word, start] = [0, -1, 0];
  for (let i = 0; i < encoded.length; i++) {
    if (at + MOST_SHARED + 2 > units.length) units = grown(units);
    const unit = encoded.charCodeAt(i);
    if (unit < NOTHING_SHARED || unit > NOTHING_SHARED + MOST_SHARED) {
      units[at++] = unit;
      continue;
    }
    if (word >= 0) units[at++] = 0x20;
    starts[++word] = at;
    for (let shared = unit - NOTHING_SHARED; shared > 0; shared--) units[at++] = units[start++]!;
    start = starts[word]!;
  }
  if (word >= 0) units[at++] = 0x20;
  starts[count] = at;
  return { words: new TextDecoder('utf-16le').decode(units.subarray(0, at)), starts };
}

function grown(units: Uint16Array<ArrayBuffer>): Uint16Array<ArrayBuffer> {
  const larger = new Uint16Array(2 * units.length + 64);
  larger.set(units);
  return larger;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Bytes that a well-formed text takes in UTF-8 within a JSON string, at most. */
function jsonLength(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
    else if (unit < 0x20) bytes += 5;
    else if (unit === 0x22 || unit === 0x5c) bytes += 1;
  }
  return bytes;
}

/** The list of each letter that is in very many words: of the posts that have it, or of those that have not. */
function encodeLetters({ posts, words, lists, postings }: InvertedIndex): Record<string, string> {
  const wordsOf = new Map<string, number[]>();
  for (const [i, word] of words.entries()) {
    for (const letter of new Set(word)) {
      const known = wordsOf.get(letter);
      if (known) known.push(i);
      else wordsOf.set(letter, [i]);
    }
  }
  const frequent = [...wordsOf].filter(([, of]) => of.length > WORDS_OF_LETTER);
  frequent.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    frequent.map(([letter, of]) => {
      const has = new Uint8Array(posts);
      for (const word of of) for (let i = lists[word]!; i < lists[word + 1]!; i++) has[postings[i]!] = 1;
      return [letter, encodeLetter(has)];
    }),
  );
}

function encodeLetter(has: Uint8Array): string {
  const count = has.reduce((sum, one) => sum + one, 0);
  const listed = 2 * count <= has.length ? 1 : 0;
  const positions: number[] = [];
  for (const [position, one] of has.entries()) if (one === listed) positions.push(position);
  const bits = new BitWriter();
  bits.write(listed, 1);
  bits.write(positions.length > 0 ? 1 : 0, 1);
  if (positions.length > 0) writePostings(bits, Uint16Array.from(positions), has.length);
  return bits.take();
}

/**
 * Reads a letter's list.
 *
 * @param posts of the segment
 * @returns one bit a position, 32 to a word
 */
export function decodeLetter(text: string, posts: number): Uint32Array {
  const found = new Uint32Array((posts + 31) >>> 5);
  const bits = unpackBits(text);
  const [listed, isEmpty] = [bits[0]! >>> 31 === 1, ((bits[0]! >>> 30) & 1) === 0];
  const [positions, lists] = [new Uint16Array(posts), new Uint32Array(2)];
  if (!isEmpty) readPostings(bits, 2, posts, positions, lists);
  if (!listed) {
    found.fill(0xffffffff);
    if (posts % 32 > 0) found[found.length - 1] = 2 ** (posts % 32) - 1;
  }
  for (let i = 0; i < lists[1]!; i++) found[positions[i]! >>> 5]! ^= 1 << (positions[i]! & 31);
  return found;
}
