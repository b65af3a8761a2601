import { normalise, splitWords } from '../../contract/search/search-text.ts';
import type { BlogDatabase } from '../../data/database.ts';
import { Random } from '../generate/random.ts';

/** Searches without repetition. */
export interface ColdQueries {
  /** Words that are in few posts, and pairs of a post's words with at least one such word. */
  readonly rare: readonly string[];
  /** Words and substrings that are in many posts, and pairs of these. */
  readonly common: readonly string[];
}

/** Enough for many rounds, at 10,000 searches a second. */
const QUERIES = 150_000;
const RARE_POSTS = 5;
const COMMON_SHARE = 0.05;
/** Shorter terms are a separate case, in which a trigram index does not help. */
const MIN_CHARACTERS = 3;
const MAX_CHARACTERS = 40;
const COMMON_TERMS = 1000;
const SAMPLE = 2000;

/** Makes searches from the words of the blog. The same blog gives the same searches. */
export function coldQueries(db: BlogDatabase): ColdQueries {
  const texts = db
    .prepare<[], string>(
      `SELECT title || ' ' || coalesce(description, '') FROM posts
       WHERE status = 'published' AND published_unix <= unixepoch() ORDER BY id`,
    )
    .pluck()
    .all()
    .map(normalise);
  const random = new Random(1, 601);
  return { rare: rareQueries(texts, random), common: commonQueries(texts.slice(0, SAMPLE), random) };
}

function rareQueries(texts: readonly string[], random: Random): string[] {
  const words = texts.map((text) => [...new Set(splitWords(text))].filter(isLongEnough));
  const posts = new Map<string, number>();
  for (const word of words.flat()) posts.set(word, (posts.get(word) ?? 0) + 1);
  const rare = new Set([...posts].filter(([, count]) => count <= RARE_POSTS).map(([word]) => word));
  const queries = shuffled([...rare], random);
  const pairs = shuffled(words, random)
    .slice(0, SAMPLE)
    .flatMap((own) =>
      own
        .filter((word) => rare.has(word))
        .flatMap((word) => own.filter((other) => other !== word).map((other) => `${word} ${other}`)),
    );
  return [...queries, ...new Set(shuffled(pairs, random))].slice(0, QUERIES);
}

function commonQueries(texts: readonly string[], random: Random): string[] {
  const posts = new Map<string, number>();
  for (const text of texts) {
    for (const part of partsOf(text)) posts.set(part, (posts.get(part) ?? 0) + 1);
  }
  const common = [...posts]
    .filter(([, count]) => count >= texts.length * COMMON_SHARE)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, COMMON_TERMS)
    .map(([part]) => part);
  const pairs = common.flatMap((a, i) => common.slice(i + 1).map((b) => `${a} ${b}`));
  return [...shuffled(common, random), ...shuffled(pairs, random)].slice(0, QUERIES);
}

/** All substrings of three to five characters of a text's words. */
function partsOf(text: string): Set<string> {
  const parts = new Set<string>();
  for (const word of splitWords(text)) {
    const characters = [...word];
    for (let length = MIN_CHARACTERS; length <= MIN_CHARACTERS + 2; length++) {
      for (let at = 0; at + length <= characters.length; at++) {
        parts.add(characters.slice(at, at + length).join(''));
      }
    }
  }
  return parts;
}

function isLongEnough(word: string): boolean {
  const { length } = [...word];
  return length >= MIN_CHARACTERS && length <= MAX_CHARACTERS;
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, place: random.fraction() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
