const GROUP = 1000;
const GROUPS = Array.from({ length: GROUP }, (_, value) => String(value));
const PADDED = GROUPS.map((digits) => digits.padStart(3, '0'));

/**
 * A whole number from 0 in decimal digits, as `String` writes it, from ready groups of three.
 *
 * V8 keeps what `String` made of a number, in a table that outlives the request. For numbers that hardly ever
 * come again, such as counts, the table only carries garbage to the old generation: it was two thirds of all
 * that got there, and made the collections that are felt as pauses (decision 72).
 */
export function decimal(value: number): string {
  if (value < GROUP) return GROUPS[value] ?? String(value);
  const rest = value % GROUP;
  return decimal((value - rest) / GROUP) + PADDED[rest]!;
}
