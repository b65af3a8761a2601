/** The tree of an entry, changed where the words of a few posts changed. What did not change stays bytes. */
import { BitReader } from '../../contract/bit-reader.ts';
import { readMembers } from '../../contract/postings.ts';
import { LABEL_CHARACTERS, LEAF_POSTS, LONG_LIST, TERM_CHARACTERS } from '../../contract/suffix-tree.ts';
import { BitWriter } from './bit-writer.ts';
import { listLength, writeList } from './list-writer.ts';
import { lengthBytes } from './piece-writer.ts';

/** Changing the index in place would take too much: it is made as a whole. */
export class NeedsWhole extends Error {
  override name = 'NeedsWhole';
}

/** How a post changed below a text: the rests of its suffixes that begin with that text. */
export interface Change {
  readonly post: number;
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
}

/** A node: its label, and its children. Those of a label that was not written are not known. */
export interface Tree {
  readonly label: readonly string[] | number;
  readonly children: readonly Child[];
}

export interface Child {
  readonly character: string;
  /** Positions, ascending. */
  readonly posts: Uint32Array;
  /** Undefined in a leaf; bytes where nothing has changed. */
  readonly below: Tree | Uint8Array | undefined;
}

/** The suffixes of a post's present words. */
export type SuffixesOf = (post: number) => Iterable<string>;

/** Suffixes of words, each once. @throws NeedsWhole where a word is longer than any term */
export function suffixesOf(words: Iterable<string>): Set<string> {
  const suffixes = new Set<string>();
  for (const word of words) {
    const characters = Array.from(word);
    if (characters.length > TERM_CHARACTERS) throw new NeedsWhole('A word is very long.');
    let suffix = word;
    for (const character of characters) {
      suffixes.add(suffix);
      suffix = suffix.slice(character.length);
    }
  }
  return suffixes;
}

/** The changes of those rests that begin with a text. Posts that have the same rests there are left out. */
export function changesBelow(changes: readonly Change[], text: string): Change[] {
  return changes.flatMap(({ post, before, after }) => {
    const [was, is] = [restsOf(before, text), restsOf(after, text)];
    const isSame = was.size === is.size && Array.from(was).every((rest) => is.has(rest));
    return isSame ? [] : { post, before: was, after: is };
  });
}

function restsOf(texts: Iterable<string>, start: string): Set<string> {
  const rests = new Set<string>();
  for (const text of texts) if (text.startsWith(start)) rests.add(text.slice(start.length));
  return rests;
}

/** The characters that follow in changes. */
export function nextCharacters(changes: readonly Change[]): Set<string> {
  const characters = new Set<string>();
  for (const { before, after } of changes)
    for (const rest of [...before, ...after]) if (rest !== '') characters.add(firstOf(rest));
  return characters;
}

/** The posts of a node after changes: the same array where none came or went. */
export function changedPosts(posts: Uint32Array, changes: readonly Change[]): Uint32Array {
  const gone = new Set<number>();
  const added: number[] = [];
  for (const { post, before, after } of changes) {
    if (before.size > 0 && after.size === 0) gone.add(post);
    if (before.size === 0 && after.size > 0) added.push(post);
  }
  if (gone.size + added.length === 0) return posts;
  return Uint32Array.from([...posts.filter((post) => !gone.has(post)), ...added]).sort();
}

/** A tree after changes. @param text of its node, without the label */
export function changedTree(
  tree: Tree,
  posts: Uint32Array,
  changes: readonly Change[],
  text: string,
  suffixes: SuffixesOf,
): Tree {
  const known = new Map(unfolded(tree, posts).map((child) => [child.character, child]));
  for (const character of nextCharacters(changes)) {
    const own = changesBelow(changes, character);
    if (own.length === 0) continue;
    const child = changedChild(known.get(character), own, text + character, suffixes);
    if (child) known.set(character, child);
    else known.delete(character);
  }
  return { label: [], children: [...known.values()].sort(byCharacter) };
}

/** The children of a node as if it had no label. */
function unfolded({ label, children }: Tree, posts: Uint32Array): readonly Child[] {
  if (typeof label === 'number') throw new NeedsWhole('A label is not written.');
  const [character, ...rest] = label;
  if (character === undefined) return children;
  return [{ character, posts, below: { label: rest, children } }];
}

function changedChild(
  child: Child | undefined,
  changes: readonly Change[],
  text: string,
  suffixes: SuffixesOf,
): Child | undefined {
  const before = child?.posts ?? new Uint32Array();
  const posts = changedPosts(before, changes);
  if (posts.length === 0) return undefined;
  const character = Array.from(text).at(-1) ?? '';
  if (posts.length <= LEAF_POSTS) return { character, posts, below: undefined };
  const below = child && treeOf(child);
  return {
    character,
    posts,
    below: below ? changedTree(below, before, changes, text, suffixes) : grownTree(text, posts, suffixes),
  };
}

