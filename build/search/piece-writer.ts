import { fnv1a } from '../../contract/fnv1a.ts';
import { BitWriter } from './bit-writer.ts';

/** An object has about so many bytes. */
const OBJECT_BYTES = 49_152;

/** An object of an index, or a part of one: some entries. */
export interface Piece {
  /** The text of the first entry. */
  readonly first: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether an object ends behind it. */
  readonly isEnd: boolean;
}

/** Writes entries, sorted, and ends objects. */
export class PieceWriter {
  readonly bits = new BitWriter();
  readonly #ended: (piece: Piece) => void;
  #first = '';
  #before: readonly string[] = [];

  /** @param ended is told of each piece */
  constructor(ended: (piece: Piece) => void) {
    this.#ended = ended;
  }

  /**
   * Ends an entry.
   *
   * @param start where its list begins; all behind it has been written to `bits`
   * @param text its characters
   * @param count of its posts
   */
  endEntry(start: number, text: readonly string[], count: number): void {
    const rest = this.bits.length - start;
    let shared = 0;
    while (shared < this.#before.length && this.#before[shared] === text[shared]) shared += 1;
    const added = text.slice(shared).map((character) => character.codePointAt(0) ?? 0);
    const head = this.bits.insert(start, [shared, added.length, ...added, count, rest].flatMap(lengthBytes));
    const whole = text.join('');
    if (this.#before.length === 0) this.#first = whole;
    this.#before = text;
    // The larger an entry is, the more likely an object ends behind it: wherever it began, and whatever comes next.
    if (spread(fnv1a(whole)) * OBJECT_BYTES < (head + rest) * 2 ** 32) this.#end(true);
  }

  /** Ends the last piece, if there is one. */
  end(): void {
    if (this.bits.length > 0) this.#end(false);
  }

  /** Whether the last entry did not end an object. */
  get isOpen(): boolean {
    return this.bits.length > 0;
  }

  #end(isEnd: boolean): void {
    this.#ended({ first: this.#first, bytes: this.bits.take(), isEnd });
    this.#before = [];
  }
}

/** Bytes of seven bits each, the lowest first; the highest bit says that another byte follows. */
export function lengthBytes(value: number): number[] {
  const bytes = [];
  for (; value >= 0x80; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}

/** Short texts differ in the low bits of their hash: these move up. */
function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
