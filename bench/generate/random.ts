/**
 * Pseudo-random numbers that depend only on a key, so the same blog can be made again on any machine. Uses sfc32 by
 * Chris Doty-Humphrey, with 128 bits of state.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** Each key gives its own sequence. Keys are lists of integers from 0 to 2^53. */
  constructor(...key: readonly number[]) {
    this.#a = 0x9e3779b9;
    this.#b = 0x243f6a88;
    this.#c = 0xb7e15162;
    for (const part of key) {
      this.#a = (this.#a ^ part) | 0;
      this.#b = (this.#b ^ Math.floor(part / 2 ** 32)) | 0;
      // Twelve rounds spread each bit of the key over the whole state, as sfc32's author advises.
      for (let round = 0; round < 12; round += 1) this.#step();
    }
  }

  #step(): number {
    const result = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + result;
    this.#c |= 0;
    return result >>> 0;
  }

  /** From 0 (inclusive) to 1 (exclusive). */
  fraction(): number {
    return this.#step() / 2 ** 32;
  }

  /** An integer from 0 (inclusive) to `end` (exclusive). */
  below(end: number): number {
    return Math.floor(this.fraction() * end);
  }

  /** An integer from `first` to `last`, both inclusive. */
  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** One of `choices`, which must not be empty. */
  pick<T>(choices: readonly T[]): T {
    const index = this.below(choices.length);
    const choice = choices[index];
    if (choice === undefined) throw new RangeError('There is nothing to pick from an empty list.');
    return choice;
  }

  /** From the normal distribution with mean 0 and standard deviation 1 (Box-Muller). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.fraction())) * Math.cos(2 * Math.PI * this.fraction());
  }
}
