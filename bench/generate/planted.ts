import type { Language } from './languages.ts';
import type { Random } from './random.ts';

/**
 * Words that the vocabulary cannot make. They are planted in titles and descriptions at a known rate, so that a
 * benchmark can search for something with a known number of results.
 */
export interface PlantedWord {
  readonly word: string;
  readonly scripts: readonly Language['script'][];
  /** The share of posts in these scripts. */
  readonly rate: number;
  /** Only posts with an even, or an odd, number contain it. */
  readonly parity?: 0 | 1;
}

const latin = ['latin'] as const;

/** The planted words, by the name of their probe. */
export const plantedWords = {
  common: { word: 'release', scripts: latin, rate: 0.463 },
  harbour: { word: 'harbour', scripts: latin, rate: 0.12 },
  lantern: { word: 'lantern', scripts: latin, rate: 0.09 },
  // These two never share a post: both lists are long, and their intersection is empty.
  oxbow: { word: 'oxbow', scripts: latin, rate: 0.1, parity: 0 },
  quartz: { word: 'quartz', scripts: latin, rate: 0.1, parity: 1 },
  accented: { word: 'façade', scripts: latin, rate: 0.02 },
  cyrillic: { word: 'летопись', scripts: ['cyrillic'], rate: 0.1 },
  greek: { word: 'φάρος', scripts: ['greek'], rate: 0.1 },
  arabic: { word: 'منارة', scripts: ['arabic'], rate: 0.1 },
  cjk: { word: '灯台守', scripts: ['cjk'], rate: 0.1 },
} as const satisfies Record<string, PlantedWord>;

/** In exactly one published post. */
export const ONCE = 'quixotic';
/** In exactly ten published posts, or in every post of a smaller blog. */
export const TEN_TIMES = 'equinox';

/** The rare words of post `number` (from 0) in a blog of `posts`. Posts with one are always published. */
export function rareWords(number: number, posts: number): string[] {
  const words: string[] = [];
  if (number === Math.floor(posts / 2)) words.push(ONCE);
  for (let time = 0; time < 10; time += 1) {
    if (number === Math.floor(((time + 0.5) * posts) / 10)) return [...words, TEN_TIMES];
  }
  return words;
}

/** The planted words of post `number`. */
export function drawPlantedWords(number: number, script: Language['script'], random: Random): string[] {
  const candidates: readonly PlantedWord[] = Object.values(plantedWords);
  return candidates
    .filter(({ scripts, rate, parity }) => {
      const chosen = random.chance(rate);
      return chosen && scripts.includes(script) && (parity === undefined || parity === number % 2);
    })
    .map(({ word }) => word);
}
