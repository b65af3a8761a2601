/** The tree of suffixes while it is built: each implementation of Node gives the same tree, from another source. */

/** A node of the tree, below a text. */
export interface Node {
  /** By ascending characters. There is one for each text that is longer by a character. */
  children(): readonly Child[];
  /** The bytes that TreeWriter made of it, where they are known. */
  readonly encoded?: Uint8Array;
}

export interface Child {
  /** A code point. */
  readonly character: number;
  /** Its posts by their place among those of the parent, ascending. */
  readonly ranks: Uint32Array;
  /** Undefined in a leaf: of at most LEAF_POSTS posts. */
  readonly node: Node | undefined;
}

let ranks = new Uint32Array();

/** `[0, 1, 2, … count)`: the ranks of a child that has all posts of its parent. Not to be written to. */
export function allRanks(count: number): Uint32Array {
  if (ranks.length !== count) ranks = Uint32Array.from({ length: count }, (_, rank) => rank);
  return ranks;
}

/** What stands at these ranks. */
export function pick(posts: Uint32Array, ranks: Uint32Array): Uint32Array {
  const picked = new Uint32Array(ranks.length);
  for (let i = 0; i < ranks.length; i++) picked[i] = posts[ranks[i]!]!;
  return picked;
}
