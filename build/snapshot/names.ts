import {
  encodeNames,
  type NameEntries,
  type NameEntry,
  type NameTable,
  shardCount,
  shardIndex,
} from '../../contract/name-table.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import type { Post, Taxonomy } from './blog.ts';
import { type BuildMemory, hashInputs } from './memory.ts';
import type { ObjectStore } from './object-writer.ts';
import { postInputs } from './pages.ts';

/** Writes a name table. */
export function writeNames(entries: NameEntries, store: ObjectStore): NameTable {
  return makeTable(
    entries,
    ([name]) => name,
    (all) => all,
    (shard) => store.put('lines', encodeNames(shard)),
  );
}

/** The table of all articles. A shard whose articles are unchanged is known. */
export function writePostNames(
  posts: readonly Post[],
  taxonomy: Taxonomy,
  memory: BuildMemory,
  store: ObjectStore,
): NameTable {
  const findEntries = (some: readonly Post[]) => {
    const bodies = memory.pagePosts(some.map(({ id }) => id));
    return some.map(({ slug, time }, i): NameEntry => [slug, bodies[i]?.body ?? '', time]);
  };
  return makeTable(
    posts,
    ({ slug }) => slug,
    findEntries,
    (shard) =>
      memory.make(hashInputs('names', ...postInputs(shard, taxonomy)), () =>
        store.put('lines', encodeNames(findEntries(shard))),
      ),
  );
}

/** The table of former slugs, if there are any. @param former slugs, each with the post's id */
export function writeFormerNames(
  former: readonly (readonly [slug: string, postId: number])[],
  posts: readonly Post[],
  store: ObjectStore,
): { readonly moved?: NameTable } {
  if (former.length === 0) return {};
  const slugs = new Map(posts.map(({ id, slug }) => [id, slug]));
  const entries = former.flatMap(([name, id]): NameEntry[] => {
    const slug = slugs.get(id);
    return slug === undefined ? [] : [[name, slug]];
  });
  return entries.length === 0 ? {} : { moved: writeNames(entries, store) };
}

/** A small table inline in the directory, a large one as shards. */
function makeTable<T>(
  named: readonly T[],
  getName: (one: T) => string,
  toEntries: (all: readonly T[]) => NameEntries,
  write: (shard: readonly T[]) => ObjectHash,
): NameTable {
  const count = shardCount(named.length);
  if (count === 0) return { inline: sorted(toEntries(named)) };
  const shards = Array.from({ length: count }, (): T[] => []);
  for (const one of named) shards[shardIndex(getName(one), count)]?.push(one);
  return { shards: shards.map(write) };
}

/** By code unit: the order only needs to be the same everywhere. */
function sorted(entries: NameEntries): NameEntries {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
}
