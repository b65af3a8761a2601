/**
 * `GET /changes`, an extension of the interface: first all articles for a copy of the blog, later the changes.
 *
 *   walk   all articles in order, as they were when the walk began (../changes/walk.ts)
 *   feed   articles that changed since a token, from the record of changes, each in its current version
 *
 * A walk older than the record of changes starts again. So a copy made from all pages equals the blog at the token of the
 * last page.
 */
import type { ListName } from '../../contract/change-log.ts';
import { CHANGES_PARAMETERS } from '../../contract/parameters.ts';
import { type Answer, composedAnswer } from '../answer.ts';
import { type Article, AT_ONCE, findArticle, readRecords } from '../changes/articles.ts';
import { changesSince } from '../changes/record.ts';
import {
  type FeedCursor,
  readCursor,
  readToken,
  type Token,
  tokenOf,
  type WalkCursor,
  writeCursor,
  writeToken,
} from '../changes/tokens.ts';
import { walkPage, type WalkPlace } from '../changes/walk.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { readParameters } from '../parameters.ts';
import { ObjectMissing } from '../snapshot/objects.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { ListRequest } from './endpoints.ts';

/** One page of a walk or feed. */
interface ChangesPage {
  /** Records as JSON texts. */
  readonly items: readonly string[];
  readonly removed: readonly string[];
  readonly lists: Readonly<Record<ListName, boolean>>;
  /** The cursor of the next page; after the last page, the token that the copy has reached. */
  readonly next: WalkCursor | FeedCursor | { readonly token: Token };
  readonly whole: boolean;
  /** The snapshot of the page. */
  readonly snapshot: ObjectHash;
}

export function answerChanges({ snapshot, query }: ListRequest): MaybePromise<Answer> {
  const { since, cursor, per_page: perPage } = readParameters(query, CHANGES_PARAMETERS);
  return snapshot.answers.get(`changes ${JSON.stringify([since, cursor, perPage])}`, async () => {
    const {
      items,
      removed,
      lists,
      next,
      whole,
      snapshot: from,
    } = await pageOf(snapshot, since, cursor, perPage);
    const [following, token] = 'token' in next ? [null, writeToken(next.token)] : [writeCursor(next), null];
    const rest = JSON.stringify({ removed, lists, cursor: following, token, whole });
    const answer = await composedAnswer(snapshot, `{"items":[${items.join(',')}],${rest.slice(1)}`);
    return { ...answer, snapshot: from };
  });
}

async function pageOf(current: Snapshot, since: string, cursor: string, count: number): Promise<ChangesPage> {
  if (cursor !== '') {
    const place = readCursor(cursor);
    if ('place' in place) return continueWalk(current, place, count);
    return knows(current, place.start) ? feed(current, place, count) : beginWalk(current, count);
  }
  if (since === '') return beginWalk(current, count);
  const start = readToken(since);
  if (start.snapshot === current.id) return nothingNew(current);
  if (!knows(current, start)) return beginWalk(current, count);
  return feed(current, { start, number: start.number, slug: '' }, count);
}

/** Whether the record of changes covers a token. @param first its oldest usable number */
function knows({ log }: Snapshot, { epoch, number }: Token, first = log?.since ?? 0): boolean {
  return log?.epoch === epoch && number >= first && number <= log.number;
}

function nothingNew(current: Snapshot): ChangesPage {
  const lists = listsThat(() => false);
  const next = { token: tokenOf(current) };
  return { items: [], removed: [], lists, next, whole: false, snapshot: current.id };
}

function beginWalk(current: Snapshot, count: number): Promise<ChangesPage> {
  return walk(current, tokenOf(current), null, count);
}

async function continueWalk(
  current: Snapshot,
  { start, place }: WalkCursor,
  count: number,
): Promise<ChangesPage> {
  const isCurrent = start.snapshot === current.id;
  if (!isCurrent && !knows(current, start, current.log?.walks)) return beginWalk(current, count);
  try {
    return await walk(current, start, place, count);
  } catch (error) {
    // Withdrawn versions are deleted before all gateways have the new pointer.
    if (error instanceof ObjectMissing && !isCurrent) return beginWalk(current, count);
    throw error;
  }
}

async function walk(
  current: Snapshot,
  start: Token,
  place: WalkPlace | null,
  count: number,
): Promise<ChangesPage> {
  const { items, next } = await walkPage(current, start, place, count);
  const lists = listsThat(() => true);
  return {
    ...{ items, removed: [], lists, whole: true, snapshot: start.snapshot },
    next: next ? { start, place: next } : { token: start },
  };
}

/** The articles that changed since `start`, after a place in the record, in their current versions. */
async function feed(
  current: Snapshot,
  { start, number, slug }: FeedCursor,
  count: number,
): Promise<ChangesPage> {
  const changed = (await changesSince(current, start.number)).filter(
    (change) => change.number > number || (change.number === number && change.slug > slug),
  );
  const wanted = changed.slice(0, count);
  const found: (Article | null)[] = [];
  for (let from = 0; from < wanted.length; from += AT_ONCE) {
    const some = wanted.slice(from, from + AT_ONCE);
    found.push(...(await Promise.all(some.map((change) => findArticle(current, change.slug)))));
  }
  const there = found.filter((article) => article !== null);
  const items = await readRecords(current, there);
  // The page ends before the first article that did not fit.
  const cut = there[items.length];
  const taken = cut ? found.indexOf(cut) : wanted.length;
  const removed = wanted.slice(0, taken).flatMap((change, i) => (found[i] === null ? [change.slug] : []));
  const last = wanted[taken - 1];
  const lists = listsThat((list) => (current.log?.lists[list] ?? 0) > start.number);
  const next =
    last && taken < changed.length
      ? { start, number: last.number, slug: last.slug }
      : { token: tokenOf(current) };
  return { items, removed, lists, next, whole: false, snapshot: current.id };
}

/** Which lists have changed. */
function listsThat(changed: (list: ListName) => boolean): ChangesPage['lists'] {
  return { categories: changed('categories'), tags: changed('tags'), authors: changed('authors') };
}
