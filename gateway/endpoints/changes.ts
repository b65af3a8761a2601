/**
 * `GET /changes`, beyond the given interface: all that a copy of the blog needs, whole, and afterwards what changed.
 *
 *   whole walk   all articles by position, from the snapshot with which the walk began
 *   feed         the articles that changed since a token, by the record of changes, each as it is now
 *
 * A walk that outlives its snapshot goes on with the current one, and ends with the feed since it began; where nobody
 * knows that any more, it begins again. So a copy that took all pages is the blog at the token that the last one carries.
 */
import { envelope } from '../../contract/api.ts';
import type { ListName } from '../../contract/change-log.ts';
import { type Answer, bodyOf, publicAnswer } from '../answer.ts';
import {
  type Article,
  articlesAt,
  AT_ONCE,
  findArticle,
  keyOf,
  positionFrom,
  positionOf,
  readRecords,
} from '../changes/articles.ts';
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
import type { ObjectHash } from '../../contract/object-name.ts';
import { parseChangesQuery } from '../parameters.ts';
import { ObjectMissing } from '../snapshot/objects.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all, type Soon } from '../soon.ts';
import type { ListRequest } from './endpoints.ts';

/** One page of either. */
interface ChangesPage {
  /** Records as JSON texts. */
  readonly items: readonly string[];
  readonly removed: readonly string[];
  readonly lists: Readonly<Record<ListName, boolean>>;
  /** What follows; the place that the copy has reached, where nothing does. */
  readonly next: WalkCursor | FeedCursor | { readonly token: Token };
  readonly whole: boolean;
  /** Of which the page is. */
  readonly snapshot: ObjectHash;
}

export function answerChanges({ snapshot, query }: ListRequest): Soon<Answer> {
  const { since, cursor, perPage } = parseChangesQuery(query);
  return snapshot.answer(`changes ${JSON.stringify([since, cursor, perPage])}`, async () => {
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
    const body = bodyOf(envelope(`{"items":[${items.join(',')}],${rest.slice(1)}`));
    return { ...publicAnswer(body, await snapshot.hashOf(body)), snapshot: from };
  });
}

async function pageOf(current: Snapshot, since: string, cursor: string, count: number): Promise<ChangesPage> {
  if (cursor !== '') {
    const place = readCursor(cursor);
    if ('position' in place) return continueWalk(current, place, count);
    return knows(current, place.start) ? feed(current, place, count) : beginWalk(current, count);
  }
  if (since === '') return beginWalk(current, count);
  const start = readToken(since);
  if (start.snapshot === current.id) return nothingNew(current);
  if (!knows(current, start)) return beginWalk(current, count);
  return feed(current, { start, number: start.number, slug: '', whole: false }, count);
}

/** Whether the record of changes goes back to a place. */
function knows({ log }: Snapshot, { epoch, number }: Token): boolean {
  return log?.epoch === epoch && number >= log.since && number <= log.number;
}

function nothingNew(current: Snapshot): ChangesPage {
  const lists = { categories: false, tags: false, authors: false };
  return {
    items: [],
    removed: [],
    lists,
    next: { token: tokenOf(current) },
    whole: false,
    snapshot: current.id,
  };
}

function beginWalk(current: Snapshot, count: number): Promise<ChangesPage> {
  return walk(tokenOf(current), current, 0, count);
}

async function continueWalk(
  current: Snapshot,
  { start, snapshot, position, after }: WalkCursor,
  count: number,
): Promise<ChangesPage> {
  if (snapshot !== current.id && !knows(current, start)) return beginWalk(current, count);
  try {
    return await walk(start, await current.earlier(snapshot), position, count);
  } catch (error) {
    if (!(error instanceof ObjectMissing) || snapshot === current.id) throw error;
    // It is not kept any more. Twice the same article does no harm.
    const known = await positionOf(current, after.slug, after.time);
    const next = known === null ? await positionFrom(current, after.time) : known + 1;
    return walk(start, current, next, count);
  }
}

/** @param from the snapshot of which the page is */
async function walk(start: Token, from: Snapshot, position: number, count: number): Promise<ChangesPage> {
  const { posts } = from.directory;
  const articles = await articlesAt(from, Math.min(position, posts), Math.min(position + count, posts));
  const items = await readRecords(from, articles);
  const last = items.at(-1);
  const reached = position + items.length;
  const lists = listsThat(() => true);
  const page = (next: ChangesPage['next']): ChangesPage => ({
    items,
    removed: [],
    lists,
    next,
    whole: true,
    snapshot: from.id,
  });
  if (last !== undefined && reached < posts) {
    return page({ start, snapshot: from.id, position: reached, after: keyOf(last) });
  }
  if (from.id === start.snapshot) return page({ token: start });
  return page({ start, number: start.number, slug: '', whole: true });
}

/** The articles that changed since `start`, after a place in the record: each as it is in the current snapshot. */
async function feed(
  current: Snapshot,
  { start, number, slug, whole }: FeedCursor,
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
  // The page ends before the first article for which there was no room.
  const cut = there[items.length];
  const taken = cut ? found.indexOf(cut) : wanted.length;
  const removed = wanted.slice(0, taken).flatMap((change, i) => (found[i] === null ? [change.slug] : []));
  const last = wanted[taken - 1];
  const lists = listsThat((list) => whole || (current.log?.lists[list] ?? 0) > start.number);
  const next =
    last && taken < changed.length
      ? { start, number: last.number, slug: last.slug, whole }
      : { token: { ...tokenOf(current), ...(whole ? { snapshot: start.snapshot } : {}) } };
  return { items, removed, lists, next, whole, snapshot: current.id };
}

/** Which lists have changed. */
function listsThat(changed: (list: ListName) => boolean): ChangesPage['lists'] {
  return { categories: changed('categories'), tags: changed('tags'), authors: changed('authors') };
}

/** Each article that changed since a number, with the last number that changed it; ascending. */
async function changesSince(
  current: Snapshot,
  since: number,
): Promise<readonly { readonly number: number; readonly slug: string }[]> {
  const needed = (current.log?.parts ?? []).filter(({ newest }) => newest > since);
  const parts = await all(needed.map(({ hash }) => current.read('changes', hash)));
  const latest = new Map<string, number>();
  for (const [number, slug] of parts.flat()) {
    if (number > since && number > (latest.get(slug) ?? 0)) latest.set(slug, number);
  }
  const changes = Array.from(latest, ([slug, number]) => ({ number, slug }));
  return changes.sort((a, b) => a.number - b.number || (a.slug < b.slug ? -1 : 1));
}
