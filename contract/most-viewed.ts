/**
 * The most viewed posts: lines with their summaries, most views first. They are anywhere in the blog, so on their own pages a remote
 * store would be read once for each post. If a blog is so small that it has a pack, it has no such lines.
 */

/** The first pages of a list. More would be more to write whenever view counts change. */
export const MOST_VIEWED = 100;
