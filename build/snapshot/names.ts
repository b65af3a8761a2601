import {
  encodeNames,
  type NameEntries,
  type NameEntry,
  type NameTable,
  shardCount,
  shardOf,
} from '../../contract/name-table.ts';
import type { Post, Taxonomy } from './blog.ts';
import { type BuildMemory, inputsOf } from './memory.ts';
import type { ObjectStore } from './object-writer.ts';
import { versionsOf } from './pages.ts';

/** Writes a name table: a small one inline in the directory, a large one as shards. */
export function writeNames(entries: NameEntries, store: ObjectStore): NameTable {
  return (
    inlineTable(entries) ?? {
      shards: sharded(entries, ([name]) => name).map((some) => store.put('lines', encodeNames(some))),
    }
  );
}

/** The table of all articles. A shard whose articles are unchanged is known. */
export function writePostNames(
  posts: readonly Post[],
  taxonomy: Taxonomy,
  memory: BuildMemory,
  store: ObjectStore,
): NameTable {
  const entriesOf = (some: readonly Post[]) => {
    const bodies = memory.pagePosts(some.map(({ id }) => id));
    return some.map(({ slug, unix }, i): NameEntry => [slug, bodies[i]?.body ?? '', unix]);
  };
  if (shardCount(posts.length) === 0) return { inline: sorted(entriesOf(posts)) };
  return {
    shards: sharded(posts, ({ slug }) => slug).map((some) =>
      memory.make(inputsOf('names', ...versionsOf(some, taxonomy)), () =>
        store.put('lines', encodeNames(entriesOf(some))),
      ),
    ),
  };
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

/** Undefined: the table is large. */
function inlineTable(entries: NameEntries): NameTable | undefined {
  return shardCount(entries.length) === 0 ? { inline: sorted(entries) } : undefined;
}

/** The entries of each shard. */
function sharded<T>(entries: readonly T[], nameOf: (entry: T) => string): readonly (readonly T[])[] {
  const shards = Array.from({ length: shardCount(entries.length) }, (): T[] => []);
  for (const entry of entries) shards[shardOf(nameOf(entry), shards.length)]?.push(entry);
  return shards;
}

/** By code unit: the order only needs to be the same everywhere. */
function sorted(entries: NameEntries): NameEntries {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
}
