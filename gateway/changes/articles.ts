/** Articles whole, as `GET /changes` and `GET /posts/{slug}?include=summary` give them. */
import { hasPack } from '../../contract/pack.ts';
import { PAGE_SIZE } from '../../contract/pages.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { pagesAt, POST_HASHES_SIZE } from '../../contract/post-hashes.ts';
import { wholeRecord } from '../../contract/records.ts';
import { readSummaries } from '../listing/summaries.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all } from '../soon.ts';

/** What a page of articles holds in bytes, at most, if it is more than one article. */
const PAGE_BYTES = 2 * 2 ** 20;

/** Details read at once: they can be long, and a Worker has little memory. */
export const AT_ONCE = 10;

const decoder = new TextDecoder();

/** An article of a snapshot. */
export interface Article {
  readonly position: number;
  /** Its object `post`. */
  readonly detail: ObjectHash;
}

/** The records of some articles, in their order, as many as go into one page; at least one. */
export async function readRecords(
  snapshot: Snapshot,
  articles: readonly Article[],
): Promise<readonly string[]> {
  const positions = articles.map(({ position }) => position);
  const summaries = await readSummaries(snapshot, positions);
  const records: string[] = [];
  let bytes = 0;
  for (let from = 0; from < articles.length; from += AT_ONCE) {
    const details = await all(
      articles.slice(from, from + AT_ONCE).map(({ detail }) => snapshot.read('post', detail)),
    );
    for (const [i, detail] of details.entries()) {
      const summary = summaries[from + i] ?? '';
      bytes += summary.length + detail.length;
      if (records.length > 0 && bytes > PAGE_BYTES) return records;
      records.push(wholeRecord(summary, decoder.decode(detail)));
    }
  }
  return records;
}

/** The articles of a run of positions; their texts are read too, where the store has them together. */
export async function articlesAt(snapshot: Snapshot, from: number, to: number): Promise<readonly Article[]> {
  const start = from - (from % PAGE_SIZE);
  const end = Math.min(Math.ceil(to / PAGE_SIZE) * PAGE_SIZE, snapshot.directory.posts);
  const details = await detailsAt(snapshot, start, end);
  for (let page = 0; page < details.length; page += PAGE_SIZE) {
    await snapshot.readArticles(details.slice(page, page + PAGE_SIZE));
  }
  return details.slice(from - start, to - start).map((detail, i) => ({ position: from + i, detail }));
}

/** The article of a slug; null: there is none. */
export async function findArticle(snapshot: Snapshot, slug: string): Promise<Article | null> {
  const entry = await snapshot.find('post', slug);
  if (entry === null) return null;
  const detail = entry[1];
  const position = await positionOf(snapshot, slug, publishedAt(await snapshot.read('post', detail)));
  if (position === null) throw new RangeError(`Snapshot ${snapshot.id} has no summary of "${slug}".`);
  return { detail, position };
}

/** Where the article of a slug stands. The pages of a small blog are at hand, and its articles are not. */
export async function findPosition(snapshot: Snapshot, slug: string): Promise<number | null> {
  if (hasPack(snapshot.directory)) return positionOf(snapshot, slug);
  return (await findArticle(snapshot, slug))?.position ?? null;
}

async function detailsAt(snapshot: Snapshot, from: number, to: number): Promise<readonly ObjectHash[]> {
  const { post_hashes: objects } = snapshot.directory;
  if (!objects) return detailsBySlug(snapshot, from, to);
  const first = Math.floor(from / POST_HASHES_SIZE);
  const needed = objects.slice(first, Math.ceil(to / POST_HASHES_SIZE));
  const lists = await all(needed.map((hash) => snapshot.read('post_hashes', hash)));
  const start = first * POST_HASHES_SIZE;
  return lists.flat().slice(from - start, to - start);
}

/** The same from a snapshot of version 0.1. */
async function detailsBySlug(snapshot: Snapshot, from: number, to: number): Promise<readonly ObjectHash[]> {
  const positions = Array.from({ length: to - from }, (_, i) => from + i);
  const summaries = await readSummaries(snapshot, positions);
  return Promise.all(
    summaries.map(async (summary) => {
      const entry = await snapshot.find('post', keyOf(summary).slug);
      if (!entry) throw new RangeError(`Snapshot ${snapshot.id} names no article for a summary.`);
      return entry[1];
    }),
  );
}

/** When the article of a detail was published, in Unix milliseconds: the last field says it. */
function publishedAt(detail: Uint8Array): number {
  return Date.parse(/"published_at":"([^"]*)"\}\}$/.exec(decoder.decode(detail.subarray(-80)))?.[1] ?? '');
}

/** By what articles are ordered, from a summary. */
export function keyOf(summary: string): { readonly time: number; readonly slug: string } {
  const { slug, published_at: publishedAt } = JSON.parse(summary) as { slug: string; published_at: string };
  return { time: Date.parse(publishedAt), slug };
}

/**
 * Where an article stands.
 *
 * @param time when it was published, in Unix milliseconds; undefined: all pages are looked through
 */
export async function positionOf(snapshot: Snapshot, slug: string, time?: number): Promise<number | null> {
  const { pages, page_times: times } = snapshot.directory;
  // Times of pages are whole seconds.
  const seconds = Math.floor((time ?? 0) / 1000);
  const { first, last } =
    times && time !== undefined
      ? { first: pagesAt(times, seconds - 1).first, last: pagesAt(times, seconds + 1).last }
      : { first: 0, last: pages.length - 1 };
  const beginning = `{"slug":${JSON.stringify(slug)},`;
  const read = await all(pages.slice(first, last + 1).map((hash) => snapshot.read('page', hash)));
  for (const [i, page] of read.entries()) {
    const index = page.findIndex(({ head }) => head.startsWith(beginning));
    if (index >= 0) return (first + i) * PAGE_SIZE + index;
  }
  return null;
}

/** The first position of an article that was published at a time or later; the number of articles, where none was. */
export async function positionFrom(snapshot: Snapshot, time: number): Promise<number> {
  const { pages, page_times: times, posts } = snapshot.directory;
  const first = times ? pagesAt(times, Math.floor(time / 1000) - 1).first : 0;
  for (let page = first; page < pages.length; page++) {
    const hash = pages[page];
    const summaries = hash === undefined ? [] : await snapshot.read('page', hash);
    const index = summaries.findIndex(({ head, tail }) => keyOf(`${head}0${tail}`).time >= time);
    if (index >= 0) return page * PAGE_SIZE + index;
  }
  return posts;
}
