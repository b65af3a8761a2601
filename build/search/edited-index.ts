/** An index, changed where the words of a few posts changed: byte for byte what it would be if it were made as a whole. */
import { BitReader } from '../../contract/bit-reader.ts';
import type { Directory } from '../../contract/directory.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { readMembers } from '../../contract/postings.ts';
import { compareCodePoints, LEAF_POSTS, mostTreePosts } from '../../contract/suffix-tree.ts';
import { BitWriter } from './bit-writer.ts';
import {
  type Change,
  changedPosts,
  changedTree,
  changesBelow,
  grownTree,
  NeedsWhole,
  nextCharacters,
  readLabel,
  readTree,
  suffixesOf,
  type SuffixesOf,
  writeLabel,
  writeTree,
} from './edited-tree.ts';
import { writeList } from './list-writer.ts';
import { type Piece, PieceWriter } from './piece-writer.ts';

/** A post of the index whose words changed. */
export interface WordsEdit {
  readonly position: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface EditedIndexSetting {
  readonly before: Directory['suffixes'];
  /** Posts of the index, before and after. */
  readonly indexed: number;
  readonly edits: readonly WordsEdit[];
  /** The present words of a post. */
  readonly wordsOf: (position: number) => readonly string[];
  readonly read: (hash: ObjectHash) => Uint8Array;
  readonly put: (bytes: Uint8Array) => ObjectHash;
}

/** @returns undefined: the index has to be made as a whole */
export function editIndex(setting: EditedIndexSetting): Directory['suffixes'] | undefined {
  try {
    return new EditedIndex(setting).write();
  } catch (error) {
    if (error instanceof NeedsWhole) return undefined;
    throw error;
  }
}

interface Entry {
  readonly text: string;
  readonly count: number;
  /** Its list, and what follows. */
  readonly rest: Uint8Array;
}

/** Behind all texts that begin with another: no text of a word has this character. */
const LAST = '\u{10ffff}';

class EditedIndex {
  readonly #setting: EditedIndexSetting;
  readonly #mostTreePosts: number;
  /** The objects that were read, by their place. */
  readonly #read = new Map<number, Entry[]>();
  readonly #touched = new Set<number>();
  readonly #suffixesOf: SuffixesOf;

  constructor(setting: EditedIndexSetting) {
    this.#setting = setting;
    this.#mostTreePosts = mostTreePosts(setting.indexed);
    const known = new Map<number, ReadonlySet<string>>();
    this.#suffixesOf = (post) => {
      let suffixes = known.get(post);
      if (!suffixes) known.set(post, (suffixes = suffixesOf(setting.wordsOf(post))));
      return suffixes;
    };
    const changes = setting.edits.map(({ position, before, after }) => ({
      post: position,
      before: suffixesOf(before),
      after: suffixesOf(after),
    }));
    this.#changeEntries('', changes);
  }

