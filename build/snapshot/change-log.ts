/** The record of changes, from publish to publish (contract/change-log.ts). */
import { randomBytes } from 'node:crypto';
import {
  type Change,
  type ChangeLog,
  decodeChanges,
  encodeChanges,
  type LogPart,
} from '../../contract/change-log.ts';
import { Lines } from '../../contract/lines.ts';
import { type Directory, parseDirectory } from '../../contract/directory.ts';
import { codeOf } from '../../common/thrown.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { SnapshotIncomplete } from '../errors.ts';
import { type ChangedArticles, changedArticles, type ObjectReader } from '../history/changed-articles.ts';

/** Each publish rewrites the newest part, so it must stay small; older parts are merged up to a size. */
const MAX_NEWEST_CHANGES = 256;
const MAX_CHANGES = 4096;

/** How long changes are kept at least. */
const KEPT_SECONDS = 31 * 86_400;

/** If more articles changed, and more than half of all, clients read the whole blog again: that costs no more. */
const RESET_ABOVE = 1000;

/** The objects of the record and of the snapshots. */
interface LogStore extends ObjectReader {
  put(kind: 'lines', content: string): ObjectHash;
}

/** A new record, which starts at the current snapshot. */
export function newChangeLog(): ChangeLog {
  return {
    epoch: randomBytes(9).toString('base64url'),
    number: 1,
    since: 1,
    lists: { categories: 1, tags: 1, authors: 1 },
    parts: [],
  };
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
  { now, store }: { readonly now: number; readonly store: LogStore },
): Promise<ChangeLog> {
  if (!current?.changes) return newChangeLog();
  const { snapshot, changes: log } = current;
  if (snapshot === next) return log;
  const after = await readDirectory(store, next);
  try {
    const before = await readDirectory(store, snapshot);
    const changed = await changedArticles(before, after, store);
    return await recordChanges(log, changed, after.posts, now, store);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return newChangeLog();
  }
}

async function readDirectory(store: ObjectReader, hash: ObjectHash): Promise<Directory> {
  return parseDirectory(new TextDecoder().decode(await store.read('directory', hash)));
}

/** Whether the error reports a missing or invalid object. */
function isDamage(error: unknown): boolean {
  const kinds = [SnapshotIncomplete, SyntaxError, RangeError];
  return kinds.some((kind) => error instanceof kind) || codeOf(error) === 'ENOENT';
}

/**
 * The record after one more publish.
 *
 * @param changed the difference to the snapshot before
 * @param posts the number of posts in the snapshot
 * @param now Unix seconds
 */
export async function recordChanges(
  log: ChangeLog,
  { slugs, lists }: ChangedArticles,
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
    return { ...next, since: number, parts: [] };
  }
  const changes = [...slugs].sort().map((slug): Change => [number, slug]);
  const parts = changes.length === 0 ? log.parts : await addTo(log.parts, changes, now, store);
  const kept = parts.filter(({ at }) => now - at < KEPT_SECONDS);
  const since = Math.max(log.since, parts[kept.length]?.newest ?? 0);
  return { ...next, since, parts: kept };
}

/** Adds changes to the newest part while it is small; otherwise starts a new part, and merges the two before it. */
async function addTo(
  parts: readonly LogPart[],
  changes: readonly Change[],
  now: number,
  store: LogStore,
): Promise<readonly LogPart[]> {
  const [newest, older, ...rest] = parts;
  if (!newest) return write(changes, now, store);
  const changesIn = async ({ hash }: LogPart) => decodeChanges(new Lines(await store.read('lines', hash)));
  if (newest.size + changes.length <= MAX_NEWEST_CHANGES) {
    const both = mergeChanges(changes, await changesIn(newest));
    return [...write(both, now, store), ...parts.slice(1)];
  }
  const added = write(changes, now, store);
  if (!older || newest.size + older.size > MAX_CHANGES) return [...added, ...parts];
  const both = mergeChanges(await changesIn(newest), await changesIn(older));
  return [...added, ...write(both, newest.at, store), ...rest];
}

/** Merges changes: only the last change of each article is kept. */
function mergeChanges(newer: readonly Change[], older: readonly Change[]): readonly Change[] {
  const known = new Set<string>();
  return [...newer, ...older].filter(([, slug]) => !known.has(slug) && known.add(slug));
}

function write(changes: readonly Change[], at: number, store: LogStore): LogPart[] {
  const parts: LogPart[] = [];
  for (let from = 0; from < changes.length; from += MAX_CHANGES) {
    const some = changes.slice(from, from + MAX_CHANGES);
    const hash = store.put('lines', encodeChanges(some));
    parts.push({ hash, newest: some[0]?.[0] ?? 0, at, size: some.length });
  }
  return parts;
}
