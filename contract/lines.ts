/**
 * The records of an object of kind `page` or `set_page` (pages.ts), as they are in the file. A record is decoded when it is
 * asked for: a list needs one to fifteen of fifty, and fifty texts would take three times the memory and most of the time
 * of a read.
 */
export const LINE_FEED = 0x0a;

const decoder = new TextDecoder();

export class Lines implements Iterable<string> {
  readonly length: number;
  readonly #bytes: Uint8Array;
  /** Where records begin, and behind the line of the last one. */
  readonly #starts: readonly number[];

  /** @param bytes `[`, a line feed, records with `,` and a line feed between them, a line feed, `]` */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    const starts: number[] = [];
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1))
      starts.push(at + 1);
    starts.pop(); // Behind the bracket.
    this.#starts = starts;
    this.length = Math.max(0, starts.length - 1);
  }

  /** The JSON text of a record; undefined: there is none. */
  at(index: number): string | undefined {
    const start = this.#starts[index];
    const next = this.#starts[index + 1];
    if (start === undefined || next === undefined) return undefined;
    return decoder.decode(this.#bytes.subarray(start, index === this.length - 1 ? next - 1 : next - 2));
  }

  /** The JSON texts of the records from index `start` up to `end`, or to the last. */
  slice(start: number, end: number): string[] {
    const texts: string[] = [];
    for (let index = start; index < Math.min(end, this.length); index++) texts.push(this.at(index) ?? '');
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
    for (let index = 0; index < this.length; index++) yield this.at(index) ?? '';
  }
}

export const NO_LINES = new Lines(new Uint8Array());
