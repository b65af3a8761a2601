import { decodeSet, encodeSet } from '../contract/positions.ts';
import type { BuiltPost } from './blog.ts';
import type { Difference } from './difference.ts';
import type { BuildMemory, SetKind, StoredSet } from './memory.ts';
import type { ObjectWriter } from './object-writer.ts';

/** The sets of all categories, tags and authors that have a post, by id. */
export type Sets = Readonly<Record<SetKind, ReadonlyMap<number, StoredSet>>>;

/**
 * Positions of the posts of each category, tag and author. Only the sets of which a member came, went or
 * moved are written: what is below `from` is taken from the old set, what is above from the posts.
 */
export function buildSets(difference: Difference, memory: BuildMemory, writer: ObjectWriter): Sets {
  const moved = new Moves();
  for (const post of difference.tailBefore) moved.touch(post);
  difference.tail.forEach((post, i) => moved.add(post, difference.from + i));
  for (const { position, before, after } of difference.edited) {
    if (belongsAlike(before, after)) continue;
    moved.remove(before, position);
    moved.add(after, position);
  }

  for (const { kind, id, added, removed } of moved.sets()) {
    const old = memory.set(kind, id);
    const kept = old && difference.from > 0 ? decodeSet(writer.read('set', old.hash)) : new Uint32Array();
    const positions = [
      ...kept.filter((position) => position < difference.from && !removed.has(position)),
      ...added,
    ];
    positions.sort((a, b) => a - b);
    if (positions.length === 0) memory.deleteSet(kind, id);
    else memory.putSet(kind, id, { hash: writer.put('set', encodeSet(positions)), size: positions.length });
  }
  return { category: memory.sets('category'), tag: memory.sets('tag'), author: memory.sets('author') };
}

function belongsAlike(a: BuiltPost, b: BuiltPost): boolean {
  return a.categoryId === b.categoryId && a.authorId === b.authorId && a.tagIds === b.tagIds;
}

interface Move {
  readonly kind: SetKind;
  readonly id: number;
  readonly added: number[];
  readonly removed: Set<number>;
}

/** What came to and went from each set. */
class Moves {
  readonly #moves = new Map<string, Move>();

  sets(): Iterable<Move> {
    return this.#moves.values();
  }

  touch(post: BuiltPost): void {
    this.#each(post, () => undefined);
  }

  add(post: BuiltPost, position: number): void {
    this.#each(post, ({ added }) => added.push(position));
  }

  remove(post: BuiltPost, position: number): void {
    this.#each(post, ({ removed }) => removed.add(position));
  }

  #each({ categoryId, authorId, tagIds }: BuiltPost, work: (move: Move) => void): void {
    if (categoryId !== null) work(this.#of('category', categoryId));
    if (authorId !== null) work(this.#of('author', authorId));
    if (tagIds !== '') for (const id of tagIds.split(' ')) work(this.#of('tag', Number(id)));
  }

  #of(kind: SetKind, id: number): Move {
    const key = `${kind} ${id}`;
    let move = this.#moves.get(key);
    if (!move) this.#moves.set(key, (move = { kind, id, added: [], removed: new Set() }));
    return move;
  }
}
