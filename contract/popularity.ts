/**
 * View counts, and the order by views. Both change everywhere with each build, so they are stored in columns apart from
 * the summaries. A list reads only the columns of its posts. The columns are few: if every view count of 100,000 posts
 * changes, nine objects are rewritten.
 *
 * The views columns have the view counts of all posts, by position. The popular columns have the positions of posts with
 * views, most viewed first. The others follow, newest first, without a column: in one, each new post, which has no views
 * yet, would shift all others.
 */

/**
 * The number of posts in each column but the last. Reading one takes 1 ms of CPU. In smaller ones, a publish of all view
 * counts would be more objects; in larger ones, 15 posts from anywhere would be more bytes.
 */
export const COLUMN_SIZE = 32_768;

/**
 * The posts in the lines of the most viewed ones, which have their summaries, most views first. These posts are anywhere in
 * the blog, so on their own pages a remote store would be read once for each. More than the first pages of a list would be
 * more to write whenever view counts change. If a blog is so small that it has a pack, it has no such lines.
 */
export const MOST_VIEWED = 100;

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
