/** The record of changes, from publish to publish (contract/change-log.ts). */
import { randomBytes } from 'node:crypto';
import {
  type Change,
  type ChangeLog,
  decodeChanges,
  encodeChanges,
  type LogPart,
  type Version,
} from '../../contract/change-log.ts';
import { parseDirectory } from '../../contract/directory.ts';
import { codeOf } from '../../common/errors.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { SnapshotIncomplete } from '../errors.ts';
import { type ChangedArticles, changedArticles, type TextStore } from '../history/changed-articles.ts';
import { keepEarlier } from '../history/earlier-articles.ts';

/** Each publish rewrites the newest part, so it must stay small; older parts are merged up to a size. */
const MAX_NEWEST_CHANGES = 256;
const MAX_CHANGES = 4096;

/** How long changes are kept at least. */
const KEPT_SECONDS = 31 * 86_400;

/** If more articles changed, and more than half of all, clients read the whole blog again: that costs no more. */
const RESET_ABOVE = 1000;

/** Fewest earlier versions to keep; else half as many as articles, which take a fifth of the articles' size gzipped. */
const MIN_VERSIONS = 50;

/** The objects of the record and of the snapshots. */
export interface LogStore extends TextStore {
  put(kind: 'changes' | 'earlier', content: string | Buffer): ObjectHash;
}

/** A new record, which starts at the current snapshot. */
export function newChangeLog(): ChangeLog {
  return {
    epoch: randomBytes(9).toString('base64url'),
    number: 1,
    since: 1,
    walks: 1,
    lists: { categories: 1, tags: 1, authors: 1 },
    parts: [],
  };
}

/** The record without earlier versions of articles: walks in progress have to start again. */
export function withoutVersions(log: ChangeLog): ChangeLog {
  return { ...log, walks: log.number, parts: log.parts.map((part) => ({ ...part, versions: 0 })) };
}

/**
 * The record after a publish or a rollback, from a comparison of the snapshots. If there is no record, or something is
 * missing or damaged, a new record starts.
 *
 * @param current what was served until now
 * @param next the next snapshot; its objects are in the store
 * @param now Unix seconds
 */
export async function updateChangeLog(
  current: Pick<Pointer, 'snapshot' | 'changes'> | undefined,
  next: ObjectHash,
  { now, withdrawing = false, store }: UpdateOptions,
): Promise<ChangeLog> {
  if (!current?.changes) return newChangeLog();
  const { snapshot, changes: log } = current;
  if (snapshot === next) return log;
  const after = parseDirectory(await store.read('directory', next));
  try {
    const before = parseDirectory(await store.read('directory', snapshot));
    const changed = await changedArticles(before, after, store);
    // No version of a withdrawn article is kept.
    const most = withdrawing ? 0 : maxVersions(after.posts);
    const earlier = await keepEarlier(before, changed.slugs, most, store);
    return await recordChanges(log, changed, earlier, after.posts, now, store);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return newChangeLog();
  }
}

export interface UpdateOptions {
  readonly now: number;
  /** One article is withdrawn: no earlier versions are kept. */
  readonly withdrawing?: boolean;
  readonly store: LogStore;
}

/** Whether the error reports a missing or invalid object. */
function isDamage(error: unknown): boolean {
  const kinds = [SnapshotIncomplete, SyntaxError, RangeError];
  return kinds.some((kind) => error instanceof kind) || codeOf(error) === 'ENOENT';
}

/** The number of earlier versions of articles that are kept. */
export function maxVersions(posts: number): number {
  return Math.max(MIN_VERSIONS, Math.floor(posts / 2));
}

/**
 * The record after one more publish.
 *
 * @param changed the difference to the snapshot before
 * @param earlier slug → version before, for all articles that existed; null: none is kept
 * @param posts the number of posts in the snapshot
 * @param now Unix seconds
 */
