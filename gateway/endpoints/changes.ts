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
import { fillPage, readArticle } from '../changes/articles.ts';
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

export function answerChanges({ snapshot: current, query }: ListRequest): MaybePromise<Answer> {
  const { since, cursor, per_page: count } = readParameters(query, CHANGES_PARAMETERS);
  return current.answers.get(`changes ${JSON.stringify([since, cursor, count])}`, async () => {
    const page = await (cursor === '' ? pageSince(current, since, count) : pageAt(current, cursor, count));
    const { items, removed, lists, next, whole, snapshot } = page;
    const [following, token] = 'token' in next ? [null, writeToken(next.token)] : [writeCursor(next), null];
    const rest = JSON.stringify({ removed, lists, cursor: following, token, whole });
    const answer = await composedAnswer(current, `{"items":[${items.join(',')}],${rest.slice(1)}`);
    return { ...answer, snapshot };
  });
}

/** The first page. @param since a token; empty: read everything */
async function pageSince(current: Snapshot, since: string, count: number): Promise<ChangesPage> {
  if (since === '') return beginWalk(current, count);
  const start = readToken(since);
  if (start.snapshot === current.id) {
    const next = { token: tokenOf(current) };
    return {
      items: [],
      removed: [],
      lists: listsThat(() => false),
      next,
      whole: false,
      snapshot: current.id,
    };
  }
  if (!knows(current, start)) return beginWalk(current, count);
  return feed(current, { start, number: start.number, slug: '' }, count);
}

/** A later page. */
async function pageAt(current: Snapshot, cursor: string, count: number): Promise<ChangesPage> {
  const at = readCursor(cursor);
  const { start } = at;
  if (!('place' in at)) return knows(current, start) ? feed(current, at, count) : beginWalk(current, count);
  const isCurrent = start.snapshot === current.id;
  if (!isCurrent && !knows(current, start, current.log?.walks)) return beginWalk(current, count);
  try {
    return await walk(current, start, at.place, count);
  } catch (error) {
    // Withdrawn versions are deleted before all gateways have the new pointer.
    if (error instanceof ObjectMissing && !isCurrent) return beginWalk(current, count);
    throw error;
  }
}

/** Whether the record of changes covers a token. @param first its oldest usable number */
function knows({ log }: Snapshot, { epoch, number }: Token, first = log?.since ?? 0): boolean {
  return log?.epoch === epoch && number >= first && number <= log.number;
}

function beginWalk(current: Snapshot, count: number): Promise<ChangesPage> {
  return walk(current, tokenOf(current), null, count);
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
  const records = await fillPage(changed.slice(0, count), (change) => readArticle(current, change.slug));
  const passed = changed.slice(0, records.length);
  const last = passed.at(-1);
  return {
    items: records.filter((record) => record !== null),
    removed: passed.filter((_, i) => records[i] === null).map((change) => change.slug),
    lists: listsThat((list) => (current.log?.lists[list] ?? 0) > start.number),
    next: last && passed.length < changed.length ? { start, ...last } : { token: tokenOf(current) },
    whole: false,
    snapshot: current.id,
  };
}

/** Which lists have changed. */
function listsThat(changed: (list: ListName) => boolean): ChangesPage['lists'] {
  return { categories: changed('categories'), tags: changed('tags'), authors: changed('authors') };
}
