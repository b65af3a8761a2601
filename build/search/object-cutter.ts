import { fnv1a } from '../../contract/fnv1a.ts';
import { BitWriter, lengthBytes } from './bit-writer.ts';
import type { NewEntry } from './tree-writer.ts';

/** The average size of an object. */
const OBJECT_BYTES = 49_152;

/** An object of an index, with the text of its first entry. */
export interface IndexObject {
  readonly first: string;
  readonly bytes: Uint8Array;
}

/** Divides the sorted entries of an index into objects, by content-defined chunking. */
export class ObjectCutter {
  readonly #onObject: (object: IndexObject) => void;
  readonly #bits = new BitWriter();
  #first = '';
  #before: NewEntry | undefined;

  /** @param onObject called with each object */
  constructor(onObject: (object: IndexObject) => void) {
    this.#onObject = onObject;
  }

  add(entry: NewEntry): void {
    const { text, count, list, tree } = entry;
    // A large entry begins an object: searches for it read few others.
    if (list.length + tree.length >= OBJECT_BYTES) this.end();
    const before = this.#before;
    if (!before) this.#first = text;
    const [characters, known] = [Array.from(text), Array.from(before?.text ?? '')];
    const differs = characters.findIndex((character, i) => character !== known[i]);
    const shared = differs < 0 ? characters.length : differs;
    const added = characters.slice(shared).map((character) => character.codePointAt(0) ?? 0);
    // A longer text in the same number of posts is in the same posts.
    const isSame = before?.count === count && text.startsWith(before.text);
    const rest = isSame ? [0] : [count, list.length, tree.length];
    const start = this.#bits.length;
    this.#bits.writeBytes(Uint8Array.from([shared, added.length, ...added, ...rest].flatMap(lengthBytes)));
    if (!isSame) for (const bytes of [list, tree]) this.#bits.writeBytes(bytes);
    this.#before = entry;
    // An object ends after an entry with a probability by the entry's size, whatever comes before or after it.
    if (mixBits(fnv1a(text)) * OBJECT_BYTES < (this.#bits.length - start) * 2 ** 32) this.end();
  }

  /** Whether the current object has entries. */
  get isOpen(): boolean {
    return this.#before !== undefined;
  }

  /** Ends the last object, if there is one. */
  end(): void {
    if (!this.#before) return;
    this.#onObject({ first: this.#first, bytes: this.#bits.take() });
    this.#before = undefined;
  }
}

/** Mixes the bits of a hash: hashes of short texts differ only in the low ones. */
function mixBits(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
