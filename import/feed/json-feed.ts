import { constants } from 'node:buffer';
import * as v from 'valibot';
import { escapeHtml, tidyLine } from '../../common/content/text.ts';
import { FeedInvalid } from '../errors.ts';
import { parseUntrusted } from '../sources/json.ts';
import { resolved } from '../xml/elements.ts';
import { paragraphs } from './body.ts';
import type { FeedAuthor, FeedItem } from './entry.ts';

/** A field that breaks the format counts as absent. */
const text = v.optional(v.fallback(v.union([v.string(), v.pipe(v.number(), v.transform(String))]), ''), '');
const looseList = <T>(of: v.GenericSchema<unknown, T>) =>
  v.optional(v.fallback(v.array(v.fallback(v.nullable(of), null)), []), []);

const author = v.object({ name: text, avatar: text });
const oneAuthor = v.optional(v.fallback(v.nullable(author), null), null);
const feedFields = v.object({
  version: text,
  title: text,
  home_page_url: text,
  feed_url: text,
  next_url: text,
  language: text,
  author: oneAuthor,
  authors: looseList(author),
  items: v.array(v.unknown()),
});
const itemFields = v.object({
  id: text,
  url: text,
  external_url: text,
  title: text,
  content_html: text,
  content_text: text,
  summary: text,
  image: text,
  banner_image: text,
  date_published: text,
  date_modified: text,
  language: text,
  author: oneAuthor,
  authors: looseList(author),
  tags: looseList(v.string()),
  attachments: looseList(v.object({ url: text, mime_type: text })),
  /** Our extension for the category: the format only has tags. */
  _offprint: v.optional(v.fallback(v.object({ category: text }), { category: '' }), { category: '' }),
});

/** The size limit for parsing one JSON document, in bytes. */
export const MAX_JSON_BYTES = constants.MAX_STRING_LENGTH;

/**
 * The items of a JSON Feed (https://jsonfeed.org/version/1.1), or of version 1.
 *
 * @param place names it in messages
 * @param url its address; null: a file
 * @throws FeedInvalid
 */
export function* jsonFeedItems(place: string, json: string, url: string | null): Generator<FeedItem> {
  const feed = v.safeParse(
    feedFields,
    parseUntrusted(json, (why) => new FeedInvalid(place, `it is not valid JSON (${why})`)),
  );
  if (!feed.success) throw new FeedInvalid(place, 'it is JSON without a list of "items"');
  const { version, title, home_page_url: home, feed_url: self, next_url: next, items } = feed.output;
  if (!/\bjsonfeed\.org\/version\//.test(version))
    throw new FeedInvalid(place, 'its "version" is not a version of JSON Feed');
  const base = home || self || url;
  yield {
    kind: 'feed',
    feed: {
      format: 'JSON Feed',
      title: tidyLine(title),
      generator: '',
      isComplete: false,
      home: home || null,
      self: self || null,
      language: feed.output.language || null,
      authors: authorsIn(feed.output),
    },
  };
  if (next !== '') yield { kind: 'next', url: resolved(next, url ?? (self || null)) };
  for (const [index, item] of items.entries()) {
    const fields = v.safeParse(itemFields, item);
    if (!fields.success) yield { kind: 'fault', label: `items[${index}]`, reason: 'is not an object' };
    else yield itemFrom(fields.output, base);
  }
}

function itemFrom(item: v.InferOutput<typeof itemFields>, base: string | null): FeedItem {
  const cover = item.image || item.banner_image;
  const content = item.content_html.trim() ? item.content_html : paragraphs(item.content_text);
  /** The page that a link post is about, to which its title leads. */
  const target = item.external_url;
  const isShown = [target, escapeHtml(target)].some((address) => content.includes(address));
  return {
    kind: 'entry',
    entry: {
      id: item.id.trim(),
      url: item.url === '' ? '' : resolved(item.url, base),
      title: tidyLine(item.title),
      content,
      summary: escapeHtml(item.summary),
      base: null,
      cover: cover === '' ? null : resolved(cover, base),
      published: item.date_published,
      updated: item.date_modified,
      categories: [item._offprint.category].filter(Boolean),
      tags: item.tags.filter((tag) => tag !== null),
      authors: authorsIn(item),
      language: item.language || null,
      hidden: null,
      noPost: null,
      attachments: item.attachments
        .filter((attachment) => attachment !== null)
        .map(({ url, mime_type: type }) => ({ url: resolved(url, base), type })),
      lost: isShown ? [] : [['link of the title', target.slice(0, 200)]],
    },
  };
}

/** Version 1 has one author, and later versions a list; some feeds have both. */
function authorsIn(said: {
  readonly authors: readonly (v.InferOutput<typeof author> | null)[];
  readonly author: v.InferOutput<typeof author> | null;
}): FeedAuthor[] {
  return [...said.authors, said.author]
    .filter((one) => one !== null)
    .filter(({ name }) => name.trim() !== '')
    .map(({ name, avatar }) => ({ name, avatar: avatar || null }));
}
