import { htmlTitle } from '../article/fields.ts';
import {
  childElements,
  childrenNamed,
  childText,
  resolved,
  textIn,
  type XmlElement,
} from '../xml/elements.ts';
import { atomEntry, atomText, isDraft } from './atom.ts';
import type { FeedEntry } from './entry.ts';

/** Marks an entry's kind in exports until 2024; those of Google Takeout have `blogger:type`. */
const KIND = 'http://schemas.google.com/blogger/2008/kind#';

/** The kind of an entry in an export of Blogger: `post`, `page`, `comment`, `settings`. Null for an entry of any feed. */
export function bloggerKind(entry: XmlElement): string | null {
  const kind = termsIn(entry).find((term) => term.startsWith(KIND));
  if (kind !== undefined) return kind.slice(KIND.length);
  const isTaken = childElements(entry).some(({ name }) => name.startsWith('blogger:'));
  return isTaken ? childText(entry, 'blogger:type').toLowerCase() : null;
}

/**
 * An entry of an export of Blogger: an Atom entry that may also be a draft, a page, a comment, or in the trash.
 *
 * @param kind as `bloggerKind` gives it
 */
export function bloggerEntry(entry: XmlElement, kind: string, url: string | null): FeedEntry {
  const plain = atomEntry(entry, url);
  const file = childText(entry, 'blogger:filename');
  return {
    ...plain,
    url: file === '' ? plain.url : resolved(file, url),
    // Google Takeout does not mark text as HTML, and its titles contain entities.
    title: htmlTitle(childText(entry, 'atom:title')),
    content: childrenNamed(entry, 'atom:content').map(htmlIn)[0] ?? '',
    // Only a thumbnail of 72 pixels.
    cover: null,
    published: plain.published || childText(entry, 'blogger:created'),
    categories: [],
    tags: termsIn(entry).filter((term) => !term.startsWith(KIND)),
    metaDescription: childText(entry, 'blogger:metaDescription'),
    hidden: whyHidden(entry),
    noPost: kind === 'post' ? null : `is of the kind "${kind}", not a post`,
  };
}

/** The statuses of posts that everybody sees, now or later. */
const SHOWN = /^(?:|LIVE|SCHEDULED)$/i;

function whyHidden(entry: XmlElement): FeedEntry['hidden'] {
  const status = childText(entry, 'blogger:status');
  if (childText(entry, 'blogger:trashed') !== '' || /TRASHED/i.test(status)) return 'trashed';
  return isDraft(entry) || !SHOWN.test(status) ? 'draft' : null;
}

function termsIn(entry: XmlElement): string[] {
  return childrenNamed(entry, 'atom:category').map(({ attributes }) => attributes['term'] ?? '');
}

function htmlIn(content: XmlElement): string {
  return content.attributes['type'] === 'xhtml' ? atomText(content) : textIn(content);
}
