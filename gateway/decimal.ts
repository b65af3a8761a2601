const GROUP = 1000;
const GROUPS = Array.from({ length: GROUP }, (_, value) => String(value));
const PADDED = GROUPS.map((digits) => digits.padStart(3, '0'));

/**
 * A non-negative integer in decimal digits, like `String(value)`, from precomputed groups of three.
 *
 * V8 caches the result of `String(number)` in a table that outlives the request. For numbers that rarely repeat, such as
 * counts, it only moves garbage to the old generation: two thirds of all that got there, which caused noticeable GC pauses
 * (decision 72).
 */
export function decimal(value: number): string {
  if (value < GROUP) return GROUPS[value] ?? String(value);
  const rest = value % GROUP;
  return decimal((value - rest) / GROUP) + PADDED[rest]!;
}
