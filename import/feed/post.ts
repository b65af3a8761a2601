import { parseDate } from '../../common/content/date.ts';
import { htmlToText } from '../../common/content/html-text.ts';
import { numberToDate } from '../../common/content/moment.ts';
import { termSlug } from '../../common/content/term-slug.ts';
import { tidyLine } from '../../common/content/text.ts';
import { parseAddress } from '../article/address.ts';
import { dateFrom, slugTitle, textTitle } from '../article/fields.ts';
import type { ReportLoss } from '../article/outcome.ts';
import { buildByline, toPerson } from '../article/people.ts';
import { taxonomyFrom } from '../article/taxonomy.ts';
import type { ImportedAuthor, ReadPost } from '../imported-item.ts';
import { renderEntryBody, shownHtml } from './body.ts';
import type { Feed, FeedAuthor, FeedEntry } from './entry.ts';

/** Identifies an entry at the next import: its id, or else its address; null: it has neither. */
export function identifyEntry({ id, url }: Pick<FeedEntry, 'id' | 'url'>): string | null {
  const name = tidyLine(id) || url;
  return name === '' ? null : `feed:${name}`;
}

/**
 * Converts one entry to a post.
 *
 * @returns also its text, if the feed calls it a summary
 * @throws PostUnreadable with the reason
 */
export function postFrom(
  entry: FeedEntry,
  source: string,
  feed: Feed,
  lose: ReportLoss,
): { readonly post: ReadPost; readonly summary: string | null } {
  const body = renderEntryBody(entry);
  const title = entry.title || textTitle(body.html);
  const publishedAt = dateFrom([entry.published, entry.updated], readDate);
  if (entry.published.trim() === '')
    lose('date', 'the feed only has the date of the last change, which is used');
  for (const { url, type } of entry.attachments)
    if (!body.html.includes(url)) lose(`attached file${type && ` (${type.slice(0, 100)})`}`, url);
  for (const [what, detail] of entry.lost) lose(what, detail);
  const address = parseAddress(entry.url);
  const slug = address?.slug || termSlug(title.slice(0, MAX_SLUG_TITLE)) || publishedAt.slice(0, 10);
  const post: ReadPost = {
    source,
    slug,
    language: findLanguage(entry, feed),
    title: title || slugTitle(slug),
    body: body.html,
    description: findDescription(entry, body),
    cover: entry.cover,
    metaTitle: null,
    metaDescription: tidyLine(entry.metaDescription ?? '') || null,
    ...toTaxonomy(entry, feed),
    ...buildByline((entry.authors.length > 0 ? entry.authors : feed.authors).map(authorFrom)),
    publishedAt,
    updatedAt: readDate(entry.updated),
    // What a relative address is relative to is unknown here.
    url: /^(?:https?:\/\/|\/)/i.test(entry.url) ? (address?.url ?? null) : null,
    views: null,
  };
  return { post, summary: body.isSummary ? body.html : null };
}

/** Some programs write seconds since 1970. */
function readDate(written: string): string | null {
  return numberToDate(written) ?? parseDate(written);
}

/** For a longer title, its beginning is enough for a slug. */
const MAX_SLUG_TITLE = 200;

/** A one-line description, if it is more than the beginning of the text. */
function findDescription(
  { summary }: FeedEntry,
  body: { readonly html: string; readonly isSummary: boolean },
): string | null {
  if (body.isSummary) return null;
  const text = htmlToText(shownHtml(summary));
  return text === '' || text === htmlToText(body.html) ? null : text;
}

/** These programs' feeds call tags or labels categories. */
const ONLY_TAGS = /\b(?:ghost|medium|blogger)\b/i;

function toTaxonomy({ categories, tags }: FeedEntry, { generator }: Feed): ReturnType<typeof taxonomyFrom> {
  return ONLY_TAGS.test(generator)
    ? taxonomyFrom([], [...categories, ...tags])
    : taxonomyFrom(categories, tags);
}

/** Null for the blog's own: `en` and `en-US` count as the same. */
function findLanguage(entry: FeedEntry, feed: Feed): string | null {
  const language = entry.language?.trim().toLowerCase() ?? '';
  const own = feed.language?.trim().toLowerCase() ?? '';
  if (!/^[a-z]{2,8}(?:-[a-z\d]{1,8})*$/.test(language) || own === '') return null;
  return language.split('-')[0] === own.split('-')[0] ? null : language;
}

function authorFrom({ name, avatar }: FeedAuthor): ImportedAuthor | null {
  const person = toPerson(name, '', /^https?:\/\/./i.test(avatar ?? '') ? avatar : null);
  // Blogger's words for an author without a public profile.
  return person !== null && /^(?:unknown|anonymous|noreply)$/.test(person.username) ? null : person;
}
