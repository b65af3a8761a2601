/**
 * The number of random cases in tests. Each run uses new ones, so a few per run add up over time.
 */

/** `OFFPRINT_TEST_TIMES=10` runs ten times as many as `npm test`; use it after changing the tested code. */
const TIMES = Number(process.env['OFFPRINT_TEST_TIMES'] ?? 1);

/** @param usual the number for `npm test` */
export function cases(usual: number): number {
  return Math.ceil(usual * TIMES);
}
