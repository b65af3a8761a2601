import { withBase } from '../../common/content/html-tree.ts';
import { postPath } from '../../common/site-paths.ts';
import type { ImportedPost } from '../../import/imported-item.ts';

/**
 * A post of a blog that is not at the database's address, with absolute addresses: the build resolves all others against
 * that address.
 *
 * @param home where the blog is, without a trailing slash, and the pattern of its posts' paths
 * @throws PostUnreadable if its text has too many elements
 */
export function withAbsoluteAddresses(
  post: ImportedPost,
  home: { readonly url: string; readonly postPath: string },
): ImportedPost {
  const root = `${home.url}/`;
  const absolute = (address: string | null): string | null =>
    address === null ? null : (URL.parse(address, root)?.href ?? address);
  const { slug, publishedAt, category, author } = post;
  const byPattern =
    home.url + postPath(home.postPath, { slug, publishedAt, category: category?.slug ?? null });
  const url = absolute(post.url) ?? byPattern;
  // Its own address may be a page of another site, but its links are still relative to the blog.
  const isForeign = URL.parse(url)?.origin !== URL.parse(root)?.origin;
  return {
    ...post,
    url,
    body: withBase(post.body, isForeign ? byPattern : url),
    cover: absolute(post.cover),
    author: author && { ...author, avatar: absolute(author.avatar) },
  };
}
