/** The index of the last build, read lazily, object by object. */
import { BitReader } from '../../contract/search/bit-reader.ts';
import type { Directory } from '../../contract/directory.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { readMembers } from '../../contract/search/postings.ts';
import {
  compareCodePoints,
  decodeEntries,
  findObjectIndex,
  LEAF_POSTS,
  readChildren,
  readLabel,
} from '../../contract/search/suffix-tree.ts';
import { allRanks, type Node, pick } from './node.ts';
import type { NewEntry } from './tree-writer.ts';

/** The posts of a text, by their numbers, and its subtree. */
export interface Known {
  readonly posts: Uint32Array;
  readonly node: Node | undefined;
}

export interface EncodedIndexSetting {
  readonly objects: Directory['suffixes'];
  /** The number of posts in it. */
  readonly indexed: number;
  /** The number of each of its posts, ascending. */
  readonly numbers: Uint32Array;
  readonly read: (hash: ObjectHash) => Uint8Array;
  /** The old words of a post. */
  readonly getWords: (number: number) => readonly string[];
}

export class EncodedIndex {
  readonly #setting: EncodedIndexSetting;
  /** The objects read so far, by their index. */
  readonly #read = new Map<number, ReadonlyMap<string, NewEntry>>();

  constructor(setting: EncodedIndexSetting) {
    this.#setting = setting;
  }

  /** The entries of an object by their texts. */
  object(place: number): ReadonlyMap<string, NewEntry> {
    let entries = this.#read.get(place);
    if (!entries) {
      const bytes = this.#setting.read(this.#setting.objects[place]?.[1] ?? '');
      const list = decodeEntries(bytes).map(({ text, count, list: start, tree, end }): [string, NewEntry] => [
        text,
        { text, count, list: bytes.subarray(start, tree), tree: bytes.subarray(tree, end) },
      ]);
      this.#read.set(place, (entries = new Map(list)));
    }
    return entries;
  }

  /** The posts and subtree of a text; undefined: it has no entry. */
  find(text: string): Known | undefined {
    const place = findObjectIndex(this.#setting.objects, text);
    const entry = place < 0 ? undefined : this.object(place).get(text);
    return entry && this.#known(entry);
  }

  /** The posts of an entry, by their numbers. */
  posts({ count, list }: NewEntry): Uint32Array {
    const { indexed, numbers } = this.#setting;
    return pick(numbers, readMembers(new BitReader(list), count, indexed));
  }

  #known(entry: NewEntry): Known {
    const { text, tree } = entry;
    const posts = this.posts(entry);
    if (posts.length <= LEAF_POSTS) return { posts, node: undefined };
    if (tree.length > 0) return { posts, node: this.#treeNode(text, posts, tree) };
    const children = () =>
      [...this.below(text)].flatMap((longer) => {
        const [character, ...others] = Array.from(longer.text.slice(text.length));
        if (character === undefined || others.length > 0) return [];
        const known = this.#known(longer);
        return {
          character: character.codePointAt(0) ?? 0,
          ranks: ranksIn(posts, known.posts),
          node: known.node,
        };
      });
    return { posts, node: { children } };
  }

  /** The entries of longer texts that start with a text. */
  *below(text: string): Generator<NewEntry> {
    const { objects } = this.#setting;
    for (let place = Math.max(0, findObjectIndex(objects, text)); place < objects.length; place++) {
      for (const entry of this.object(place).values()) {
        if (compareCodePoints(entry.text, text) <= 0) continue;
        if (!entry.text.startsWith(text)) return;
        yield entry;
      }
    }
  }

  /** A node of an encoded tree. */
  #treeNode(text: string, posts: Uint32Array, encoded: Uint8Array): Node {
    const children = () => {
      const bits = new BitReader(encoded);
      const { length, written } = readLabel(bits);
      const label = written ?? this.#following(text, length, posts[0]!);
      const { place } = bits;
      const whole = text + String.fromCodePoint(...label);
      const afterLabel: Node = {
        children: () => {
          bits.place = place;
          return readChildren(bits, posts.length).map(({ character, ranks, start, end }) => {
            const own = whole + String.fromCodePoint(character);
            const isLeaf = ranks.length <= LEAF_POSTS;
            const node = isLeaf
              ? undefined
              : this.#treeNode(own, pick(posts, ranks), encoded.subarray(start, end));
            return { character, ranks, node };
          });
        },
      };
      return label
        .reduceRight<Node>(
          (node, character) => ({
            children: () => [{ character, ranks: allRanks(posts.length), node }],
          }),
          afterLabel,
        )
        .children();
    };
    return { encoded, children };
  }

  /** The characters of a label that is not written, from the words of a post: all posts of the node have the same. */
  #following(text: string, length: number, post: number): number[] {
    const word = this.#setting.getWords(post).find((one) => one.includes(text)) ?? '';
    const rest = Array.from(word.slice(word.indexOf(text) + text.length)).slice(0, length);
    if (rest.length < length) throw new RangeError(`A post of the search index does not have "${text}".`);
    return rest.map((character) => character.codePointAt(0) ?? 0);
  }
}

/** The indexes of `posts` in `all`, which includes them. Both are ascending. */
export function ranksIn(all: Uint32Array, posts: Uint32Array): Uint32Array {
  if (posts.length === all.length) return allRanks(all.length);
  const ranks = new Uint32Array(posts.length);
  for (let i = 0, rank = 0; i < posts.length; rank++) if (all[rank] === posts[i]) ranks[i++] = rank;
  return ranks;
}
