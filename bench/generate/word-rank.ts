import type { Random } from './random.ts';
import { Weighted, zipfWeights } from './weighted.ts';

/**
 * How often words are used, in two regimes as Gerlach and Altmann found them (Physical Review X 3,
 * 021006, 2013): a finite core vocabulary follows Zipf's law with exponent 1, and all beyond falls off
 * faster. Independent draws make a vocabulary that in the long run grows like text^(1 / 1.77), as
 * natural text does (Heaps' law).
 */
const CORE = 7873;
const TAIL_EXPONENT = 1.77;

const core = new Weighted(zipfWeights(CORE, 0, 1));
// The weights of all ranks beyond the core, summed as an integral from where the core ends.
const tailTotal = 1 / (TAIL_EXPONENT - 1);
const tailShare = tailTotal / (core.total + tailTotal);

/** The rank of a word of running text: 0 for the most used. There is no largest one. */
export function drawWordRank(random: Random): number {
  if (!random.chance(tailShare)) return core.draw(random);
  return Math.floor(CORE * (1 - random.fraction()) ** (-1 / (TAIL_EXPONENT - 1)));
}
