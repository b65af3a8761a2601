/** A range of bytes that no longer change. */
export interface ByteRange {
  readonly bytes: Uint8Array;
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** Appends the bytes of an answer. */
type Write = (to: Composer) => void;

/** Enough for most lists. */
const ROOM_BYTES = 2 ** 16;

/** Builds bytes from texts and ranges of other bytes. */
export class Composer {
  #room = new Uint8Array(ROOM_BYTES);
  #length = 0;

  /** Appends a text of ASCII. */
  addText(text: string): void {
    const at = this.#take(text.length);
    for (let i = 0; i < text.length; i++) this.#room[at + i] = text.charCodeAt(i);
  }

  /** Appends the bytes from `start` up to `end`. */
  addBytes(bytes: Uint8Array, start: number, end: number): void {
    const at = this.#take(end - start);
    this.#room.set(bytes.subarray(start, end), at);
  }

  /** What `write` appends. */
  compose(write: Write): Uint8Array<ArrayBuffer> {
    this.#length = 0;
    write(this);
    return this.#room.slice(0, this.#length);
  }

  /** @returns where the next `length` bytes begin */
  #take(length: number): number {
    const at = this.#length;
    this.#length += length;
    if (this.#length > this.#room.length) {
      const larger = new Uint8Array(2 * this.#length);
      larger.set(this.#room);
      this.#room = larger;
    }
    return at;
  }
}

/** One shared buffer, since composing is synchronous: buffers of small pieces would be most of the garbage of a list. */
const composer = new Composer();

export function compose(write: Write): Uint8Array<ArrayBuffer> {
  return composer.compose(write);
}
