import {
  type NameEntries,
  type NameTable,
  parseNames,
  shardCount,
  shardOf,
  sizeOf,
} from '../../contract/name-table.ts';
import { isText, listOf, parseJson } from '../../contract/json.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import type { BuiltPost } from './blog.ts';
import type { Difference } from './difference.ts';
import type { BuildMemory } from './memory.ts';
import type { ObjectStore } from './object-writer.ts';

/** A table that grew or shrank by more shards is rewritten. */
const MAX_RESIZED_SHARDS = 16;

/** Writes a name table: a small one inline in the directory, a large one as shards. */
export function writeNames(entries: NameEntries, writer: ObjectStore): NameTable {
  const shards = shardCount(sizeOf(entries));
  if (shards === 0) return { inline: sorted(entries) };
  const contents = Array.from({ length: shards }, (): NameEntries[number][] => []);
  for (const entry of entries) contents[shardOf(entry[0], shards)]?.push(entry);
  return { shards: contents.map((content) => writeShard(content, writer)) };
}

/** The table of all articles. */
export function buildPostNames(
  { ids, changes }: Difference,
  before: NameTable | undefined,
  memory: BuildMemory,
  writer: ObjectStore,
): NameTable {
  const of = ({ slug, hash }: BuiltPost): NameEntries => (hash === null ? [] : [[slug, hash]]);
  return updateNames(changes, before, { count: ids.length, all: () => memory.names(), of }, writer);
}

/** The table of former slugs, if there are any. */
export function buildFormerNames(
  { changes }: Difference,
  before: NameTable | undefined,
  memory: BuildMemory,
  writer: ObjectStore,
): { readonly moved?: NameTable } {
  const count = memory.countFormerNames();
  if (count === 0) return {};
  const of = ({ slug, hash, former }: BuiltPost): NameEntries =>
    hash === null || former === null
      ? []
      : parseJson(former, listOf(isText), 'a list of slugs').map((name) => [name, slug]);
  return { moved: updateNames(changes, before, { count, all: () => memory.formerNames(), of }, writer) };
}

/** The names of a table: how many, all of them, and those of one post. */
interface Names {
  readonly count: number;
  all(): NameEntries;
  of(post: BuiltPost): NameEntries;
}

/**
 * In a large table, only shards with a changed name are written, and those that are split or merged because the number of
 * names changed.
 */
function updateNames(
  changes: Difference['changes'],
  before: NameTable | undefined,
  { count, all, of }: Names,
  writer: ObjectStore,
): NameTable {
  const shards = shardCount(count);
  if (
    !before ||
    !('shards' in before) ||
    shards === 0 ||
    Math.abs(shards - before.shards.length) > MAX_RESIZED_SHARDS
  ) {
    return writeNames(all(), writer);
  }
  const old = before.shards;
  const rewritten = new Set(resizedShards(old.length, shards));
  const removed = changes.flatMap(({ before: was }) => (was ? of(was) : []));
  const added = changes.flatMap(({ after: is }) => (is ? of(is) : []));
  for (const [name] of [...removed, ...added]) rewritten.add(shardOf(name, shards));

  const names = new Map<string, NameEntries[number][1]>();
  for (const shard of rewritten) {
    const hash = old[shard];
    if (hash !== undefined) for (const [name, object] of readShard(hash, writer)) names.set(name, object);
  }
  for (const [name] of removed) names.delete(name);
  for (const [name, object] of added) names.set(name, object);

  const contents = new Map([...rewritten].map((shard): [number, NameEntries[number][]] => [shard, []]));
  for (const [name, object] of names) contents.get(shardOf(name, shards))?.push([name, object]);
  return {
    shards: Array.from({ length: shards }, (_, shard) => {
      const content = contents.get(shard);
      const kept = old[shard];
      return content || kept === undefined ? writeShard(content ?? [], writer) : kept;
    }),
  };
}

/** The shards that lose or gain names when the number of shards changes. */
function resizedShards(from: number, to: number): number[] {
  const shards: number[] = [];
  for (let shard = Math.min(from, to); shard < Math.max(from, to); shard++) {
    shards.push(shard, shard - 2 ** (31 - Math.clz32(shard)));
  }
  return shards;
}

function writeShard(entries: NameEntries, writer: ObjectStore): ObjectHash {
  return writer.put('names', JSON.stringify(sorted(entries)));
}

function readShard(hash: ObjectHash, writer: ObjectStore): NameEntries {
  return parseNames(writer.read('names', hash));
}

/** By code unit: the order only needs to be the same everywhere. */
function sorted(entries: NameEntries): NameEntries {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
}
