import {
  type NameEntries,
  type NameTable,
  parseNames,
  shardCount,
  shardOf,
  sizeOf,
} from '../../contract/name-table.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
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

/**
 * The table of all articles. In a large one, only shards with a changed name are written, and those that are split or
 * merged because the number of names changed.
 */
export function buildPostNames(
  { ids, changes }: Difference,
  before: NameTable | undefined,
  memory: BuildMemory,
  writer: ObjectStore,
): NameTable {
  const shards = shardCount(ids.length);
  if (
    !before ||
    !('shards' in before) ||
    shards === 0 ||
    Math.abs(shards - before.shards.length) > MAX_RESIZED_SHARDS
  ) {
    return writeNames(memory.names(), writer);
  }
  const old = before.shards;
  const rewritten = new Set(resizedShards(old.length, shards));
  for (const { before: was, after: is } of changes) {
    for (const post of [was, is]) if (post) rewritten.add(shardOf(post.slug, shards));
  }

  const names = new Map<string, ObjectHash>();
  for (const shard of rewritten) {
    const hash = old[shard];
    if (hash !== undefined) for (const [name, object] of readShard(hash, writer)) names.set(name, object);
  }
  for (const { before: was } of changes) if (was) names.delete(was.slug);
  for (const { after: is } of changes) if (is?.hash) names.set(is.slug, is.hash);

  const contents = new Map([...rewritten].map((shard): [number, NameEntries[number][]] => [shard, []]));
  for (const [name, hash] of names) contents.get(shardOf(name, shards))?.push([name, hash]);
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
