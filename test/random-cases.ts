/** How many random cases the tests try. Each run tries others, so few a run are many in time. */

/** `OFFPRINT_TEST_TIMES=10` tries ten times as many as `npm test` does: after a change to what they hold. */
const TIMES = Number(process.env['OFFPRINT_TEST_TIMES'] ?? 1);

/** @param usual how many `npm test` tries */
export function cases(usual: number): number {
  return Math.ceil(usual * TIMES);
}