/** The tree below a text from the words of its posts. */
export function grownTree(text: string, posts: Uint32Array, suffixes: SuffixesOf): Tree {
  const rests = new Map(Array.from(posts, (post) => [post, restsOf(suffixes(post), text)]));
  return treeFrom(rests);
}

function treeFrom(rests: ReadonlyMap<number, ReadonlySet<string>>): Tree {
  const following = new Map<string, Map<number, Set<string>>>();
  for (const [post, own] of rests) {
    for (const rest of own) {
      if (rest === '') continue;
      const character = firstOf(rest);
      let posts = following.get(character);
      if (!posts) following.set(character, (posts = new Map<number, Set<string>>()));
      let those = posts.get(post);
      if (!those) posts.set(post, (those = new Set<string>()));
      those.add(rest.slice(character.length));
    }
  }
  const children = Array.from(following, ([character, own]): Child => {
    const posts = Uint32Array.from(own.keys()).sort();
    return { character, posts, below: posts.length > LEAF_POSTS ? treeFrom(own) : undefined };
  });
  return { label: [], children: children.sort(byCharacter) };
}

/** The tree of a child that has one. */
function treeOf({ below, posts }: Child): Tree | undefined {
  return below instanceof Uint8Array ? readTree(below, posts) : below;
}

/** Reads a label, children and subtrees. @param posts of the node */
export function readTree(bytes: Uint8Array, posts: Uint32Array): Tree {
  const bits = new BitReader(bytes);
  const label = readLabel(bits);
  const children: { character: string; posts: Uint32Array; below: Uint8Array | undefined }[] = [];
  let point = -1;
  for (let left = bits.readNumber(0); left > 0; left--) {
    point = point < 0 ? bits.readNumber(6) : point + 1 + bits.readNumber(2);
    const count = bits.readNumber(0) + 1;
    if (count > LONG_LIST) bits.readNumber(8);
    const own = readMembers(bits, count, posts.length).map((rank) => posts[rank]!);
    children.push({ character: String.fromCodePoint(point), posts: own, below: undefined });
  }
  bits.align();
  for (const child of children) {
    if (child.posts.length <= LEAF_POSTS) continue;
    const length = bits.readLength();
    const start = bits.place >>> 3;
    child.below = bytes.subarray(start, start + length);
    bits.place += 8 * length;
  }
  return { label, children };
}

/** @returns its characters, or how many there are */
export function readLabel(bits: BitReader): string[] | number {
  const length = bits.readNumber(0);
  if (length > LABEL_CHARACTERS) return length;
  return Array.from({ length }, () => String.fromCodePoint(bits.readNumber(6)));
}

/** Writes a label, children and subtrees, as UnitWriter does. @param posts of the node */
export function writeTree(writer: BitWriter, tree: Tree, posts: Uint32Array): void {
  const { label, children } = folded(tree, posts);
  writeLabel(writer, label);
  const ranks = new Map(Array.from(posts, (post, rank) => [post, rank]));
  writer.writeNumber(children.length, 0);
  let before = -1;
  for (const child of children) {
    const point = pointOf(child.character);
    if (before < 0) writer.writeNumber(point, 6);
    else writer.writeNumber(point - before - 1, 2);
    before = point;
    writer.writeNumber(child.posts.length - 1, 0);
    const own = child.posts.map((post) => ranks.get(post) ?? 0);
    if (own.length > LONG_LIST) writer.writeNumber(listLength(own, posts.length), 8);
    writeList(writer, own, posts.length);
  }
  writer.align();
  for (const child of children) {
    if (child.below === undefined) continue;
    const start = writer.length;
    if (child.below instanceof Uint8Array) writer.writeBytes(child.below);
    else writeTree(writer, child.below, child.posts);
    writer.insert(start, lengthBytes(writer.length - start));
  }
}

export function writeLabel(writer: BitWriter, label: readonly string[] | number): void {
  if (typeof label === 'number') return writer.writeNumber(label, 0);
  writer.writeNumber(label.length, 0);
  if (label.length > LABEL_CHARACTERS) return;
  for (const character of label) writer.writeNumber(pointOf(character), 6);
}

/** A node together with a single child that has the same posts. */
function folded(tree: Tree, posts: Uint32Array): Tree {
  let { label, children } = tree;
  for (;;) {
    const [child, other] = children;
    const below = child && !other && child.posts.length === posts.length ? treeOf(child) : undefined;
    if (!child || !below) return { label, children };
    if (typeof label === 'number' || typeof below.label === 'number') {
      const length = (one: Tree['label']) => (typeof one === 'number' ? one : one.length);
      label = length(label) + 1 + length(below.label);
    } else label = [...label, child.character, ...below.label];
    ({ children } = below);
  }
}

function byCharacter(a: Child, b: Child): number {
  return pointOf(a.character) - pointOf(b.character);
}

function firstOf(text: string): string {
  return String.fromCodePoint(pointOf(text));
}

function pointOf(text: string): number {
  return text.codePointAt(0) ?? 0;
}
