/** Reads numbers from bits, the lowest bit of each byte first, as written by BitWriter (build/search/bit-writer.ts). */
export class BitReader {
  readonly #view: DataView;
  /** The next bit to read. */
  place = 0;

  /** @param bytes after the last one, zeros are read */
  constructor(bytes: Uint8Array) {
    const padded = new Uint8Array(bytes.length + 8);
    padded.set(bytes);
    this.#view = new DataView(padded.buffer);
  }

  /** The 25 bits at a place, the first one lowest. Higher bits are undefined. @throws RangeError after the end */
  peek(place: number): number {
    return this.#view.getUint32(place >>> 3, true) >>> (place & 7);
  }

  /** @param count of bits, at most 24 */
  read(count: number): number {
    const value = this.peek(this.place) & ((1 << count) - 1);
    this.place += count;
    return value;
  }

  /** An Exp-Golomb code: as many zeros as there are bits beyond `width`, a one, then the bits below the highest. */
  readNumber(width: number): number {
    let bits = width;
    while (this.read(1) === 0) if (++bits > 24) throw new RangeError('a number of more than 24 bits');
    return ((1 << bits) | this.read(bits)) - (1 << width);
  }

  /** A varint (LEB128): seven bits a byte, the lowest first; the highest bit is set if another byte follows. */
  readLength(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.read(8);
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
      if (shift > 21) throw new RangeError('a length of more than 28 bits');
    }
  }

  /** Skips to the next byte boundary. */
  align(): void {
    this.place = (this.place + 7) & ~7;
  }
}
