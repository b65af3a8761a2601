/**
 * The record of changes: which articles changed with which publish. Clients use it to keep a copy of the blog up to
 * date (`GET /changes`). The pointer names it, because snapshots contain no data about publishes.
 *
 * The snapshots of an output, or of a bucket, are numbered. The record lists an article under the last publish that
 * changed, added or removed it. The snapshot shows whether it still exists. For walks that began with an earlier
 * snapshot, it is listed under each publish since `walks`, with the version that the publish replaced.
 */
import { isList, isNumber, isText, listOf, parseJson, recordOf } from './json.ts';
import { isObjectHash, type ObjectHash } from './object-hash.ts';

/** The lists that a client can copy as a whole. */
export const LISTS = ['categories', 'tags', 'authors'] as const;
export type ListName = (typeof LISTS)[number];

/** The record of changes, as the pointer names it. */
export interface ChangeLog {
  /** Random. Numbers of another epoch refer to other snapshots. */
  readonly epoch: string;
  /** The number of the current snapshot. */
  readonly number: number;
  /** The record is complete since this number. */
  readonly since: number;
  /** Earlier versions of articles are kept since this number, so that walks can continue; never below `since`. */
  readonly walks: number;
  /** The number of the last change of each list. */
  readonly lists: Readonly<Record<ListName, number>>;
  /** The objects that hold the record, newest first. */
  readonly parts: readonly LogPart[];
}

/** An object of kind `changes`. */
export interface LogPart {
  readonly hash: ObjectHash;
  /** The highest number in it. */
  readonly newest: number;
  /** Publish time of `newest`, in Unix seconds. */
  readonly at: number;
  /** The number of its changes. */
  readonly size: number;
  /** The number of changes that name a kept earlier version. */
  readonly versions: number;
}

/** An article that a publish changed, added or removed. After `walks`, it has the version before, if there was one. */
export type Change = readonly [number: number, slug: string, before?: Version];

/** An earlier version of an article. */
export type Version = readonly [
  /** Its `published_at`, in Unix seconds. */
  time: number,
  /** The object of kind `earlier` with its record, and the index in it, from 0. */
  hash: ObjectHash,
  index: number,
];

/** The kept objects of kind `earlier` that some changes name. */
export function keptVersions(changes: readonly Change[], { walks }: Pick<ChangeLog, 'walks'>): ObjectHash[] {
  const hashes = changes.map(([number, , before]) => (number > walks ? before?.[1] : undefined));
  return [...new Set(hashes)].filter((hash) => hash !== undefined);
}

export function encodeChanges(changes: readonly Change[]): string {
  return `${JSON.stringify(changes)}\n`;
}

/** Reads an object of kind `changes`: the highest number first. @throws SyntaxError if the text is not one */
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
