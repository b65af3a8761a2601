import { parseDate } from '../../common/content/date.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import { termSlug } from '../../common/content/term-slug.ts';
import { textOfHtml } from '../../common/content/html-text.ts';
import { tidyLine, tidyText } from '../../common/content/text.ts';
import { parseAddress } from '../article/address.ts';
import { atomText, linkOf } from '../xml/atom.ts';
import type { ImportedAuthor, ImportedPost } from '../imported-item.ts';
import { publicName } from '../article/public-name.ts';
import { termsOf } from '../article/term.ts';
import { titleOfHtml, titleOfText } from '../article/title.ts';
import { childrenNamed, childText, textIn, type XmlElement } from '../xml/elements.ts';
import { labelsOf, statusOf } from './entry.ts';

/** Converts one entry of the kind `post`. @throws PostUnreadable with the reason */
export function postFrom(entry: XmlElement, source: string, now: Date): ImportedPost {
  const [content] = childrenNamed(entry, 'atom:content');
  const body = content === undefined ? '' : tidyText(bodyHtml(content)).trim();
  const title = titleOf(entry) || titleOfText(body);
  if (title === '') throw new PostUnreadable('has neither a title nor a text');
  const publishedAt = parseDate(childText(entry, 'atom:published', 'blogger:created'));
  const status = statusOf(entry, publishedAt, now);
  if (publishedAt === null && statusOf(entry, ANY_DATE, now) !== 'draft')
    throw new PostUnreadable('has no date that can be read');
  const address = parseAddress(childText(entry, 'blogger:filename') || linkOf(entry, 'alternate', null));
  const slug = address?.slug || termSlug(title.slice(0, 200)) || source.replace(/^.*\D/, '');
  return {
    source,
    slug,
    language: null,
    title,
    body,
    description: null,
    cover: null,
    metaTitle: null,
    metaDescription: tidyLine(childText(entry, 'blogger:metaDescription')) || null,
    category: null,
    tags: termsOf(labelsOf(entry)),
    author: authorOf(entry),
    status,
    publishedAt,
    updatedAt: parseDate(childText(entry, 'atom:updated')),
    url: address?.url ?? null,
    views: null,
  };
}

const ANY_DATE = '2000-01-01T00:00:00+00:00';

/** Exports of Google Takeout do not mark text as HTML, and their titles contain entities. */
function bodyHtml(content: XmlElement): string {
  return content.attributes['type'] === 'xhtml' ? atomText(content) : textIn(content);
}

function titleOf(entry: XmlElement): string {
  const [title] = childrenNamed(entry, 'atom:title');
  if (title === undefined) return '';
  return title.attributes['type'] === 'html' ? textOfHtml(textIn(title)) : titleOfHtml(textIn(title));
}

/** An unset name is "Unknown" or "noreply@blogger.com". */
function authorOf(entry: XmlElement): ImportedAuthor | null {
  const [author] = childrenNamed(entry, 'atom:author');
  const name = author === undefined ? '' : publicName(childText(author, 'atom:name'));
  const username = termSlug(name);
  if (username === '' || /^(?:unknown|anonymous|noreply)$/.test(username)) return null;
  return { username, name, avatar: null };
}
