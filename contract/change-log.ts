/**
 * The record of changes, by which a copy of the blog follows it (`GET /changes`). It says which articles changed with
 * which publish, and it is named by the pointer: it tells of publishes, which the snapshot knows nothing of.
 *
 * The snapshots of an output, or of a bucket, are numbered. An article stands in the record for the last publish that
 * changed, added or removed it; whether it is there now is for the snapshot to say. For walks that began with an earlier
 * snapshot, it stands there for each publish since `walks`, with the version that the publish replaced.
 */
import { isList, isNumber, isText, listOf, parseJson, recordOf } from './json.ts';
import { isObjectHash, type ObjectHash } from './object-hash.ts';

/** The lists of which a copy can have one each, whole. */
export const LISTS = ['categories', 'tags', 'authors'] as const;
export type ListName = (typeof LISTS)[number];

/** What the pointer says of the record. */
export interface ChangeLog {
  /** Random: numbers of another epoch mean other snapshots. */
  readonly epoch: string;
  /** Of the current snapshot. */
  readonly number: number;
  /** Since this number everything is known. */
  readonly since: number;
  /** Since this number the earlier versions of articles are kept, so that walks can continue; never below `since`. */
  readonly walks: number;
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
  /** How many of them name an earlier version that is kept. */
  readonly versions: number;
}

/** An article that a publish changed, added or removed. After `walks`, one that was there before has its version of then. */
export type Change = readonly [number: number, slug: string, before?: Version];

/** An article as it was. */
export type Version = readonly [
  /** When it was published then, in Unix seconds. */
  time: number,
  /** The object of kind `earlier` with its record, and the place in it, from 0. */
  hash: ObjectHash,
  index: number,
];

/** The objects of kind `earlier` that some changes name and that are kept. */
export function keptVersions(changes: readonly Change[], { walks }: Pick<ChangeLog, 'walks'>): ObjectHash[] {
  const hashes = changes.map(([number, , before]) => (number > walks ? before?.[1] : undefined));
  return [...new Set(hashes)].filter((hash) => hash !== undefined);
}

export function encodeChanges(changes: readonly Change[]): string {
  return `${JSON.stringify(changes)}\n`;
}

/** Reads an object of kind `changes`: the highest number first. @throws SyntaxError where the text is none */
export function decodeChanges(text: string): readonly Change[] {
  return parseJson(text, listOf(isChange), 'a record of changes');
}

function isChange(value: unknown): value is Change {
  if (!isList(value) || !isNumber(value[0]) || !isText(value[1])) return false;
  return value.length === 2 || (value.length === 3 && isVersion(value[2]));
}

function isVersion(value: unknown): value is Version {
  return isList(value) && isNumber(value[0]) && isObjectHash(value[1]) && isNumber(value[2]);
}

export const isChangeLog = recordOf<ChangeLog>({
  epoch: isText,
  number: isNumber,
  since: isNumber,
  walks: isNumber,
  lists: recordOf<ChangeLog['lists']>({ categories: isNumber, tags: isNumber, authors: isNumber }),
  parts: listOf(
    recordOf<LogPart>({
      hash: isObjectHash,
      newest: isNumber,
      at: isNumber,
      size: isNumber,
      versions: isNumber,
    }),
  ),
});
