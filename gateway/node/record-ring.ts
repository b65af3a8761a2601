/**
 * The bytes of records that were read lately, in one buffer that is written round and round: no object and no garbage for each.
 * Who keeps a place asks whether it has been overwritten.
 */
export class RecordRing {
  readonly #bytes: Buffer;
  /** Bytes that were ever written, with those that were skipped at the end of the buffer. */
  #written = 0;

  /** @param size in bytes */
  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafeSlow(size);
  }

  /** @returns the place of a copy; -1: it is too large */
  add(record: Uint8Array): number {
    const size = this.#bytes.length;
    if (record.length > size / 4) return -1;
    const at = this.#written % size;
    if (at + record.length > size) this.#written += size - at;
    const place = this.#written;
    this.#bytes.set(record, place % size);
    this.#written += record.length;
    return place;
  }

  /** The caller's own copy of what was added at a place; undefined: it was overwritten. */
  copyOf(place: number, length: number): Buffer | undefined {
    const size = this.#bytes.length;
    if (place < 0 || place < this.#written - size) return undefined;
    const at = place % size;
    const copy = Buffer.allocUnsafe(length);
    this.#bytes.copy(copy, 0, at, at + length);
    return copy;
  }
}

/** A copy, in a buffer that small ones share. */
export function copyOf(bytes: Uint8Array): Buffer {
  const copy = Buffer.allocUnsafe(bytes.length);
  copy.set(bytes);
  return copy;
}
