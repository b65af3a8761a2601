/** The record of changes, from publish to publish (contract/change-log.ts). */
import { randomBytes } from 'node:crypto';
import {
  type Change,
  type ChangeLog,
  decodeChanges,
  encodeChanges,
  type LogPart,
} from '../contract/change-log.ts';
import type { ObjectHash } from '../contract/object-name.ts';
import type { ChangedArticles } from './snapshots/changed-articles.ts';

/** The newest part is written with each publish, so it must stay small; older ones are joined up to a size. */
const NEWEST_CHANGES = 256;
const MOST_CHANGES = 4096;

/** Changes are known for so long at least. */
const KEPT_SECONDS = 31 * 86_400;

/** More than half of the articles, and so many: then reading the whole blog again costs a copy no more. */
const TOO_MANY = 1000;

/** Where parts are kept. */
export interface LogStore {
  put(kind: 'changes', text: string): ObjectHash;
  read(kind: 'changes', hash: ObjectHash): string;
}

/** A record that knows of nothing before the current snapshot. */
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
 * The record after one more publish.
 *
 * @param changed in comparison with the snapshot before
 * @param posts how many the snapshot has
 * @param now Unix seconds
 */
export function recordChanges(
  log: ChangeLog,
  { slugs, lists }: ChangedArticles,
  posts: number,
  now: number,
  store: LogStore,
): ChangeLog {
  const number = log.number + 1;
  const next = {
    epoch: log.epoch,
    number,
    lists: { ...log.lists, ...Object.fromEntries(lists.map((list) => [list, number])) },
  };
  if (slugs.size > TOO_MANY && slugs.size > posts / 2) return { ...next, since: number, parts: [] };
  const changes = [...slugs].sort().map((slug): Change => [number, slug]);
  const parts = changes.length === 0 ? log.parts : addTo(log.parts, changes, now, store);
  const kept = parts.filter(({ at }) => now - at < KEPT_SECONDS);
  const dropped = parts[kept.length];
  return { ...next, since: Math.max(log.since, dropped?.newest ?? 0), parts: kept };
}

/** The newest part takes new changes as long as it is small; else it is joined with the one before it. */
function addTo(
  parts: readonly LogPart[],
  changes: readonly Change[],
  now: number,
  store: LogStore,
): readonly LogPart[] {
  const [newest, older, ...rest] = parts;
  if (!newest) return write(changes, now, store);
  if (newest.size + changes.length <= NEWEST_CHANGES) {
    return [...write(joined(changes, newest, store), now, store), ...parts.slice(1)];
  }
  const added = write(changes, now, store);
  if (!older || newest.size + older.size > MOST_CHANGES) return [...added, ...parts];
  const both = joined(decodeChanges(store.read('changes', newest.hash)), older, store);
  return [...added, ...write(both, newest.at, store), ...rest];
}

/** Newer changes, and those of a part that they do not replace. */
function joined(changes: readonly Change[], part: LogPart, store: LogStore): readonly Change[] {
  const replaced = new Set(changes.map(([, slug]) => slug));
  const older = decodeChanges(store.read('changes', part.hash));
  return [...changes, ...older.filter(([, slug]) => !replaced.has(slug))];
}

function write(changes: readonly Change[], at: number, store: LogStore): LogPart[] {
  const parts: LogPart[] = [];
  for (let from = 0; from < changes.length; from += MOST_CHANGES) {
    const some = changes.slice(from, from + MOST_CHANGES);
    const hash = store.put('changes', encodeChanges(some));
    parts.push({ hash, newest: some[0]?.[0] ?? 0, at, size: some.length });
  }
  return parts;
}
