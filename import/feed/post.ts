import { statusAt } from '../article/status.ts';
import { parseDate } from '../../common/content/date.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import { termSlug } from '../../common/content/term-slug.ts';
import { textOfHtml } from '../../common/content/html-text.ts';
import { tidyLine, tidyText } from '../../common/content/text.ts';
import { parseAddress } from '../article/address.ts';
import type { ImportedAuthor, ImportedPost, Loss } from '../imported-item.ts';
import { bylineOf } from '../article/byline.ts';
import { publicName } from '../article/public-name.ts';
import { taxonomyFrom } from '../article/taxonomy.ts';
import { titleOfText } from '../article/title.ts';
import { bodyOf } from './body.ts';
import type { Feed, FeedAuthor, FeedEntry } from './entry.ts';

export interface ReadEntry {
  readonly post: ImportedPost;
  readonly losses: readonly Loss[];
  /** Its text, if the feed calls it a summary. */
  readonly summary: string | null;
}

/** Identifies an entry at the next import: its id, or else its address; null: it has neither. */
export function sourceOf({ id, url }: Pick<FeedEntry, 'id' | 'url'>): string | null {
  const name = tidyLine(id) || url;
  return name === '' ? null : `feed:${name}`;
}

/** Converts one entry to a post. @throws PostUnreadable with the reason */
export function postFrom(entry: FeedEntry, source: string, feed: Feed, now: Date): ReadEntry {
  const losses: Loss[] = [];
  const lost = (what: string, detail: string) => void losses.push({ what, source, detail });
  const body = bodyOf(entry);
  const title = entry.title || titleOfText(body.html);
  if (title === '') throw new PostUnreadable('has neither a title nor a text');
  const publishedAt = dateOf(entry);
  if (publishedAt === null) throw new PostUnreadable('has no date that can be read');
  if (entry.published.trim() === '')
    lost('date', 'the feed has the date of the last change alone, which is taken');
  for (const { url, type } of entry.attachments)
    if (!body.html.includes(url)) lost(`attached file${type && ` (${type.slice(0, 100)})`}`, url);
  for (const what of entry.lost) lost(what, 'only the first is read');
  const address = parseAddress(entry.url);
  const slug = address?.slug || termSlug(title.slice(0, MAX_SLUG_TITLE));
  if (slug === '') throw new PostUnreadable('has no address and no title of which a slug can be made');
  const post: ImportedPost = {
    source,
    slug,
    language: languageOf(entry, feed),
    title,
    body: body.html,
    description: descriptionOf(entry, body),
    cover: entry.cover,
    metaTitle: null,
    metaDescription: tidyLine(entry.metaDescription ?? '') || null,
    ...termsOf(entry, feed),
    ...bylineOf((entry.authors.length > 0 ? entry.authors : feed.authors).map(authorFrom)),
    status: statusAt(publishedAt, now),
    publishedAt,
    updatedAt: parseDate(entry.updated),
    // What a relative address is relative to is unknown here.
    url: /^(?:https?:\/\/|\/)/i.test(entry.url) ? (address?.url ?? null) : null,
    views: null,
  };
  return { post, losses, summary: body.isSummary ? body.html : null };
}

/** For a longer title, its beginning is enough for a slug. */
const MAX_SLUG_TITLE = 200;

function dateOf({ published, updated }: FeedEntry): string | null {
  const written = [published, updated].find((date) => date.trim() !== '') ?? '';
  return parseDate(written);
}

/** A one-line description, if it is more than the beginning of the text. */
function descriptionOf(
  { summary }: FeedEntry,
  body: { readonly html: string; readonly isSummary: boolean },
): string | null {
  if (body.isSummary) return null;
  const text = textOfHtml(tidyText(summary));
  return text === '' || text === textOfHtml(body.html) ? null : text;
}

/** These programs' feeds call tags or labels categories. */
const ONLY_TAGS = /\b(?:ghost|medium|blogger)\b/i;

function termsOf(
  { categories, tags }: FeedEntry,
  { generator }: Feed,
): Pick<ImportedPost, 'category' | 'tags'> {
  return ONLY_TAGS.test(generator)
    ? taxonomyFrom([], [...categories, ...tags])
    : taxonomyFrom(categories, tags);
}

/** Null for the blog's own: `en` and `en-US` count as the same. */
function languageOf(entry: FeedEntry, feed: Feed): string | null {
  const language = entry.language?.trim().toLowerCase() ?? '';
  const own = feed.language?.trim().toLowerCase() ?? '';
  if (!/^[a-z]{2,8}(?:-[a-z\d]{1,8})*$/.test(language) || own === '') return null;
  return language.split('-')[0] === own.split('-')[0] ? null : language;
}

function authorFrom({ name: written, avatar: image }: FeedAuthor): ImportedAuthor | null {
  const name = publicName(written);
  const username = termSlug(name);
  // Blogger's words for an author without a public profile.
  if (/^(?:|unknown|anonymous|noreply)$/.test(username)) return null;
  return { username, name, avatar: /^https?:\/\/./i.test(image ?? '') ? image : null };
}
