/**
 * The records of an object of kind `page` or `set_page` (pages.ts), as they are in the file. A record is decoded when it is
 * asked for: a list needs one to fifteen of fifty, and fifty texts would take three times the memory and most of the time
 * of a read.
 */
export const LINE_FEED = 0x0a;
const COMMA = 0x2c;

const decoder = new TextDecoder();

export class Lines implements Iterable<string> {
  readonly #bytes: Uint8Array;
  /** Where lines begin behind the first one, as far as they were asked for: on average half of a page is not looked through. */
  readonly #starts: number[] = [];

  /** @param bytes `[`, a line feed, records with `,` and a line feed between them, a line feed, `]`, a line feed */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The JSON text of a record; undefined: there is none. */
  at(index: number): string | undefined {
    const next = this.#startOf(index + 1);
    const start = this.#starts[index];
    if (start === undefined || next === undefined) return undefined;
    const end = this.#bytes[next - 2] === COMMA ? next - 2 : next - 1;
    return decoder.decode(this.#bytes.subarray(start, end));
  }

  #startOf(index: number): number | undefined {
    const starts = this.#starts;
    while (starts.length <= index) {
      const start = this.#bytes.indexOf(LINE_FEED, starts.at(-1)) + 1;
      if (start === 0 || start === this.#bytes.length) return undefined;
      starts.push(start);
    }
    return starts[index];
  }

  /** The JSON texts of the records from index `start` up to `end`, or to the last. */
  slice(start: number, end: number): string[] {
    const texts: string[] = [];
    for (let index = start; index < end; index++) {
      const text = this.at(index);
      if (text === undefined) break;
      texts.push(text);
    }
    return texts;
  }

  /** The index of the first record that fits, or -1. */
  findIndex(fits: (record: string) => boolean): number {
    let index = 0;
    for (const record of this) {
      if (fits(record)) return index;
      index += 1;
    }
    return -1;
  }

  *[Symbol.iterator](): Generator<string> {
    let index = 0;
    for (let text = this.at(index); text !== undefined; text = this.at(++index)) yield text;
  }
}

export const NO_LINES = new Lines(new Uint8Array());
