import type { Random } from './random.ts';
import { Weighted, zipfWeights } from './weighted.ts';

/**
 * Word frequencies in two regimes, after Gerlach and Altmann (Physical Review X 3, 021006, 2013). A finite core
 * vocabulary follows Zipf's law with exponent 1; beyond it, frequencies fall faster. With independent draws, the
 * vocabulary grows like text^(1 / 1.77), as in natural text (Heaps' law).
 */
const CORE = 7873;
const TAIL_EXPONENT = 1.77;

const core = new Weighted(zipfWeights(CORE, 0, 1));
// The total weight of all ranks beyond the core, as an integral from the end of the core.
const tailTotal = 1 / (TAIL_EXPONENT - 1);
const tailShare = tailTotal / (core.total + tailTotal);

/** The rank of a word of running text: 0 is the most frequent. There is no highest rank. */
export function drawWordRank(random: Random): number {
  if (!random.chance(tailShare)) return core.draw(random);
  return Math.floor(CORE * (1 - random.fraction()) ** (-1 / (TAIL_EXPONENT - 1)));
}
