/**
 * Objects of kind `search`: for a run of positions (a segment) the distinct words of titles,
 * descriptions and tags, and for each word the positions of the posts that hold it.
 *
 * Whoever looks for a term scans the words, which grow like the square root of the text, and joins the
 * lists of those that contain it. That is exact, for terms of any length and in any script.
 */

/** Sizes of segments. A post that is appended rewrites the last and smallest one alone. */
const SEGMENT_SIZES = [8192, 2048, 512];

/** A segment whose text would be longer is written in parts, each with some of its words. */
const PART_CHARACTERS = 700_000;

/**
 * Where the search index is cut into segments: as many large ones as fit from the oldest post on, then
 * smaller ones. So segments are few (19 at most beside those of 8,192), and the last is short.
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

/** A segment, or a part of one, ready to be scanned. */
export interface SearchPart {
  /** The words, each followed by a space. */
  readonly words: string;
  /** Where each word begins in `words`; one more entry for the end. */
  readonly starts: Uint32Array;
  /** Where each word's list begins in `postings`; one more entry for the end. */
  readonly lists: Uint32Array;
  /** Positions from the segment's first, ascending within a list. */
  readonly postings: Uint16Array;
}

/**
 * The objects of one segment.
 *
 * @param posts the words of each post, by position from the segment's first; repeats do no harm
 * @returns the text of each part, at least one; the words sorted by code unit across parts
 */
export function encodeSegment(posts: readonly (readonly string[])[]): string[] {
  const { words, lists, postings } = collectPostings(posts);
  const parts: string[] = [];
  const written = new ListWriter(postings.length);
  let text = '';
  for (const [i, word] of words.entries()) {
    if (text.length + written.length > PART_CHARACTERS) {
      parts.push(JSON.stringify({ words: text, postings: written.take() }));
      text = '';
    }
    text += `${word} `;
    written.add(postings, lists[i] ?? 0, lists[i + 1] ?? 0);
  }
  parts.push(JSON.stringify({ words: text, postings: written.take() }));
  return parts;
}

/** The distinct words, sorted, and for each the positions, ascending, from `lists[i]` up to `lists[i + 1]`. */
function collectPostings(posts: readonly (readonly string[])[]): {
  readonly words: readonly string[];
  readonly lists: Uint32Array;
  readonly postings: Uint16Array;
} {
  // Words are numbered as they come, so that the many occurrences are handled as numbers.
  const numbers = new Map<string, number>();
  const words: string[] = [];
  const counts: number[] = [];
  const lastPost: number[] = [];
  const occurrences: number[] = [];
  const ends = posts.map((post, position) => {
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
    return occurrences.length;
  });

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
  return { words: sorted.map((number) => words[number]!), lists, postings };
}

/*
 * A list is written as the gaps between its positions, each less one, as digits of a mixed base: leading
 * digits in base 32 from `]` on, the last in base 57 from `#` on, so that most gaps take one character
 * and none needs escaping in JSON.
 */
const LAST_DIGIT = 0x23;
const LAST_BASE = 57;
const LEADING_DIGIT = 0x5d;
const LEADING_BASE = 32;
const END_OF_LIST = 0x21;

/** Writes lists one behind the other; characters are bytes until a part is full. */
class ListWriter {
  readonly #bytes: Uint8Array;
  length = 0;

  /** @param postings how many there are at most; each takes three digits at most, and each list has an end */
  constructor(postings: number) {
    this.#bytes = new Uint8Array(4 * postings);
  }

  add(postings: Uint16Array, from: number, to: number): void {
    let last = -1;
    for (let i = from; i < to; i++) {
      const gap = postings[i]! - last - 1;
      last = postings[i]!;
      const leading = Math.floor(gap / LAST_BASE);
      if (leading >= LEADING_BASE) this.#put(LEADING_DIGIT + Math.floor(leading / LEADING_BASE));
      if (leading > 0) this.#put(LEADING_DIGIT + (leading % LEADING_BASE));
      this.#put(LAST_DIGIT + (gap % LAST_BASE));
    }
    this.#put(END_OF_LIST);
  }

  /** What was written so far, as text; then it begins anew. */
  take(): string {
    const text = new TextDecoder('latin1').decode(this.#bytes.subarray(0, this.length));
    this.length = 0;
    return text;
  }

  #put(byte: number): void {
    this.#bytes[this.length++] = byte;
  }
}

/** Reads what encodeSegment wrote. */
export function decodePart(text: string): SearchPart {
  const { words, postings }: { words: string; postings: string } = JSON.parse(text);
  const starts = startsOf(words);
  const count = starts.length - 1;

  const lists = new Uint32Array(count + 1);
  const positions = new Uint16Array(postings.length - count); // at least one digit a position
  let word = 0;
  let size = 0;
  let last = -1;
  let leading = 0;
  for (let i = 0; i < postings.length; i++) {
    const digit = postings.charCodeAt(i);
    if (digit >= LEADING_DIGIT) {
      leading = leading * LEADING_BASE + (digit - LEADING_DIGIT);
    } else if (digit === END_OF_LIST) {
      lists[++word] = size;
      last = -1;
    } else {
      last += leading * LAST_BASE + (digit - LAST_DIGIT) + 1;
      leading = 0;
      positions[size++] = last;
    }
  }
  return { words, starts, lists, postings: positions.slice(0, size) };
}

function startsOf(words: string): Uint32Array {
  const starts = [0];
  for (let at = words.indexOf(' '); at !== -1; at = words.indexOf(' ', at + 1)) starts.push(at + 1);
  return Uint32Array.from(starts);
}
