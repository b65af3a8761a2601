import { fnv1a } from '../../contract/fnv1a.ts';
import { BitWriter, lengthBytes } from './bit-writer.ts';
import type { Entry } from './tree-writer.ts';

/** An object has about so many bytes. */
const OBJECT_BYTES = 49_152;

/** An object of an index, and the text of its first entry. */
export interface IndexObject {
  readonly first: string;
  readonly bytes: Uint8Array;
}

/** Cuts the entries of an index, sorted, into objects. */
export class ObjectCutter {
  readonly #ended: (object: IndexObject) => void;
  readonly #bits = new BitWriter();
  #first = '';
  #before: Entry | undefined;

  /** @param ended is given each object */
  constructor(ended: (object: IndexObject) => void) {
    this.#ended = ended;
  }

  add(entry: Entry): void {
    const { text, count, list, tree } = entry;
    const before = this.#before;
    if (!before) this.#first = text;
    const [characters, known] = [Array.from(text), Array.from(before?.text ?? '')];
    const differs = characters.findIndex((character, i) => character !== known[i]);
    const shared = differs < 0 ? characters.length : differs;
    const added = characters.slice(shared).map((character) => character.codePointAt(0) ?? 0);
    // A text that goes on in as many posts has the same.
    const isSame = before?.count === count && text.startsWith(before.text);
    const rest = isSame ? [0] : [count, list.length, tree.length];
    const start = this.#bits.length;
    this.#bits.writeBytes(Uint8Array.from([shared, added.length, ...added, ...rest].flatMap(lengthBytes)));
    if (!isSame) for (const bytes of [list, tree]) this.#bits.writeBytes(bytes);
    this.#before = entry;
    // The larger an entry is, the more likely an object ends behind it: wherever it began, and whatever comes next.
    if (spread(fnv1a(text)) * OBJECT_BYTES < (this.#bits.length - start) * 2 ** 32) this.end();
  }

  /** Whether the last entry did not end an object. */
  get isOpen(): boolean {
    return this.#before !== undefined;
  }

  /** Ends the last object, if there is one. */
  end(): void {
    if (!this.#before) return;
    this.#ended({ first: this.#first, bytes: this.#bits.take() });
    this.#before = undefined;
  }
}

/** Short texts differ in the low bits of their hash: these move up. */
function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
