/**
 * View counts, and the order by views. Both change everywhere at each build, so they are columns of
 * their own, apart from the summaries, and few: when every view count of 100,000 posts has changed,
 * nine objects are rewritten.
 */

/** Positions in the last views column, and ranks in each popular column, at most. */
export const COLUMN_SIZE = 16_384;

/**
 * Where the views columns are cut: `[0, n]`, or `[0, k, n]` with k a multiple of COLUMN_SIZE. Two at
 * most, since a page of filtered posts needs both; the last is short, since a publish rewrites it.
 *
 * @param posts how many there are
 * @returns boundaries; column i holds the positions from cut i up to cut i + 1
 */
export function viewsCuts(posts: number): number[] {
  const full = posts - (posts % COLUMN_SIZE);
  return full === 0 || full === posts ? [0, posts] : [0, full, posts];
}

/** A column is a JSON array of integers. */
export function encodeColumn(values: readonly number[] | Uint32Array): string {
  return `[${values.join(',')}]`;
}

export function decodeColumn(text: string): Uint32Array {
  const values: number[] = JSON.parse(text);
  return Uint32Array.from(values);
}
