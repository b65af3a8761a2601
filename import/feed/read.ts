import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { reasonOf } from '../../common/thrown.ts';
import { AddressRefused, ExportTooLarge, FeedInvalid, PathUnreadable } from '../errors.ts';
import { noPost, postItems, unread } from '../article/outcome.ts';
import { shownAddress } from '../../common/shown-address.ts';
import { isRemote } from '../sources/fingerprint.ts';
import type { ReadOptions } from '../read-options.ts';
import { mustBeFile } from '../sources/files.ts';
import { download, type RequestRules } from '../sources/http.ts';
import type { ImportedBlog, ReadItem } from '../imported-item.ts';
import { collect, peek } from '../sources/chunks.ts';
import { BEGINNING_BYTES, xmlText } from '../xml/text.ts';
import type { Feed, FeedEntry, FeedItem } from './entry.ts';
import { jsonFeedItems, MAX_JSON_BYTES } from './json-feed.ts';
import { identifyEntry, postFrom } from './post.ts';
import { xmlFeedItems } from './xml-feed.ts';

/**
 * Reads a feed from a file or an address, with all further pages, or from the files of its pages. The steps for a page:
 *
 *     openSource     a file or an address → bytes                             here; ../sources/http.ts
 *     jsonFeedItems  JSON Feed → entries                                      json-feed.ts
 *     xmlFeedItems   Atom and RSS → entries, one at a time                    xml-feed.ts, atom.ts, rss.ts, blogger.ts
 *     postFrom       the fields of a post                                     post.ts, body.ts
 *
 * XML is streamed, so a feed of any size needs no more memory than its largest entry. A JSON Feed is parsed at once.
 *
 * A feed may contain only the newest posts without saying so: missing posts were not removed, except in a Blogger export.
 *
 * @throws ExportMissing, FileIsFolder, PathUnreadable, AddressRefused, ExportTooLarge, FeedInvalid
 */
export async function* readFeeds(
  paths: readonly string[],
  { wait, complete = false }: Pick<ReadOptions, 'wait' | 'complete'>,
): AsyncGenerator<ReadItem> {
  const rules: RequestRules = { accept: ACCEPT, maxBytes: MAX_BYTES, wait };
  const reading: FeedState = { feed: null, seen: new Map(), entries: 0, summaries: [], longestSummary: 0 };
  const pages = [...paths];
  for (const [index, page] of pages.entries()) {
    try {
      const source = await openSource(page, rules);
      for await (const item of itemsIn(source)) {
        if (item.kind === 'fault') yield unread(item.label, item.reason);
        else if (item.kind === 'entry') yield* entryItems(item.entry, reading, index);
        else if (item.kind === 'next') {
          if (paths.length === 1) yield* follow(item.url, source, pages);
        } else if (reading.feed === null) {
          reading.feed = item.feed;
          yield { kind: 'blog', blog: toBlog(item.feed, source) };
        }
      }
    } catch (error) {
      // A named path must be readable; if a further page is not, the other pages are imported.
      if (index < paths.length || !(error instanceof AddressRefused || error instanceof FeedInvalid))
        throw error;
      yield unread(shownAddress(page), `is a page of the feed and was not read: ${error.why}`);
    }
  }
  yield* summaryLosses(reading);
  const { feed, entries } = reading;
  if (feed !== null)
    yield { kind: 'note', text: describeFeed(feed, entries, pages.length, complete || feed.isComplete) };
}

const ACCEPT =
  'application/feed+json, application/atom+xml, application/rss+xml, application/json, application/xml;q=0.9, */*;q=0.8';
/** Limit for one page. */
const MAX_BYTES = 2_000_000_000;
const MAX_PAGES = 10_000;

/** The input of an import: a file or an address. */
interface FeedSource {
  /** Its address, or null for a file. */
  readonly url: string | null;
  /** Stable across imports: the file's absolute path, or the address as given. */
  readonly place: string;
  /** From the header; null: not given. */
  readonly charset: string | null;
  readonly chunks: AsyncIterable<Buffer>;
}

/** @throws ExportMissing, FileIsFolder, PathUnreadable, AddressRefused */
async function openSource(path: string, rules: RequestRules): Promise<FeedSource> {
  if (isRemote(path)) {
    const { url, header, body } = await download(path, rules);
    const [, charset = null] = /;\s*charset\s*=\s*["']?([^"';\s]+)/i.exec(header('content-type') ?? '') ?? [];
    return { url, place: path, charset, chunks: body };
  }
  await mustBeFile(path);
  return { url: null, place: resolve(path), charset: null, chunks: readChunks(path) };
}

async function* readChunks(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path);
  } catch (error) {
    throw new PathUnreadable(path, reasonOf(error));
  }
}

