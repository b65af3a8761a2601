/** The words for a search index: each once, with the posts that contain it. */

/** The distinct words of some posts, numbered in order of appearance. */
export interface RunWords {
  /** All words, each followed by a space. */
  readonly words: string;
  /** The word numbers of each post, one post after the other; of 16 bits if that is enough for all. */
  readonly numbers: Uint16Array | Uint32Array;
  /** The end of each post's words in `numbers`. */
  readonly ends: Uint32Array;
}

/** @param posts the words of each post; duplicates are ignored */
export function collectWords(posts: Iterable<readonly string[]>): RunWords {
  const known = new Map<string, number>();
  const lastPost: number[] = [];
  const numbers: number[] = [];
  const ends: number[] = [];
  for (const words of posts) {
    for (const word of words) {
      let number = known.get(word);
      if (number === undefined) known.set(word, (number = known.size));
      if (lastPost[number] === ends.length) continue;
      lastPost[number] = ends.length;
      numbers.push(number);
    }
    ends.push(numbers.length);
  }
  const words = Array.from(known.keys(), (word) => `${word} `).join('');
  const Numbers = known.size <= 0x10000 ? Uint16Array : Uint32Array;
  return { words, numbers: Numbers.from(numbers), ends: Uint32Array.from(ends) };
}

/** All words of a blog. The arrays can be shared between threads. */
export interface WordTable {
  readonly posts: number;
  /** The code points of all words, each plus one, with a zero after each word. */
  readonly text: Uint32Array<SharedArrayBuffer>;
  /** The number of the word at each index of the text. */
  readonly wordAt: Uint32Array<SharedArrayBuffer>;
  /** The start of each word's list in `postings`; the last entry is the end. */
  readonly lists: Uint32Array<SharedArrayBuffer>;
  /** Posts by position, ascending within a list. */
  readonly postings: Uint32Array<SharedArrayBuffer>;
}

/** Merges the words of all posts. @param runs in the order of the posts */
export function joinWords(runs: readonly RunWords[]): WordTable {
  const known = new Map<string, number>();
  let characters = 0;
  const renumbered = runs.map(({ words }) =>
    Uint32Array.from(words.split(' ').slice(0, -1), (word) => {
      let number = known.get(word);
      if (number === undefined) {
        known.set(word, (number = known.size));
        characters += word.length + 1;
      }
      return number;
    }),
  );
  const lists = shared(known.size + 1);
  for (const [i, { numbers }] of runs.entries()) {
    const run = renumbered[i]!;
    for (const number of numbers) lists[run[number]! + 1]! += 1;
  }
  for (let i = 0; i < known.size; i++) lists[i + 1]! += lists[i]!;
  const postings = shared(lists[known.size]!);
  const next = lists.slice();
  let post = 0;
  for (const [i, { numbers, ends }] of runs.entries()) {
    const run = renumbered[i]!;
    let at = 0;
    for (const end of ends) {
      for (; at < end; at++) postings[next[run[numbers[at]!]!]!++] = post;
      post += 1;
    }
  }
  const text = shared(characters);
  const wordAt = shared(characters);
  let at = 0;
  let number = 0;
  for (const word of known.keys()) {
    for (const character of word) {
      wordAt[at] = number;
      text[at++] = (character.codePointAt(0) ?? 0) + 1;
    }
    at += 1;
    number += 1;
  }
  return { posts: post, text: text.subarray(0, at), wordAt: wordAt.subarray(0, at), lists, postings };
}

function shared(length: number): Uint32Array<SharedArrayBuffer> {
  return new Uint32Array(new SharedArrayBuffer(4 * length));
}
