import { field, flagField, textField, wordsOf } from './fields.ts';
import type { FrontMatter, Page } from './front-matter.ts';
import { isLanguageCode, type Place } from './place.ts';

/** Names of pages that every site has, at its top and outside the folders of posts. */
const PAGE_NAME =
  /^(?:index|home|about(?:-?(?:me|us))?|contact|imprint|impressum|privacy(?:-policy)?|terms|archives?|search|404|offline|now|uses|links|friends|tags|categories|projects|readme|licen[cs]e|contributing|changelog)$/i;

/** Folders that contain both a site's pages and its sections. */
const TOP_FOLDER = /^(?:content|src|source|docs|site|pages)$/i;

const PAGE_LAYOUT =
  /^(?:page|pages|home|about|archives?|search|categories|tags|friends|links|contact|list|section|taxonomy|term|404)$/i;

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

/** Hugo: `build: {render: never}` or `link`, and headless bundles; Zola: `render = false`. */
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
