/**
 * Lines: records, one per line, after a head that says where each of them is. So one record is one small read, without a
 * search through the page. (Line breaks inside JSON strings are always escaped, so a line is always a whole record.)
 *
 *   [[689,303,640,688],[…],…]     for each record: its length in bytes, and places in it that readers need (records.ts)
 *   {"bodies":[…],…}              columns: lists about the records
 *   {"slug":"brevity",…}          the records
 *   {"slug":"tie-a-knot",…}
 */
import type { ByteRange } from './composing.ts';
import { type Check, isNumber, listOf, parseJson } from './json.ts';

const LINE_FEED = 0x0a;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A record: its JSON text in UTF-8, as a part of its file, or of other bytes. */
export interface LineRecord extends ByteRange {
  /** The places in it that the head gives, from its start. */
  readonly places: readonly number[];
}

/** A record to write. */
export interface LineText {
  /** JSON on one line. */
  readonly text: string;
  readonly places?: readonly number[];
}

/** @param columns lists about the records */
export function encodeLines(
  records: readonly LineText[],
  columns: Readonly<Record<string, unknown>> = {},
): string {
  const head = records.map(({ text, places = [] }) => [bytesIn(text), ...places]);
  const lines = [JSON.stringify(head), JSON.stringify(columns), ...records.map(({ text }) => text)];
  return `${lines.join('\n')}\n`;
}

/** Bytes of a text in UTF-8. */
export function bytesIn(text: string): number {
  return encoder.encode(text).length;
}

/** Where the records of a file are. */
export interface LinesHead {
  /** The first byte of the columns. */
  readonly columns: number;
  /** The first byte of each record, and the end of the file. */
  readonly starts: Uint32Array;
  readonly places: readonly (readonly number[])[];
}

const isHead = listOf(listOf(isNumber));

/** Reads the head of lines. @throws SyntaxError if the bytes are not lines, or lack some */
export function readHead(bytes: Uint8Array): LinesHead {
  const columns = bytes.indexOf(LINE_FEED) + 1;
  const records = parseJson(decoder.decode(bytes.subarray(0, columns)), isHead, 'the head of lines');
  const starts = new Uint32Array(records.length + 1);
  let at = bytes.indexOf(LINE_FEED, columns) + 1;
  for (const [i, [length = NaN]] of records.entries()) {
    starts[i] = at;
    at += length + 1;
    if (bytes[at - 1] !== LINE_FEED) throw new SyntaxError('a record is not as long as its head says');
  }
  starts[records.length] = at;
  if (at === 0 || at !== bytes.length) throw new SyntaxError('lines that their head does not cover');
  return { columns, starts, places: records.map(([, ...places]) => places) };
}

/** The records of a file. One is decoded when it is asked for. */
export class Lines implements Iterable<string> {
  readonly #bytes: Uint8Array;
  readonly head: LinesHead;

  /** @throws SyntaxError if the bytes are not lines */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.head = readHead(bytes);
  }

  /** The number of records. */
  get count(): number {
    return this.head.places.length;
  }

  /** Bytes in memory, with those of the head: a high estimate. */
  get memory(): number {
    return this.#bytes.length + 100 * this.count;
  }

  /** A record; undefined: there is none. */
  record(index: number): LineRecord | undefined {
    const { starts, places } = this.head;
    const own = places[index];
    return own && { bytes: this.#bytes, start: starts[index]!, end: starts[index + 1]! - 1, places: own };
  }

  /** The JSON text of a record; undefined: there is none. */
  at(index: number): string | undefined {
    const record = this.record(index);
    return record && decodeRecord(record);
  }

  /** The columns of the head. @throws SyntaxError if they are not as `isRight` says */
  columns<T>(isRight: Check<T>): T {
    const { columns, starts } = this.head;
    return parseJson(
      decoder.decode(this.#bytes.subarray(columns, starts[0])),
      isRight,
      'columns of such lines',
    );
  }

  /** The JSON texts of all records. */
  *[Symbol.iterator](): Generator<string> {
    for (let index = 0; index < this.count; index++) yield this.at(index) ?? '';
  }
}

/** The text of a record. */
export function decodeRecord({ bytes, start, end }: ByteRange): string {
  return decoder.decode(bytes.subarray(start, end));
}

export const NO_LINES = new Lines(encoder.encode(encodeLines([])));
