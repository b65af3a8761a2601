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
