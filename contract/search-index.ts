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
 * @param posts the distinct words of each post, by position from the segment's first
 * @returns the text of each part, at least one; the words sorted by code unit across parts
 */
export function encodeSegment(posts: readonly Iterable<string>[]): string[] {
  const postings = new Map<string, number[]>();
  posts.forEach((words, position) => {
    for (const word of words) {
      const list = postings.get(word);
      if (list) list.push(position);
      else postings.set(word, [position]);
    }
  });

  const parts: string[] = [];
  let words = '';
  let lists = '';
  for (const word of [...postings.keys()].sort()) {
    if (words.length + lists.length > PART_CHARACTERS) {
      parts.push(JSON.stringify({ words, postings: lists }));
      words = lists = '';
    }
    words += `${word} `;
    lists += `${encodeList(postings.get(word) ?? [])}!`;
  }
  parts.push(JSON.stringify({ words, postings: lists }));
  return parts;
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

function encodeList(positions: readonly number[]): string {
  let text = '';
  let last = -1;
  for (const position of positions) {
    const gap = position - last - 1;
    last = position;
    let leading = '';
    for (let rest = Math.floor(gap / LAST_BASE); rest > 0; rest = Math.floor(rest / LEADING_BASE)) {
      leading = String.fromCharCode(LEADING_DIGIT + (rest % LEADING_BASE)) + leading;
    }
    text += leading + String.fromCharCode(LAST_DIGIT + (gap % LAST_BASE));
  }
  return text;
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