export async function recordChanges(
  log: ChangeLog,
  { slugs, lists }: ChangedArticles,
  earlier: ReadonlyMap<string, Version> | null,
  posts: number,
  now: number,
  store: LogStore,
): Promise<ChangeLog> {
  const number = log.number + 1;
  const next = {
    epoch: log.epoch,
    number,
    lists: { ...log.lists, ...Object.fromEntries(lists.map((list) => [list, number])) },
  };
  if (slugs.size > RESET_ABOVE && slugs.size > posts / 2) {
    return { ...next, since: number, walks: number, parts: [] };
  }
  const changes = [...slugs].sort().map((slug): Change => {
    const before = earlier?.get(slug);
    return before ? [number, slug, before] : [number, slug];
  });
  const walks = earlier ? log.walks : number;
  const parts = changes.length === 0 ? log.parts : await addTo(log.parts, changes, walks, now, store);
  const kept = parts.filter(({ at }) => now - at < KEPT_SECONDS);
  const dropped = parts[kept.length];
  const since = Math.max(log.since, dropped?.newest ?? 0);
  const grown = { ...next, since, walks: Math.max(walks, since), parts: kept };
  return earlier ? dropOldestVersions(grown, maxVersions(posts), store) : withoutVersions(grown);
}

/** Drops the oldest versions, until at most `most` remain. */
async function dropOldestVersions(log: ChangeLog, most: number, store: LogStore): Promise<ChangeLog> {
  let { walks } = log;
  let over = log.parts.reduce((sum, { versions }) => sum + versions, 0) - most;
  const parts: LogPart[] = [];
  for (const part of log.parts.toReversed()) {
    let { versions } = part;
    if (over > 0 && versions > 0) {
      const read = decodeChanges(await store.read('changes', part.hash));
      const numbers = read.flatMap(([number, , before]) => (before && number > walks ? [number] : []));
      walks = numbers.at(-over) ?? numbers[0] ?? walks;
      versions = numbers.filter((number) => number > walks).length;
      over -= part.versions - versions;
    }
    parts.unshift({ ...part, versions });
  }
  return { ...log, walks, parts };
}

/** Adds changes to the newest part while it is small; otherwise starts a new part, and merges the two before it. */
async function addTo(
  parts: readonly LogPart[],
  changes: readonly Change[],
  walks: number,
  now: number,
  store: LogStore,
): Promise<readonly LogPart[]> {
  const [newest, older, ...rest] = parts;
  if (!newest) return write(changes, now, store);
  const changesIn = async ({ hash }: LogPart) => decodeChanges(await store.read('changes', hash));
  if (newest.size + changes.length <= MAX_NEWEST_CHANGES) {
    const both = mergeChanges(changes, await changesIn(newest), walks);
    return [...write(both, now, store), ...parts.slice(1)];
  }
  const added = write(changes, now, store);
  if (!older || newest.size + older.size > MAX_CHANGES) return [...added, ...parts];
  const both = mergeChanges(await changesIn(newest), await changesIn(older), walks);
  return [...added, ...write(both, newest.at, store), ...rest];
}

/** Merges changes. Up to `walks`, only the last change of each article is kept, without its version before. */
function mergeChanges(newer: readonly Change[], older: readonly Change[], walks: number): readonly Change[] {
  const known = new Set<string>();
  return [...newer, ...older].flatMap((change): Change[] => {
    const [number, slug] = change;
    const isKnown = known.has(slug);
    known.add(slug);
    if (number > walks) return [change];
    return isKnown ? [] : [[number, slug]];
  });
}

function write(changes: readonly Change[], at: number, store: LogStore): LogPart[] {
  const parts: LogPart[] = [];
  for (let from = 0; from < changes.length; from += MAX_CHANGES) {
    const some = changes.slice(from, from + MAX_CHANGES);
    const hash = store.put('changes', encodeChanges(some));
    const versions = some.filter(([, , before]) => before).length;
    parts.push({ hash, newest: some[0]?.[0] ?? 0, at, size: some.length, versions });
  }
  return parts;
}
