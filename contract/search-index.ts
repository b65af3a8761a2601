/**
 * Objects of kind `search`: for a run of positions (a segment) the distinct words of titles,
 * descriptions and tags, and for each word the positions of the posts that hold it.
 *
 * A search finds the words that a term occurs in, and joins their lists. That is exact, for
 * terms of any length and in any script, and words grow only like the square root of the text. A single
 * letter occurs in so many words that it has its own list.
 */
import { BitWriter, unpackBits } from './bits.ts';
import { isNumber, isText, mapOf, parseJson, recordOf } from './json.ts';
import { readPostings, writePostings } from './postings.ts';
import { frontCoded, jsonLength, readWords } from './search-words.ts';

/** Sizes of segments. A post that is appended rewrites the last and smallest one alone. */
const SEGMENT_SIZES = [32_768, 8192, 2048, 512];

/** A segment that would be longer is written in parts, each with some of its words. In bytes of UTF-8. */
const PART_BYTES = 800_000;

/** A letter that occurs in more words of a segment than this has its own list. */
const WORDS_OF_LETTER = 4096;

/**
 * Where the search index is cut into segments: as many large ones as fit from the oldest post on, then
 * smaller ones. So segments are few (at most 10 besides the largest), and the last is short.
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
  /** The words, sorted by code unit, each followed by a space, BLOCK_WORDS to a text. */
  readonly blocks: readonly string[];
  /** Where each word would begin if the blocks were one text; one more entry for the end. */
  readonly starts: Uint32Array;
  /** Where each word's list begins in `postings`; one more entry for the end. */
  readonly lists: Uint32Array;
  /** Positions from the segment's first, ascending within a list. */
  readonly postings: Uint16Array;
  /** In the first part: the lists of letters that are in very many words, encoded. See decodeLetter. */
  readonly letters: ReadonlyMap<string, string>;
}

/** What an object of this kind begins with. The words follow, then the postings: see search-words.ts, postings.ts. */
interface PartHead {
  readonly posts: number;
  /** How many words there are. */
  readonly count: number;
  /** Code units of all words, with a space after each. */
  readonly length: number;
  /** How many positions are in the words' lists. */
  readonly size: number;
  readonly letters: Readonly<Record<string, string>>;
}

const isPartHead = recordOf<PartHead>({
  posts: isNumber,
  count: isNumber,
  length: isNumber,
  size: isNumber,
  letters: mapOf(isText),
});

interface EncodedPart extends PartHead {
  readonly words: string;
  readonly postings: string;
}

/** The bytes are not a segment of a search index. */
class SearchPartFaulty extends Error {
  override name = 'SearchPartFaulty';
  constructor() {
    super('These bytes are not a segment of a search index.');
  }
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
  let [from, length] = [0, 0];
  const endPart = (to: number) => {
    const size = index.lists[to]! - index.lists[from]!;
    const head: PartHead = { posts: index.posts, count: to - from, length, size, letters };
    parts.push(JSON.stringify({ ...head, words, postings: bits.take() } satisfies EncodedPart));
    [letters, words, bytes, previous, from, length] = [{}, '', 0, '', to, 0];
  };
  for (const [i, word] of index.words.entries()) {
    if (bytes + bits.length > PART_BYTES) endPart(i);
    const written = frontCoded(word, previous);
    words += written;
    length += word.length + 1;
    bytes += jsonLength(written);
    previous = word;
    writePostings(bits, index.postings.subarray(index.lists[i], index.lists[i + 1]), index.posts);
  }
  endPart(index.words.length);
  return parts;
}

/**
 * Reads a part that encodeSegment wrote, in UTF-8. A whole index is some 10 MB, and is read before the first
 * search is answered, so words and postings are taken from the bytes as they are: their texts would lie
 * about in memory three times over.
 *
 * @throws SearchPartFaulty
 */
export function decodePart(bytes: Uint8Array): SearchPart {
  const headEnd = indexOf(bytes, BEFORE_WORDS);
  const postingsAt = bytes.lastIndexOf(QUOTE, bytes.length - 3) + 1;
  if (headEnd < 0 || postingsAt < headEnd) throw new SearchPartFaulty();
  const head = `${new TextDecoder().decode(bytes.subarray(0, headEnd))}}`;
  const { posts, count, length, size, letters } = parseJson(head, isPartHead, 'the head of a search part');

  const { blocks, starts } = readWords(bytes.subarray(headEnd + BEFORE_WORDS.length), count, length);
  const lists = new Uint32Array(count + 1);
  const postings = new Uint16Array(size);
  readPostings(unpackBits(bytes.subarray(postingsAt, bytes.length - 2)), 0, posts, postings, lists);
  if (starts[count] !== length || lists[count] !== size) throw new SearchPartFaulty();
  return { posts, blocks, starts, lists, postings, letters: new Map(Object.entries(letters)) };
}

const QUOTE = 0x22;
/** Nothing before it can hold the same: letters' lists are digits, which are never a quote. */
const BEFORE_WORDS = new TextEncoder().encode(',"words":"');

function indexOf(bytes: Uint8Array, wanted: Uint8Array): number {
  for (let at = bytes.indexOf(wanted[0]!); at !== -1; at = bytes.indexOf(wanted[0]!, at + 1)) {
    if (wanted.every((byte, i) => bytes[at + i] === byte)) return at;
  }
  return -1;
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
  const bits = unpackBits(new TextEncoder().encode(text));
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
