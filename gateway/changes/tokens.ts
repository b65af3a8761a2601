/**
 * Tokens and cursors of `GET /changes`, opaque to clients. A token is a place in the record of changes
 * (contract/change-log.ts). A cursor is a place in a walk or feed, together with its start.
 *
 * All cursors of a walk, and its final token, start with the id of the walk's first snapshot. So a client notices when a
 * walk starts again, and discards the earlier pages.
 */
import { isList, isNumber, isText, nullOr, parseJson } from '../../contract/json.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { badRequest } from '../api-error.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { WalkPlace } from './walk.ts';

export interface Token {
  /** Empty if the pointer has no record of changes. */
  readonly epoch: string;
  readonly number: number;
  /** The first snapshot of the walk. */
  readonly snapshot: ObjectHash;
}

/** The next page of a walk through all articles (walk.ts). */
export interface WalkCursor {
  readonly start: Token;
  readonly place: WalkPlace;
}

/** The next page of a feed, in the order of the record: by number, then slug. */
export interface FeedCursor {
  readonly start: Token;
  readonly number: number;
  readonly slug: string;
}

/** The token of a snapshot. */
export function tokenOf({ id, log }: Snapshot): Token {
  return { epoch: log?.epoch ?? '', number: log?.number ?? 0, snapshot: id };
}

export function writeToken({ epoch, number, snapshot }: Token): string {
  return `${snapshot}.${number}.${epoch}`;
}

/** @throws ApiError 400 */
export function readToken(text: string): Token {
  const [, snapshot, number, epoch] = /^([a-z2-7]{26})\.(\d{1,15})\.([\w-]{0,40})$/.exec(text) ?? [];
  if (snapshot === undefined || epoch === undefined) {
    throw badRequest(
      'since must be the token of an earlier answer, unchanged. Leave it out to read everything.',
    );
  }
  return { epoch, number: Number(number), snapshot };
}

export function writeCursor(cursor: WalkCursor | FeedCursor): string {
  const start = writeToken(cursor.start);
  let values;
  if ('place' in cursor) {
    const { after, position } = cursor.place;
    values = [start, position, after.slug, after.time];
  } else {
    values = [start, cursor.number, cursor.slug];
  }
  const bytes = new TextEncoder().encode(JSON.stringify(values));
  const place = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
  return `${cursor.start.snapshot}.${place}`;
}

/** @throws ApiError 400 */
export function readCursor(text: string): WalkCursor | FeedCursor {
  const unreadable = badRequest(
    'cursor must be that of an earlier answer, unchanged. Leave it out to start from the beginning.',
  );
  let values: readonly unknown[];
  try {
    const place = text.slice(text.indexOf('.') + 1);
    const bytes = atob(place.replaceAll('-', '+').replaceAll('_', '/'));
    const json = new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
    values = parseJson(json, isList, 'a cursor');
  } catch {
    throw unreadable;
  }
  const [start, at, slug, time] = values;
  if (!isText(start) || !isText(slug)) throw unreadable;
  if (isNumber(time) && isPlaceOrNone(at)) {
    return { start: readToken(start), place: { after: { time, slug }, position: at } };
  }
  if (time !== undefined || !isPlace(at)) throw unreadable;
  return { start: readToken(start), number: at, slug };
}

function isPlace(value: unknown): value is number {
  return isNumber(value) && Number.isSafeInteger(value) && value >= 0;
}

const isPlaceOrNone = nullOr(isPlace);
