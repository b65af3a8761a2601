/**
 * The fewest bits that lists of posts can take: `smallest-lists.ts DB` prints, as a share of the searched text, the
 * lists of all terms of three and four letters, and of all words. A list of n of N posts is one of binomial(N, n), so
 * it takes the logarithm of that; a real code takes more, and a way to find the list comes on top.
 */
import { wordsOf } from '../../contract/search/search-text.ts';
import { openForReading } from '../../data/database.ts';

const [path = ''] = process.argv.slice(2);
const db = openForReading(path);
const texts = db
  .prepare<[], string>(
    `SELECT concat_ws(' ', title, description, (SELECT group_concat(name, ' ') FROM tags JOIN post_tags ON tag_id = tags.id
       WHERE post_id = posts.id))
     FROM posts WHERE status = 'published'`,
  )
  .pluck();

const COUNTED: Readonly<Record<string, (word: string) => readonly string[]>> = {
  'terms of three letters': (word) => partsOf(word, 3),
  'terms of four letters': (word) => partsOf(word, 4),
  words: (word) => [word],
};

let posts = 0;
let bytes = 0;
const counts = Object.keys(COUNTED).map(() => new Map<string, number>());
for (const text of texts.iterate()) {
  const words = new Set(wordsOf(text));
  posts += 1;
  bytes += Buffer.byteLength(text);
  for (const [place, partsIn] of Object.values(COUNTED).entries()) {
    const count = counts[place];
    for (const part of new Set([...words].flatMap(partsIn))) count?.set(part, (count.get(part) ?? 0) + 1);
  }
}

/** log2(n!) for each n. */
const factorials = new Float64Array(posts + 1);
for (let n = 1; n <= posts; n++) factorials[n] = (factorials[n - 1] ?? 0) + Math.log2(n);
const bitsOf = (n: number) => (factorials[posts] ?? 0) - (factorials[n] ?? 0) - (factorials[posts - n] ?? 0);

console.log(`${posts} posts, ${bytes} bytes of searched text`);
for (const [place, name] of Object.keys(COUNTED).entries()) {
  const lists = counts[place] ?? new Map<string, number>();
  let bits = 0;
  for (const n of lists.values()) bits += bitsOf(n);
  console.log(`${name}: ${lists.size} lists, ${(bits / 8 / bytes).toFixed(2)} of the text`);
}

/** All parts of `length` characters. */
function partsOf(word: string, length: number): string[] {
  return Array.from({ length: Math.max(0, word.length - length + 1) }, (_, start) =>
    word.slice(start, start + length),
  );
}
