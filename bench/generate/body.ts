import * as blocks from './blocks.ts';
import type { Block } from './blocks.ts';
import type { Language } from './languages.ts';
import type { Random } from './random.ts';
import { Weighted } from './weighted.ts';

/** In bytes of UTF-8. */
const SHORTEST = 2000;
const LONGEST = 7500;
const MEDIAN = 3450;

/** The relative frequency of each kind of block in an article. */
const kinds: readonly (readonly [Block, number])[] = [
  [blocks.paragraph, 60],
  [blocks.heading, 15],
  [blocks.list, 8],
  [blocks.quote, 4],
  [blocks.code, 6],
  [blocks.image, 3],
  [blocks.figure, 3],
  [blocks.table, 1.5],
  [blocks.video, 0.5],
  [blocks.hostile, 0.2],
];
const weights = new Weighted(kinds.map(([, weight]) => weight));

/** An article's body: unsanitised HTML of 2 to 8 kB or a little more, 4 kB on average. */
export function body(language: Language, random: Random): string {
  const wanted = Math.min(LONGEST, Math.max(SHORTEST, MEDIAN * Math.exp(0.4 * random.normal())));
  const parts = [blocks.paragraph(language, random)];
  let bytes = Buffer.byteLength(parts[0] ?? '');
  while (bytes < wanted) {
    const kind = kinds[weights.draw(random)]?.[0] ?? blocks.paragraph;
    const part = kind(language, random);
    parts.push(part);
    bytes += Buffer.byteLength(part) + 1;
  }
  return parts.join('\n');
}
