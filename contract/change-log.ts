/**
 * The record of changes, by which a copy of the blog follows it (`GET /changes`). It says which articles changed with
 * which publish, and it is named by the pointer: it tells of publishes, which the snapshot knows nothing of.
 *
 * The snapshots of an output are numbered. An article stands in the record once for the last publish that changed,
 * added or removed it, and perhaps for earlier ones; whether it is there now is for the snapshot to say.
 */
import { isList, isNumber, isText, listOf, parseJson, recordOf } from './json.ts';
import { isObjectHash, type ObjectHash } from './object-hash.ts';

/** The lists of which a copy can have one each, whole. */
export const LISTS = ['categories', 'tags', 'authors'] as const;
export type ListName = (typeof LISTS)[number];

/** What the pointer says of the record. */
export interface ChangeLog {
  /** Random: numbers of another epoch mean other snapshots. An output's first, and one after each rollback. */
  readonly epoch: string;
  /** Of the current snapshot. */
  readonly number: number;
  /** Since this number everything is known. */
  readonly since: number;
  /** The number with which each list last changed. */
  readonly lists: Readonly<Record<ListName, number>>;
  /** The objects that hold the record, newest first. */
  readonly parts: readonly LogPart[];
}

/** An object of kind `changes`. */
export interface LogPart {
  readonly hash: ObjectHash;
  /** The highest number in it. */
  readonly newest: number;
  /** When that was published, in Unix seconds. */
  readonly at: number;
  /** How many changes it holds. */
  readonly size: number;
}

/** An article that a publish changed, added or removed. */
export type Change = readonly [number: number, slug: string];

export function encodeChanges(changes: readonly Change[]): string {
  return `${JSON.stringify(changes)}\n`;
}

/** Reads an object of kind `changes`: the highest number first. @throws SyntaxError where the text is none */
export function decodeChanges(text: string): readonly Change[] {
  return parseJson(text, listOf(isChange), 'a record of changes');
}

function isChange(value: unknown): value is Change {
  return isList(value) && value.length === 2 && isNumber(value[0]) && isText(value[1]);
}

export const isChangeLog = recordOf<ChangeLog>({
  epoch: isText,
  number: isNumber,
  since: isNumber,
  lists: recordOf<ChangeLog['lists']>({ categories: isNumber, tags: isNumber, authors: isNumber }),
  parts: listOf(recordOf<LogPart>({ hash: isObjectHash, newest: isNumber, at: isNumber, size: isNumber })),
});
