/** Writes the format that contract/search/suffix-tree.ts reads (docs/contributors/search-index.md). */
import { LABEL_CHARACTERS, LEAF_POSTS, LONG_LIST, maxTreePosts } from '../../contract/search/suffix-tree.ts';
import { BitWriter, lengthBytes } from './bit-writer.ts';
import { listLength, writeList } from './list-writer.ts';
import { type Node, pick } from './node.ts';
import { SuffixSorter, type Unit } from './table-node.ts';
import type { WordTable } from './words.ts';

/** A text, the list of its posts, and the tree below it. */
export interface NewEntry {
  readonly text: string;
  readonly count: number;
  readonly list: Uint8Array;
  /** Empty if there are few posts, or too many. */
  readonly tree: Uint8Array;
}

const writer = new BitWriter();

/** @param posts by position, below `indexed` */
export function encodeList(posts: Uint32Array, indexed: number): Uint8Array {
  writeList(writer, posts, indexed);
  writer.align();
  return writer.take();
}

/**
 * The entry of a text, and those of longer texts if it has no tree.
 *
 * @param posts by position, below `indexed`
 * @param node if it has more than LEAF_POSTS posts
 */
export function* buildEntries(
  text: string,
  posts: Uint32Array,
  node: Node | undefined,
  indexed: number,
): Generator<NewEntry> {
  const isSplit = posts.length > maxTreePosts(indexed);
  const [count, list] = [posts.length, encodeList(posts, indexed)];
  if (node && !isSplit) writeNode(node, count);
  yield { text, count, list, tree: writer.take() };
  if (node && isSplit) {
    for (const { character, ranks, node: below } of node.children())
      yield* buildEntries(text + String.fromCodePoint(character), pick(posts, ranks), below, indexed);
  }
}

/** The entries of all texts whose first character is in the unit. */
export function unitEntries(table: WordTable, unit: Unit): NewEntry[] {
  const roots = new SuffixSorter(table, unit).root().children();
  return roots.flatMap(({ character, ranks, node }) =>
    Array.from(buildEntries(String.fromCodePoint(character), ranks, node, table.posts)),
  );
}

/** Writes a node: its label; the characters and posts of its children; then the subtrees, each with its length. */
function writeNode(node: Node, count: number): void {
  if (node.encoded) return writer.writeBytes(node.encoded);
  const label: number[] = [];
  let children = node.children();
  for (;;) {
    const [child, other] = children;
    if (!child?.node || other || child.ranks.length < count) break;
    label.push(child.character);
    children = child.node.children();
  }
  writer.writeNumber(label.length, 0);
  if (label.length <= LABEL_CHARACTERS) for (const character of label) writer.writeNumber(character, 6);
  writer.writeNumber(children.length, 0);
  let before = -1;
  for (const { character, ranks } of children) {
    if (before < 0) writer.writeNumber(character, 6);
    else writer.writeNumber(character - before - 1, 2);
    before = character;
    writer.writeNumber(ranks.length - 1, 0);
    if (ranks.length > LONG_LIST) writer.writeNumber(listLength(ranks, count), 8);
    writeList(writer, ranks, count);
  }
  writer.align();
  for (const { ranks, node: below } of children) {
    if (!below || ranks.length <= LEAF_POSTS) continue;
    const start = writer.length;
    writeNode(below, ranks.length);
    writer.insert(start, lengthBytes(writer.length - start));
  }
}
