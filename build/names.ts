import {
  type NameEntries,
  type NameTable,
  parseNames,
  shardCount,
  shardOf,
  sizeOf,
} from '../contract/name-table.ts';
import type { ObjectHash } from '../contract/object-name.ts';
import type { Difference } from './difference.ts';
import type { BuildMemory } from './memory.ts';
import type { ObjectStore } from './object-writer.ts';

/** A table that grew or shrank by more than so many shards is rewritten. */
const FEW_SHARDS = 16;

/** Writes a name table: in the directory itself where it is small, else as shards. */
export function writeNames(entries: NameEntries, writer: ObjectStore): NameTable {
  const shards = shardCount(sizeOf(entries));
  if (shards === 0) return { inline: sorted(entries) };
  const contents = Array.from({ length: shards }, (): NameEntries[number][] => []);
  for (const entry of entries) contents[shardOf(entry[0], shards)]?.push(entry);
  return { shards: contents.map((content) => writeShard(content, writer)) };
}

/**
 * The table of all articles: of a large one only the shards are written that hold a changed name, or that
 * are split or joined since the number of names grew or shrank.
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
    Math.abs(shards - before.shards.length) > FEW_SHARDS
  ) {
    return writeNames(memory.names(), writer);
  }
  const old = before.shards;
  const renewed = new Set(resized(old.length, shards));
  for (const { before: was, after: is } of changes) {
    for (const post of [was, is]) {
      if (post) renewed.add(shardOf(post.slug, shards));
      if (post) renewed.add(shardOf(post.slug, old.length));
    }
  }

  const names = new Map<string, ObjectHash>();
  for (const shard of renewed) {
    const hash = old[shard];
    if (hash !== undefined) for (const [name, object] of readShard(hash, writer)) names.set(name, object);
  }
  for (const { before: was } of changes) if (was) names.delete(was.slug);
  for (const { after: is } of changes) if (is?.hash) names.set(is.slug, is.hash);

  const contents = new Map([...renewed].map((shard): [number, NameEntries[number][]] => [shard, []]));
  for (const [name, hash] of names) contents.get(shardOf(name, shards))?.push([name, hash]);
  return {
    shards: Array.from({ length: shards }, (_, shard) => {
      const content = contents.get(shard);
      const kept = old[shard];
      return content || kept === undefined ? writeShard(content ?? [], writer) : kept;
    }),
  };
}

/** The shards whose names change place when a table goes from one number of shards to another. */
function resized(from: number, to: number): number[] {
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

/** By code unit: any order that is the same everywhere will do. */
function sorted(entries: NameEntries): NameEntries {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
}
