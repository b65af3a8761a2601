/** The suffix tree while it is built. Each implementation of Node gives the same tree, from another source. */

/** A node of the tree, for a text. */
export interface Node {
  /** In order of characters: one child for each text that is longer by one character. */
  children(): readonly Child[];
  /** Its encoding, if it is known. */
  readonly encoded?: Uint8Array;
}

export interface Child {
  /** A code point. */
  readonly character: number;
  /** Its posts, by their index in the parent's list, ascending. */
  readonly ranks: Uint32Array;
  /** Undefined for a leaf, which has at most LEAF_POSTS posts. */
  readonly node: Node | undefined;
}

let ranks = new Uint32Array();

/** `[0, 1, 2, … count)`: the ranks of a child with all posts of its parent. Shared: do not write to it. */
export function allRanks(count: number): Uint32Array {
  if (ranks.length !== count) ranks = Uint32Array.from({ length: count }, (_, rank) => rank);
  return ranks;
}

/** The posts at these ranks. */
export function pick(posts: Uint32Array, ranks: Uint32Array): Uint32Array {
  const picked = new Uint32Array(ranks.length);
  for (let i = 0; i < ranks.length; i++) picked[i] = posts[ranks[i]!]!;
  return picked;
}
