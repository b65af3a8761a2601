/** Writes numbers as bits, the lowest bit of each byte first, into a growing buffer. */
export class BitWriter {
  #bytes = new Uint8Array(1 << 16);
  #held = 0;
  #count = 0;
  /** The number of complete bytes. */
  length = 0;

  /** @param value of at most `count` bits @param count at most 24 */
  write(value: number, count: number): void {
    this.#held |= value << this.#count;
    this.#count += count;
    while (this.#count >= 8) {
      this.#put(this.#held & 0xff);
      this.#held >>>= 8;
      this.#count -= 8;
    }
  }

  /** `value` zeros, then a one. */
  writeUnary(value: number): void {
    for (; value >= 16; value -= 16) this.write(0, 16);
    this.write(1 << value, value + 1);
  }

  /**
   * An Exp-Golomb code: the number of bits beyond `width` in unary, then the number without its highest bit. With a
   * width of 0 it is Elias's gamma code of `value + 1`.
   *
   * @param value below 2²³
   */
  writeNumber(value: number, width: number): void {
    const shifted = value + (1 << width);
    const bits = 31 - Math.clz32(shifted);
    this.writeUnary(bits - width);
    this.write(shifted ^ (1 << bits), bits);
  }

  /** Fills the current byte with zeros. */
  align(): void {
    if (this.#count > 0) this.write(0, 8 - this.#count);
  }

  /** Appends bytes. The writer must be aligned. */
  writeBytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Inserts bytes at a byte offset. @returns their number */
  insert(at: number, bytes: readonly number[]): number {
    this.#reserve(bytes.length);
    this.#bytes.copyWithin(at + bytes.length, at, this.length);
    this.#bytes.set(bytes, at);
    this.length += bytes.length;
    return bytes.length;
  }

  /** Returns all written bytes, and resets the writer. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = this.#bytes.slice(0, this.length);
    this.length = 0;
    return bytes;
  }

  #put(value: number): void {
    if (this.length === this.#bytes.length) this.#reserve(1);
    this.#bytes[this.length++] = value;
  }

  #reserve(count: number): void {
    if (this.length + count <= this.#bytes.length) return;
    const grown = new Uint8Array(2 * this.#bytes.length + count);
    grown.set(this.#bytes.subarray(0, this.length));
    this.#bytes = grown;
  }
}

/** A varint (LEB128): seven bits a byte, the lowest first; the highest bit is set if another byte follows. */
export function lengthBytes(value: number): number[] {
  const bytes = [];
  for (; value >= 0x80; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}
