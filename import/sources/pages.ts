/** Formats of files that may be posts. */
export const POST_FILE = /\.(?:md|markdown|mkdn?|mdown|text|html?)$/i;

/** Formats of posts that are not read. */
const UNREAD_FORMAT = /\.(?:mdx|adoc|asciidoc|rst|org|textile|ipynb|qmd|rmd|typ|creole|mediawiki)$/i;

/**
 * Why a file is none of its site's pages, by its name; null: it may be one. A name that begins with a dot is no page, and
 * one that begins with `_` belongs to a generator, except the folders of posts and drafts.
 */
export function whyNoPage(path: string): string | null {
  if (/(?:^|\/)\./.test(path)) return 'has a name that begins with a dot';
  if (/(?:^|\/)_[^/]*$/.test(path)) return 'has a name that begins with _';
  const isInFolder = /(?:^|\/)_(?!(?:posts|drafts?)\/)[^/]+\//i.test(path);
  return isInFolder ? 'is in a folder whose name begins with _' : null;
}

/** The extension of a format of posts that is not read: `.adoc`; null for other files. */
export function findUnreadFormat(path: string): string | null {
  const [extension = null] = UNREAD_FORMAT.exec(path) ?? [];
  return whyNoPage(path) === null ? (extension?.toLowerCase() ?? null) : null;
}