  /** The entries of texts that are longer by a character. */
  #changeEntries(text: string, changes: readonly Change[]): void {
    for (const character of nextCharacters(changes)) {
      const own = changesBelow(changes, character);
      if (own.length > 0) this.#changeEntry(text + character, own);
    }
  }

  #changeEntry(text: string, changes: readonly Change[]): void {
    const { indexed } = this.#setting;
    const place = this.#placeOf(text);
    const entries = this.#entriesOf(place);
    const at = entries.findIndex((entry) => compareCodePoints(entry.text, text) >= 0);
    const known = at >= 0 && entries[at]?.text === text ? entries[at] : undefined;
    const bits = new BitReader(known?.rest ?? new Uint8Array());
    const before = known ? readMembers(bits, known.count, indexed) : new Uint32Array();
    const posts = changedPosts(before, changes);
    const isSplit = posts.length > this.#mostTreePosts;
    if (isSplit !== before.length > this.#mostTreePosts) throw new NeedsWhole('An entry is split or joined.');

    const writer = new BitWriter();
    writeList(writer, posts, indexed);
    writer.align();
    bits.align();
    if (isSplit) {
      const label = readLabel(bits);
      if (typeof label === 'number') throw new NeedsWhole('A label is not written.');
      const whole = label.join('');
      const follows = (rest: string) => rest.startsWith(whole);
      if (!changes.every(({ before: was, after: is }) => [...was, ...is].every(follows)))
        throw new NeedsWhole('A label changes.');
      this.#changeEntries(text + whole, changesBelow(changes, whole));
      if (!this.#hasChildren(text + whole)) throw new NeedsWhole('A label may grow.');
      if (posts === before) return; // Only children changed.
      writeLabel(writer, label);
      writer.align();
    } else if (posts.length > LEAF_POSTS) {
      const tree =
        before.length > LEAF_POSTS && known
          ? changedTree(
              readTree(known.rest.subarray(bits.place >>> 3), before),
              before,
              changes,
              text,
              this.#suffixesOf,
            )
          : grownTree(text, posts, this.#suffixesOf);
      writeTree(writer, tree, posts);
    }

    this.#touched.add(place);
    // Entries behind it may have been added meanwhile, none before it.
    const entry = posts.length > 0 ? [{ text, count: posts.length, rest: writer.take() }] : [];
    entries.splice(at < 0 ? entries.length : at, known ? 1 : 0, ...entry);
  }

  /** Whether the entries of at least two characters stand behind a text. */
  #hasChildren(text: string): boolean {
    const characters = new Set<string>();
    const look = (from: string) => {
      for (let place = this.#placeOf(from); place < this.#setting.before.length; place++) {
        for (const entry of this.#entriesOf(place)) {
          if (compareCodePoints(entry.text, from) <= 0) continue;
          if (!entry.text.startsWith(text)) return;
          characters.add(Array.from(entry.text.slice(text.length))[0] ?? '');
          return;
        }
      }
    };
    look(text);
    const [first] = characters;
    if (first !== undefined) look(text + first + LAST);
    return characters.size > 1;
  }

  /** The place of the object in which the entry of a text is, or would be. */
  #placeOf(text: string): number {
    const { before } = this.#setting;
    let [low, high] = [0, before.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareCodePoints(before[middle]?.[0] ?? '', text) <= 0) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  #entriesOf(place: number): Entry[] {
    let entries = this.#read.get(place);
    if (!entries) {
      const [, hash = ''] = this.#setting.before[place] ?? [];
      try {
        entries = readEntries(this.#setting.read(hash));
      } catch (error) {
        throw new NeedsWhole('An object of the index is damaged.', { cause: error });
      }
      this.#read.set(place, entries);
    }
    return entries;
  }

  /** Objects that changed, and those behind them until one begins where one began before. */
  write(): Directory['suffixes'] {
    const { before, put } = this.#setting;
    const objects: (readonly [string, ObjectHash])[] = [];
    const end = ({ first, bytes }: Piece) => objects.push([first, put(bytes)]);
    const pieces = new PieceWriter(end);
    for (const [place, object] of before.entries()) {
      if (!pieces.isOpen && !this.#touched.has(place)) {
        objects.push(object);
        continue;
      }
      for (const { text, count, rest } of this.#entriesOf(place)) {
        const start = pieces.bits.length;
        pieces.bits.writeBytes(rest);
        pieces.endEntry(start, Array.from(text), count);
      }
    }
    pieces.end();
    return objects;
  }
}

function readEntries(bytes: Uint8Array): Entry[] {
  const bits = new BitReader(bytes);
  const entries: Entry[] = [];
  let before: string[] = [];
  while (bits.place < 8 * bytes.length) {
    const text = before.slice(0, bits.readLength());
    for (let rest = bits.readLength(); rest > 0; rest--) text.push(String.fromCodePoint(bits.readLength()));
    const count = bits.readLength();
    const length = bits.readLength();
    const start = bits.place >>> 3;
    entries.push({ text: text.join(''), count, rest: bytes.subarray(start, start + length) });
    bits.place += 8 * length;
    before = text;
  }
  return entries;
}
