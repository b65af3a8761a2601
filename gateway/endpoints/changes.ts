/**
 * `GET /changes`, an extension of the interface: first all articles for a copy of the blog, later the changes.
 *
 *   walk   all articles in order (../changes/walk.ts)
 *   feed   the articles that changed since a publish, from the record of changes (../changes/record.ts)
 *
 * Every page shows the current articles. A walk ends with a feed of what changed since it began. An article that changes while a
 * client reads gets a higher number in the record, so it is read again. Therefore a copy made from all pages equals the snapshot
 * of the last page.
 */
import { type ChangeLog, TERM_LISTS } from '../../contract/change-log.ts';
import { CHANGES_PARAMETERS } from '../../contract/parameters.ts';
import { type Answer, composedAnswer } from '../answer.ts';
import { badRequest } from '../api-error.ts';
import { fillPage, readArticle } from '../changes/articles.ts';
import { changesAfter } from '../changes/record.ts';
import {
  type ChangeKey,
  readCursor,
  readToken,
  type SyncProgress,
  writeCursor,
  writeToken,
} from '../changes/tokens.ts';
import { walkPage } from '../changes/walk.ts';
import { readParameters } from '../parameters.ts';
import { type Snapshot, SnapshotBehind } from '../snapshot/snapshot.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { EndpointRequest } from './endpoints.ts';

/** Where a page begins. `after` null: before the first article. */
type PageStart = Omit<SyncProgress, 'after'> & { readonly after: SyncProgress['after'] | null };

/** One page of a walk or feed. */
interface ChangesPage {
  /** Records as JSON texts. */
  readonly items: readonly string[];
  readonly removed: readonly string[];
  /** The place of the next page; null: nothing is left. */
  readonly after: SyncProgress['after'] | null;
}

export function answerChanges({ snapshot: current, isNewest, query }: EndpointRequest): MaybePromise<Answer> {
  const { since, cursor, per_page: count } = readParameters(query, CHANGES_PARAMETERS);
  const start =
    cursor === '' ? startSince(current.log, since, isNewest) : startAt(current.log, cursor, isNewest);
  return current.answers.get(`changes ${JSON.stringify([since, cursor, count])}`, async () => {
    const { items, removed, after } = await pageAfter(current, start, count);
    const { epoch, number, lists } = current.log;
    const { began, isFull } = start;
    const rest = JSON.stringify({
      removed,
      lists: Object.fromEntries(TERM_LISTS.map((list) => [list, isFull || lists[list] > began])),
      cursor: after && writeCursor({ epoch, began, shown: number, isFull, after }),
      token: after ? null : writeToken({ epoch, number }),
      whole: isFull,
    });
    return composedAnswer(current, `{"items":[${items.join(',')}],${rest.slice(1)}`);
  });
}

/**
 * The first page.
 *
 * @param since a token; empty, or one that the record does not reach: all articles
 * @throws SnapshotBehind
 */
function startSince(log: ChangeLog, since: string, isNewest: boolean): PageStart {
  const { epoch, number: shown } = log;
  const token = since === '' ? null : readToken(since);
  if (token && !isNewest && isAhead(log, token)) throw new SnapshotBehind();
  if (token && !isAhead(log, token) && token.number >= log.since) {
    return { epoch, began: token.number, shown, isFull: false, after: { number: token.number, slug: '' } };
  }
  return { epoch, began: shown, shown, isFull: true, after: null };
}

/** A later page. @throws SnapshotBehind, ApiError 400 */
function startAt(log: ChangeLog, cursor: string, isNewest: boolean): PageStart {
  const progress = readCursor(cursor);
  const isUnknown = isAhead(log, { epoch: progress.epoch, number: progress.shown });
  if (isUnknown && !isNewest) throw new SnapshotBehind();
  if (isUnknown || progress.began < log.since)
    throw badRequest(
      'The articles have changed too much since this cursor was given. Start again without a cursor.',
    );
  return progress;
}

/** Whether the record is another one, or ends before a publish: then this snapshot may be an older one. */
function isAhead(
  log: ChangeLog,
  { epoch, number }: { readonly epoch: string; readonly number: number },
): boolean {
  return epoch !== log.epoch || number > log.number;
}

async function pageAfter(
  current: Snapshot,
  { began, shown, after }: PageStart,
  count: number,
): Promise<ChangesPage> {
  if (after !== null && 'number' in after) return feedPage(current, began, after, count);
  const walked = await walkPage(current, after, shown === current.log.number, count);
  if (walked.after) return { ...walked, removed: [] };
  const first = { number: began, slug: '' };
  if (walked.items.length === 0) return feedPage(current, began, first, count);
  const isLast = !current.log.parts.some(({ newest }) => newest > began);
  return { items: walked.items, removed: [], after: isLast ? null : first };
}

/** The articles that changed after a place in the record, in their current versions. */
async function feedPage(
  current: Snapshot,
  began: number,
  after: ChangeKey,
  count: number,
): Promise<ChangesPage> {
  const changed = await changesAfter(current, began, after, count + 1); // One more: whether any is left.
  const records = await fillPage(changed.slice(0, count), ({ slug }) => readArticle(current, slug));
  const passed = changed.slice(0, records.length);
  return {
    items: records.filter((record) => record !== null),
    removed: passed.filter((_, i) => records[i] === null).map(({ slug }) => slug),
    after: (passed.length < changed.length && passed.at(-1)) || null,
  };
}
