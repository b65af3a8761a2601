import { statusAt } from '../article/status.ts';
import type { ImportedPost } from '../imported-item.ts';
import { isDraft } from '../xml/atom.ts';
import { childrenNamed, childText, type XmlElement } from '../xml/elements.ts';

/** Marks an entry's kind in exports until 2024; those of Google Takeout have `blogger:type`. */
const KIND = 'http://schemas.google.com/blogger/2008/kind#';

/** `post`, `page`, `comment`, `settings`, `template`; empty if the entry does not say it, as in a feed. */
export function kindOf(entry: XmlElement): string {
  const type = childText(entry, 'blogger:type');
  if (type !== '') return type.toLowerCase();
  const terms = childrenNamed(entry, 'atom:category').map(({ attributes }) => attributes['term'] ?? '');
  return terms.find((term) => term.startsWith(KIND))?.slice(KIND.length) ?? '';
}

/** Names of labels: the categories that are not kinds. */
export function labelsOf(entry: XmlElement): string[] {
  return childrenNamed(entry, 'atom:category').flatMap(({ attributes: { term = '' } }) =>
    term.trim() === '' || term.startsWith(KIND) ? [] : term,
  );
}

export function isInTrash(entry: XmlElement): boolean {
  return childText(entry, 'blogger:trashed') !== '' || /TRASHED/i.test(childText(entry, 'blogger:status'));
}

/** Only what Blogger shows to everybody, now or later, is published: an unknown status means draft. */
export function statusOf(entry: XmlElement, publishedAt: string | null, now: Date): ImportedPost['status'] {
  const isShown = /^(?:|LIVE|SCHEDULED)$/i.test(childText(entry, 'blogger:status')) && !isDraft(entry);
  return statusAt(isShown, publishedAt, now);
}
