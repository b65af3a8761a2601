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
  let most = 0;
  for (const position of positions) most = Math.max(most, views(position));
  if ((most + 1) * posts > Number.MAX_SAFE_INTEGER) {
    return Uint32Array.from(positions).sort((a, b) => views(b) - views(a) || b - a);
  }
  // Views and position in one number: typed arrays of numbers sort several times faster.
  const keys = new Float64Array(positions.length);
  for (let i = 0; i < keys.length; i++) keys[i] = views(positions[i]!) * posts + positions[i]!;
  keys.sort();
  const sorted = new Uint32Array(keys.length);
  for (let i = 0; i < keys.length; i++) sorted[i] = keys[keys.length - 1 - i]! % posts;
  return sorted;
}
