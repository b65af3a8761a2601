import type { ByteRange } from '../../contract/composing.ts';

/** Records longer than this share of the ring are not added. */
const SHARE = 64;

/**
 * A ring buffer of recently read bytes: no object and no garbage for each record. A part of it is overwritten some time after it
 * was added.
 */
export class RecordRing {
  readonly #bytes: Uint8Array;
  /** Bytes that were ever written, with those that were left out at the end of the buffer. */
  #written = 0;

  /** @param size in bytes */
  constructor(size: number) {
    this.#bytes = new Uint8Array(size);
  }

  /** Whether so many bytes go into it. */
  takes(length: number): boolean {
    return length <= this.#bytes.length / SHARE;
  }

  /**
   * Makes room for bytes that it takes.
   *
   * @param write writes them to `bytes`, from `start` on
   * @returns their place
   */
  add(length: number, write: (bytes: Uint8Array, start: number) => void): number {
    const size = this.#bytes.length;
    const at = this.#written % size;
    const place = at + length > size ? this.#written + size - at : this.#written;
    // First: the previous content is lost, even if writing fails.
    this.#written = place + length;
    write(this.#bytes, place % size);
    return place;
  }

  /** What was added at a place; undefined: it was overwritten. */
  at(place: number, length: number): ByteRange | undefined {
    const size = this.#bytes.length;
    if (place < 0 || place < this.#written - size) return undefined;
    const start = place % size;
    return { bytes: this.#bytes, start, end: start + length };
  }
}
