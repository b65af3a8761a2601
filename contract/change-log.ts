/**
 * The record of changes: which articles changed with which publish. Clients use it to keep a copy of the blog up to
 * date (`GET /changes`). The pointer names it, because snapshots contain no data about publishes.
 *
 * The snapshots of an output, or of a bucket, are numbered. The record lists an article under the last publish that
 * changed, added or removed it. The snapshot shows whether it still exists. The record has slugs and no texts, so nobody
 * can read from it what was published before.
 */
import { isNumber, isText, listOf, pairOf, parseJson, recordOf } from './json.ts';
import { encodeLines, type Lines } from './lines.ts';
import { isObjectHash, type ObjectHash } from './object-hash.ts';

/** The lists that a client can copy as a whole. */
export const TERM_LISTS = ['categories', 'tags', 'authors'] as const;
export type TermListName = (typeof TERM_LISTS)[number];

/** The record of changes, as the pointer names it. */
export interface ChangeLog {
  /** Random. Numbers of another epoch refer to other snapshots. */
  readonly epoch: string;
  /** The number of the current snapshot. */
  readonly number: number;
  /** The record is complete since this number. */
  readonly since: number;
  /** The number of the last change of each list. */
  readonly lists: Readonly<Record<TermListName, number>>;
  /** The objects that hold the record, newest first. */
  readonly parts: readonly LogPart[];
}

/** Lines with a part of the record. */
export interface LogPart {
  readonly hash: ObjectHash;
  /** The highest number in it. */
  readonly newest: number;
  /** Publish time of `newest`, in Unix seconds. */
  readonly at: number;
  /** The number of its changes. */
  readonly size: number;
}

/** An article that a publish changed, added or removed. */
export type Change = readonly [number: number, slug: string];

export function encodeChanges(changes: readonly Change[]): string {
  return encodeLines(changes.map((change) => ({ text: JSON.stringify(change) })));
}

/** Reads a part of the record: the highest number first. @throws SyntaxError if the lines are not one */
export function decodeChanges(lines: Lines): readonly Change[] {
  return [...lines].map((text) => parseJson(text, isChange, 'a change'));
}

const isChange = pairOf(isNumber, isText);

export const isChangeLog = recordOf<ChangeLog>({
  epoch: isText,
  number: isNumber,
  since: isNumber,
  lists: recordOf<ChangeLog['lists']>({ categories: isNumber, tags: isNumber, authors: isNumber }),
  parts: listOf(recordOf<LogPart>({ hash: isObjectHash, newest: isNumber, at: isNumber, size: isNumber })),
});
