/**
 * Sorts positions by views, most first, then newest. The build sorts all posts with it, the
 * gateway the posts that match a filter.
 *
 * @param positions ascending
 * @param views of a position
 * @param posts the number of all posts, greater than any position
 */
export function byPopularity(
  positions: readonly number[] | Uint32Array,
  views: (position: number) => number,
  posts: number,
): Uint32Array {
  // Views and position in one number: typed arrays of numbers sort several times faster.
  const keys = new Float64Array(positions.length);
  let most = 0;
  for (let i = 0; i < keys.length; i++) {
    const count = views(positions[i]!);
    if (count > most) most = count;
    keys[i] = count * posts + positions[i]!;
  }
  if ((most + 1) * posts > Number.MAX_SAFE_INTEGER) {
    return Uint32Array.from(positions).sort((a, b) => views(b) - views(a) || b - a);
  }
  keys.sort();
  const sorted = new Uint32Array(keys.length);
  for (let i = 0; i < keys.length; i++) sorted[i] = keys[keys.length - 1 - i]! % posts;
  return sorted;
}
