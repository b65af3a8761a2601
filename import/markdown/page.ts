import { field, flagField, textField, wordsOf } from '../front-matter/fields.ts';
import type { FrontMatter, Page } from '../front-matter/front-matter.ts';
import { isLanguageCode, type Place } from './place.ts';

/** Formats of files that may be posts. */
export const POST_FILE = /\.(?:mdx?|markdown|mkdn?|mdown|text|html?)$/i;

/** Formats of posts that no importer reads. */
const UNREAD_FORMAT = /\.(?:adoc|asciidoc|rst|org|textile|ipynb|qmd|rmd|typ|creole|mediawiki)$/i;

/** Names of pages that every site has, at its top and outside the folders of posts. */
export const PAGE_NAME =
  /^(?:index|home|about(?:-?(?:me|us))?|contact|imprint|impressum|privacy(?:-policy)?|terms|archives?|search|404|offline|now|uses|links|friends|tags|categories|projects|readme|licen[cs]e|contributing|changelog)$/i;

/** Folders that contain both a site's pages and its sections. */
const TOP_FOLDER = /^(?:content|src|source|docs|site|pages)$/i;

const PAGE_LAYOUT =
  /^(?:page|pages|home|about|archives?|search|categories|tags|friends|links|contact|list|section|taxonomy|term|404)$/i;

/**
 * Why a file is hidden by its name; null: it is not. A name that begins with a dot is no site's page, and one that begins
 * with `_` belongs to a generator, except the folders of posts and drafts.
 */
export function whyHidden(path: string): string | null {
  if (/(?:^|\/)\./.test(path)) return 'has a name that begins with a dot';
  if (/(?:^|\/)_(?!index\.)[^/]*$/.test(path)) return 'has a name that begins with _';
  const isInFolder = /(?:^|\/)_(?!(?:posts|drafts?|pages)\/)[^/]+\//i.test(path);
  return isInFolder ? 'is in a folder whose name begins with _' : null;
}

/** In a folder with `_posts`, only files there and in `_drafts` are posts. Tells why another one is not. */
export function outsidePosts(paths: readonly string[]): (path: string) => string | null {
  const isPost = (path: string): boolean => /(?:^|\/)_(?:posts|drafts?)\//.test(path);
  const hasFolder = paths.some((path) => /(?:^|\/)_posts\//.test(path));
  return (path) => (hasFolder && !isPost(path) ? 'is not in _posts' : null);
}

/** The extension of a format of posts that is not read: `.adoc`; null for other files. */
export function unreadFormatOf({ path, name }: Place): string | null {
  const [extension = null] = UNREAD_FORMAT.exec(path) ?? [];
  return whyHidden(path) !== null || PAGE_NAME.test(name) ? null : (extension?.toLowerCase() ?? null);
}

/** Why a file with readable front matter is not a post, for its author; null: it is one. */
export function whyNoPost(page: Page, place: Place): string | null {
  const { frontMatter } = page;
  if (place.isSection) return 'is the page of a section or a term, not a post';
  if (frontMatter === null && place.date === null) return 'has no front matter';
  if (frontMatter !== null && isUnrendered(frontMatter)) return 'is not rendered as a page of its own';
  // A date in the name means a post, whatever its layout is called.
  if (frontMatter === null || place.date !== null) return null;
  for (const key of ['layout', 'type'] as const) {
    const value = textField(frontMatter, key);
    if (value !== null && PAGE_LAYOUT.test(value)) return `is a page, not a post (${key}: ${value})`;
  }
  if (place.folders.some((folder) => /^_?pages$/i.test(folder)))
    return 'is a page, not a post (it is in a folder of pages)';
  if (isAtTop(place) && PAGE_NAME.test(place.name)) return `is a page, not a post (${place.name})`;
  return null;
}

/** `build: {render: never}` or `link`, `headless: true`, `render: false`. */
function isUnrendered(frontMatter: FrontMatter): boolean {
  return (
    /^(?:never|false|link)$/i.test(wordsOf(field(frontMatter, 'build.render'))) ||
    flagField(frontMatter, 'render') === false ||
    flagField(frontMatter, 'headless') === true
  );
}

function isAtTop({ folders }: Place): boolean {
  const last = folders.at(-1);
  return last === undefined || TOP_FOLDER.test(last) || (folders.length > 1 && isLanguageCode(last));
}
