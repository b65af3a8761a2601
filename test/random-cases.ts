/**
 * Random cases in tests: their seed, their number, and how long they may take. Each run has new ones, so a few per run
 * add up over time.
 *
 *   OFFPRINT_TEST_SEED=7      repeats the run whose failure named this seed
 *   OFFPRINT_TEST_TIMES=10    ten times as many; use it after changing the tested code
 *   OFFPRINT_TEST_MINUTES=2   with `npm run test:long`: ends each file's run after this time (default: 8)
 */
const { OFFPRINT_TEST_SEED, OFFPRINT_TEST_TIMES = '1', OFFPRINT_TEST_MINUTES = '8' } = process.env;

/** The seed of random cases; messages of failures name it. */
export const SEED = Number(OFFPRINT_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Whether this is a run of `npm run test:long` (vitest.config.ts). */
export const IS_LONG = process.env['OFFPRINT_TEST_LONG'] !== undefined;

/**
 * @param usual the number for `npm test`
 * @param long the number for `npm run test:long`
 */
export function cases(usual: number, long = usual): number {
  return Math.ceil((IS_LONG ? long : usual) * Number(OFFPRINT_TEST_TIMES));
}

/** The time that a run may take, in milliseconds; Infinity if only the number of its cases bounds it. */
export const LONG_MS = IS_LONG ? Number(OFFPRINT_TEST_MINUTES) * 60_000 : Infinity;
