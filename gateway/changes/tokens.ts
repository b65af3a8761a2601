/**
 * Tokens and cursors of `GET /changes`, opaque to clients. A token is a place in the record of changes
 * (contract/change-log.ts). A cursor is the progress of a client that reads page by page. Both name only numbers of
 * publishes, slugs and times: nothing from which an earlier state could be read.
 */
import type { ArticleKey } from '../../contract/article-order.ts';
import { isFlag, isList, isNumber, isText, parseJson } from '../../contract/json.ts';
import { badRequest } from '../api-error.ts';
import { toBase64Url } from '../base64-url.ts';

/** A publish. */
export interface Token {
  readonly epoch: string;
  readonly number: number;
}

/** The progress of a client. */
export interface SyncProgress {
  readonly epoch: string;
  /** The publish with which the client began. */
  readonly began: number;
  /** The highest publish that a page has shown. */
  readonly shown: number;
  /** Whether it began with all articles. */
  readonly isFull: boolean;
  /** The last article, as long as all articles are read; then the last change. */
  readonly after: ArticlePlace | ChangeKey;
}

/** A place in a walk. */
export interface ArticlePlace extends ArticleKey {
  /** In the snapshot of the publish `shown`. */
  readonly position: number;
}

/** A place in the record of changes, which is ordered by number, then slug. */
export interface ChangeKey {
  readonly number: number;
  readonly slug: string;
}

export function writeToken({ epoch, number }: Token): string {
  return `${number}.${epoch}`;
}

/** @throws ApiError 400 */
export function readToken(text: string): Token {
  const [, number, epoch] = /^(0|[1-9]\d{0,14})\.((?:[\w-]{12})?)$/.exec(text) ?? [];
  if (epoch === undefined)
    throw badRequest('since must be the token of an earlier answer, unchanged. Omit it to read everything.');
  return { epoch, number: Number(number) };
}

export function writeCursor({ epoch, began, shown, isFull, after }: SyncProgress): string {
  const place = 'time' in after ? [after.time, after.position] : [after.number];
  return toBase64Url(encoder.encode(JSON.stringify([epoch, began, shown, isFull, after.slug, ...place])));
}

/** @throws ApiError 400 */
export function readCursor(text: string): SyncProgress {
  const progress = progressIn(text);
  // Also refuses other spellings of the same progress.
  if (progress && writeCursor(progress) === text) return progress;
  throw badRequest(
    'cursor must be the cursor of an earlier answer, unchanged. Start again without a cursor.',
  );
}

function progressIn(text: string): SyncProgress | undefined {
  let values: readonly unknown[];
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (byte) =>
      byte.charCodeAt(0),
    );
    values = parseJson(new TextDecoder().decode(bytes), isList, 'a cursor');
  } catch {
    return undefined;
  }
  const [epoch, began, shown, isFull, slug, at, position] = values;
  if (!isText(epoch) || !isNumber(began) || !isNumber(shown) || !isFlag(isFull)) return undefined;
  if (!isText(slug) || !isNumber(at)) return undefined;
  if (position === undefined) return { epoch, began, shown, isFull, after: { number: at, slug } };
  if (!isNumber(position) || !Number.isSafeInteger(position) || position < 0) return undefined;
  return { epoch, began, shown, isFull, after: { time: at, slug, position } };
}

const encoder = new TextEncoder();
