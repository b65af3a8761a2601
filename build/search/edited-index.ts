/** Updates an index after the words of a few posts changed. The result is the same, byte for byte, as a new index. */
import type { Directory } from '../../contract/directory.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import {
  compareCodePoints,
  LEAF_POSTS,
  maxTreePosts,
  findObjectIndex,
} from '../../contract/search/suffix-tree.ts';
import { EncodedIndex, type EncodedIndexSetting, type Known, ranksIn } from './encoded-index.ts';
import { type Child, type Node, pick } from './node.ts';
import { ObjectCutter } from './object-cutter.ts';
import { SuffixSorter, type TableNode } from './table-node.ts';
import { buildEntries, encodeList, type NewEntry } from './tree-writer.ts';
import { collectWords, joinWords } from './words.ts';

/** A post whose words changed, or that was added or removed. */
export interface WordsEdit {
  readonly number: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

interface EditedIndexSetting extends Omit<EncodedIndexSetting, 'getWords'> {
  /** The new position of each number, for posts in the index. Undefined: numbers are the old and the new positions. */
  readonly positions: Uint32Array | undefined;
  /** The number of posts in the new index. */
  readonly indexedNow: number;
  /** In order of numbers. */
  readonly edits: readonly WordsEdit[];
  /** The new words of a post. */
  readonly getWords: (number: number) => readonly string[];
  readonly put: (bytes: Uint8Array) => ObjectHash;
}

/**
 * Updates an index. Numbers identify the old and the new posts, in an order that agrees with both.
 *
 * @throws RangeError, and the errors of `read`, if the old index is damaged
 */
export function editIndex(setting: EditedIndexSetting): Directory['suffixes'] {
  return new EditedIndex(setting).write();
}

class EditedIndex {
  readonly #setting: EditedIndexSetting;
  readonly #before: EncodedIndex;
  /** Text → new entry; undefined: the entry was removed. */
  readonly #changed = new Map<string, NewEntry | undefined>();
  /** Words of the edits that some post has only before or only after. */
  readonly #changedWords = new Set<number>();