/** State while the pages of one feed are read. */
interface FeedState {
  /** Of the first page. */
  feed: Feed | null;
  /** The page on which each source was first seen, and its address; pages may overlap if a post is added while they are read. */
  readonly seen: Map<string, { readonly page: number; readonly url: string }>;
  entries: number;
  /** Posts whose text the feed calls a summary, and the longest of these texts, in characters. */
  readonly summaries: string[];
  longestSummary: number;
}

/** The entries of one page. Its beginning tells the format. */
async function* itemsIn({ chunks, url, place, charset }: FeedSource): AsyncGenerator<FeedItem> {
  const name = url ?? place;
  const { beginning, all } = await peek(chunks, BEGINNING_BYTES);
  if (/^(?:\xEF\xBB\xBF)?\s*[{[]/.test(beginning.toString('latin1'))) {
    const json = await collect(all, MAX_JSON_BYTES, () => new ExportTooLarge(name, MAX_JSON_BYTES));
    yield* jsonFeedItems(name, new TextDecoder().decode(json), url);
  } else {
    const text = xmlText(all, charset, (why) => new FeedInvalid(name, why));
    yield* xmlFeedItems(name, text, url);
  }
}

/** Follows further pages only on the feed's own site. */
function* follow(url: string, { url: from }: FeedSource, pages: string[]): Generator<ReadItem> {
  if (pages.includes(url)) return;
  const shown = shownAddress(url);
  if (from === null)
    yield unread(
      shown,
      'is the next page of the feed; import the feed by its URL, or give the files of all pages',
    );
  else if (!isRemote(url) || new URL(url).origin !== new URL(from).origin)
    yield unread(shown, 'is the next page of the feed, at another site; import it by its own URL');
  else if (pages.length >= MAX_PAGES) yield unread(shown, `is beyond the limit of ${MAX_PAGES} pages`);
  else pages.push(url);
}

function* entryItems(entry: FeedEntry, reading: FeedState, page: number): Generator<ReadItem> {
  reading.entries += 1;
  const { feed, seen, entries } = reading;
  const id = identifyEntry(entry);
  if (feed === null) return;
  if (id === null) {
    const title = entry.title === '' ? '' : ` "${entry.title}"`;
    yield unread(
      `entry ${entries}${title}`,
      'has neither an id nor a URL, so the next import could not recognise it',
    );
    return;
  }
  // An id that several addresses have does not identify a post.
  const source = (seen.get(id)?.url ?? entry.url) === entry.url ? id : `${id} ${entry.url}`;
  if ((seen.get(source)?.page ?? page) !== page) return;
  seen.set(source, { page, url: entry.url });
  if (entry.noPost !== null) {
    yield noPost(source, entry.noPost, { removed: source });
    return;
  }
  yield* postItems(source, (lose) => {
    if (entry.hidden !== null) return entry.hidden;
    const { post, summary } = postFrom(entry, source, feed, lose);
    if (summary !== null) {
      reading.summaries.push(source);
      reading.longestSummary = Math.max(reading.longestSummary, summary.length);
    }
    return post;
  });
}

/** No generator writes a summary this long, in characters of HTML. */
const WHOLE_TEXT = 3000;

/**
 * RSS allows the description to be the full text, without a mark. Generators treat all entries alike, so one long
 * description shows that all are full texts.
 */
function* summaryLosses({ feed, summaries, longestSummary }: FeedState): Generator<ReadItem> {
  if (feed?.isComplete || (feed?.format === 'RSS' && longestSummary >= WHOLE_TEXT)) return;
  const detail = 'the feed may lack the full text; enable full text in the feed, and import it again';
  for (const source of summaries) yield { kind: 'loss', loss: { what: 'only a summary', source, detail } };
}

function toBlog({ title, home, self, isComplete }: Feed, { place }: FeedSource): ImportedBlog {
  return {
    format: 'feed',
    key: self ?? home ?? place,
    name: title || (home ?? place),
    isComplete,
    site: { name: title, url: home },
  };
}

function describeFeed({ format, title }: Feed, entries: number, pages: number, isComplete: boolean): string {
  const count = `${entries} ${entries === 1 ? 'entry' : 'entries'}${pages === 1 ? '' : ` on ${pages} pages`}`;
  const warning = isComplete
    ? ''
    : '. Many feeds have only the newest posts: check that this is everything you want.';
  return `${format} "${title}": ${count}${warning}`;
}
