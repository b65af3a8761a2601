/** Complete records of articles, for `GET /changes` and `GET /posts/{slug}?include=…`. */
import { isText, parseJson, recordOf } from '../../contract/json.ts';
import { findSlug, pageAt } from '../../contract/pages.ts';
import { PAGE_SIZE } from '../../contract/snapshot.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import type { POST_PARAMETERS } from '../../contract/parameters.ts';
import { recordIn, splitSummary, wholeRecord, withFields } from '../../contract/records.ts';
import { readPage, readSummaries, readSummary, readWholeSummaries } from '../listing/summaries.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all, andThen, type MaybePromise } from '../maybe-promise.ts';

/** Maximum bytes of a page with more than one article. */
const PAGE_BYTES = 2 * 2 ** 20;

/** Articles read in parallel: they can be long, and a Worker has little memory. */
const CONCURRENCY = 10;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The record of the article with a slug, as in `GET /changes`, or null. */
export async function readArticle(snapshot: Snapshot, slug: string): Promise<string | null> {
  const article = await findArticle(snapshot, slug);
  if (article === null) return null;
  const [summary = ''] = await readWholeSummaries(snapshot, [article.position]);
  return readRecord(snapshot, summary, article.detail);
}

/** Fields of an article that are not in its body. */
type IncludedField = (typeof POST_PARAMETERS)['include']['choices'][number];

/** The record of the article with a slug, which the snapshot has, with further fields. */
export async function readIncluding(
  snapshot: Snapshot,
  slug: string,
  include: readonly IncludedField[],
): Promise<string> {
  const article = await findArticle(snapshot, slug);
  if (article === null) throw new RangeError(`Snapshot ${snapshot.id} has no article "${slug}".`);
  const { position, detail } = article;
  const has = (name: IncludedField): boolean => include.includes(name);
  const summary = has('summary') ? decoder.decode(await readSummaries(snapshot, [position])) : null;
  const record =
    summary === null
      ? recordIn(decoder.decode(await snapshot.read('body', detail)))
      : await readRecord(snapshot, summary, detail);
  const dates = has('dates') ? splitSummary(await readSummary(snapshot, position)).updated : '';
  if (!has('neighbours')) return withFields(record, dates);
  const [previous, next] = await all([
    readNeighbour(snapshot, position - 1),
    readNeighbour(snapshot, position + 1),
  ]);
  return withFields(record, `${dates},"previous":${previous},"next":${next}`);
}

/** The neighbour of an article, as JSON text: null before the first and after the last position. */
function readNeighbour(snapshot: Snapshot, position: number): MaybePromise<string> {
  if (position < 0 || position >= snapshot.directory.posts) return 'null';
  return andThen(readSummary(snapshot, position), (summary) => {
    const { slug, title, url } = parseJson(summary, isNeighbour, 'the summary of an article');
    return JSON.stringify({ slug, title, url });
  });
}

const isNeighbour = recordOf<{ readonly slug: string; readonly title: string; readonly url: string }>({
  slug: isText,
  title: isText,
  url: isText,
});

/** The record of an article. @param detail its body */
export function readRecord(snapshot: Snapshot, summary: string, detail: ObjectHash): MaybePromise<string> {
  return andThen(snapshot.read('body', detail), (text) => wholeRecord(summary, decoder.decode(text)));
}

/**
 * The records of some articles, in their order, as many as go into one page; at least one.
 *
 * @param read null: there is no such article
 */
export async function fillPage<T, R extends string | null>(
  articles: readonly T[],
  read: (article: T) => MaybePromise<R>,
): Promise<readonly R[]> {
  const records: R[] = [];
  let bytes = 0;
  for (let from = 0; from < articles.length; from += CONCURRENCY) {
    for (const record of await all(articles.slice(from, from + CONCURRENCY).map(read))) {
      const size = encoder.encode(record ?? '').length;
      if (bytes > 0 && bytes + size > PAGE_BYTES) return records;
      bytes += size;
      records.push(record);
    }
  }
  return records;
}

/** The position and the body of the article with a slug, or null. */
async function findArticle(snapshot: Snapshot, slug: string) {
  const entry = await snapshot.find('post', slug);
  if (entry === null) return null;
  const [, detail, time] = entry;
  const number = pageAt(snapshot.directory.page_times, { time: Number(time), slug });
  const index = findSlug(await readPage(snapshot, number), slug);
  if (index < 0) throw new RangeError(`Snapshot ${snapshot.id} has no summary of "${slug}".`);
  return { detail, position: number * PAGE_SIZE + index };
}

/** The position of the article with a slug, or null. */
export async function findPosition(snapshot: Snapshot, slug: string): Promise<number | null> {
  return (await findArticle(snapshot, slug))?.position ?? null;
}
