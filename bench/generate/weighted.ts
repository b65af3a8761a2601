import type { Random } from './random.ts';

/** Draws indices at random, in proportion to their weights. */
export class Weighted {
  readonly #sums: Float64Array;

  /** `weights[i]` is the weight of index i; at least one is above 0. */
  constructor(weights: readonly number[]) {
    let sum = 0;
    this.#sums = Float64Array.from(weights, (weight) => (sum += weight));
  }

  /** The sum of all weights. */
  get total(): number {
    return this.#sums.at(-1) ?? 0;
  }

  draw(random: Random): number {
    const wanted = random.fraction() * this.total;
    let low = 0;
    let high = this.#sums.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sums[middle] ?? 0) > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** Zipf-Mandelbrot weights: 1 / (rank + shift)^exponent for ranks 1 to `count`. */
export function zipfWeights(count: number, shift: number, exponent: number): number[] {
  return Array.from({ length: count }, (_, index) => 1 / (index + 1 + shift) ** exponent);
}