  constructor(setting: EditedIndexSetting) {
    this.#setting = setting;
    const { edits, getWords } = setting;
    const earlier = new Map(edits.map(({ number, before }) => [number, before]));
    this.#before = new EncodedIndex({
      ...setting,
      getWords: (number) => earlier.get(number) ?? getWords(number),
    });
    // The edits form a tree of their own: each edit is two posts, before and after.
    const table = joinWords([collectWords(edits.flatMap(({ before, after }) => [before, after]))]);
    for (let word = 0; word + 1 < table.lists.length; word++) {
      const posts = table.postings.subarray(table.lists[word], table.lists[word + 1]);
      const isSame =
        posts.length % 2 === 0 && posts.every((post, i) => post === (posts[i & ~1]! & ~1) + (i & 1));
      if (!isSame) this.#changedWords.add(word);
    }
    this.#editEntries('', new SuffixSorter(table, undefined, 0).root());
  }

  /** Updates the entries of texts that are longer by one character. */
  #editEntries(text: string, change: TableNode): void {
    const { indexedNow } = this.#setting;
    for (const { character, node } of change.children()) {
      if (!node || !this.#isChanged(node)) continue;
      const own = text + String.fromCodePoint(character);
      const before = this.#before.find(own);
      const now = this.#edited(own, before ?? NOWHERE, node);
      const wasSplit = before !== undefined && before.posts.length > maxTreePosts(this.#setting.indexed);
      const isSplit = now.posts.length > maxTreePosts(indexedNow);
      if (before) this.#changed.set(own, undefined);
      if (wasSplit && isSplit) {
        const list = encodeList(this.#getPositions(now.posts), indexedNow);
        this.#changed.set(own, { text: own, count: now.posts.length, list, tree: new Uint8Array() });
        this.#editEntries(own, node);
        continue;
      }
      if (wasSplit) for (const below of this.#before.below(own)) this.#changed.set(below.text, undefined);
      if (now.posts.length === 0) continue;
      for (const entry of buildEntries(own, this.#getPositions(now.posts), now.node, indexedNow))
        this.#changed.set(entry.text, entry);
    }
  }

  #isChanged(change: TableNode): boolean {
    return change.words().some((word) => this.#changedWords.has(word));
  }

  #getPositions(posts: Uint32Array): Uint32Array {
    const { positions } = this.#setting;
    return positions ? pick(positions, posts) : posts;
  }

  /** The posts of a text, and its subtree, after the edits. */
  #edited(text: string, before: Known, change: TableNode): Known {
    const posts = this.#postsAfter(before.posts, change);
    if (posts.length <= LEAF_POSTS) return { posts, node: undefined };
    const children = () => this.#childrenAfter(text, before, change, posts);
    return { posts, node: before.node ? { children } : this.#grown(text, posts) };
  }

  #childrenAfter(text: string, before: Known, change: TableNode, posts: Uint32Array): Child[] {
    const known = new Map<number, Known>(
      before.node
        ?.children()
        .map(({ character, ranks, node }) => [character, { posts: pick(before.posts, ranks), node }]),
    );
    for (const { character, node } of change.children()) {
      if (!node || !this.#isChanged(node)) continue;
      const own = text + String.fromCodePoint(character);
      known.set(character, this.#edited(own, known.get(character) ?? NOWHERE, node));
    }
    return Array.from(known)
      .filter(([, child]) => child.posts.length > 0)
      .sort(([a], [b]) => a - b)
      .map(([character, child]) => ({ character, ranks: ranksIn(posts, child.posts), node: child.node }));
  }

  #postsAfter(posts: Uint32Array, change: TableNode): Uint32Array {
    const [removed, additions] = [new Set<number>(), new Set<number>()];
    for (const one of change.posts) {
      const { number } = this.#setting.edits[one >>> 1]!;
      if (one % 2 === 0) removed.add(number);
      else if (!removed.delete(number)) additions.add(number);
    }
    if (removed.size + additions.size === 0) return posts;
    const added = [...additions];
    const after = new Uint32Array(posts.length - removed.size + added.length);
    let [size, next] = [0, 0];
    for (const post of posts) {
      while (next < added.length && added[next]! < post) after[size++] = added[next++]!;
      if (!removed.has(post)) after[size++] = post;
    }
    while (next < added.length) after[size++] = added[next++]!;
    return after;
  }

  /** A new subtree of a text that was in few posts, from the words of its posts. */
  #grown(text: string, posts: Uint32Array): Node {
    const words = Array.from(posts, (number) => this.#setting.getWords(number));
    return new SuffixSorter(joinWords([collectWords(words)])).root().below(text);
  }

  /** Rewrites changed objects, and the ones after them until an old object boundary is reached again. */
  write(): Directory['suffixes'] {
    const { objects: before, positions, put } = this.#setting;
    const objects: (readonly [string, ObjectHash])[] = [];
    const cutter = new ObjectCutter(({ first, bytes }) => objects.push([first, put(bytes)]));
    const changed = new Map<number, (readonly [string, NewEntry | undefined])[]>();
    for (const change of this.#changed) {
      const place = Math.max(0, findObjectIndex(before, change[0]));
      void (changed.get(place)?.push(change) ?? changed.set(place, [change]));
    }
    for (const [place, object] of before.entries()) {
      const own = changed.get(place);
      // Where an object ends may also depend on the entry after it.
      if (!own && !changed.has(place + 1) && !positions && !cutter.isOpen) {
        objects.push(object);
        continue;
      }
      const entries = new Map<string, NewEntry | undefined>([...this.#before.object(place), ...(own ?? [])]);
      const isNew = new Set(own?.map(([text]) => text));
      for (const text of [...entries.keys()].sort(compareCodePoints)) {
        const entry = entries.get(text);
        if (entry) cutter.add(isNew.has(text) ? entry : this.#moved(entry));
      }
    }
    cutter.end();
    return objects;
  }

  /** An entry with the same posts, at their new positions. */
  #moved(entry: NewEntry): NewEntry {
    if (!this.#setting.positions) return entry;
    const posts = this.#getPositions(this.#before.posts(entry));
    return { ...entry, list: encodeList(posts, this.#setting.indexedNow) };
  }
}

const NOWHERE: Known = { posts: new Uint32Array(), node: undefined };
