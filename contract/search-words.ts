/**
 * The words of a search part, as they stand in its JSON. Sorted words share their beginnings, so each is
 * written as a capital letter that says how many code units it shares with the one before (A: none), and
 * the rest. Words are in lower case, so a capital letter also ends the word before.
 */
const NOTHING_SHARED = 0x41; // A
const MOST_SHARED = 25; // Z
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Words that stand together in one text once they are read. */
export const BLOCK_WORDS = 64;

/** How a word is written behind the one before it. */
export function frontCoded(word: string, previous: string): string {
  let shared = 0;
  const most = Math.min(MOST_SHARED, word.length, previous.length);
  while (shared < most && word.charCodeAt(shared) === previous.charCodeAt(shared)) shared++;
  if (isLowSurrogate(word.charCodeAt(shared))) shared--; // A character is never cut in two.
  return String.fromCharCode(NOTHING_SHARED + shared) + word.slice(shared);
}

/** Bytes that a well-formed text takes in UTF-8 within a JSON string, at most. */
export function jsonLength(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
    else if (unit < SPACE) bytes += 5;
    else if (unit === QUOTE || unit === BACKSLASH) bytes += 1;
  }
  return bytes;
}

/**
 * Reads words that frontCoded wrote, from the UTF-8 of a JSON string.
 *
 * @param json from the string's first byte on; it ends with the closing quote
 * @param count of the words
 * @param length of all of them, with a space after each, in code units
 * @returns where each word begins, a space behind each before it, and one more entry for the end; and the
 *   words, BLOCK_WORDS to a text: an engine keeps a text without foreign letters in half the memory
 */
export function readWords(
  json: Uint8Array,
  count: number,
  length: number,
): { readonly blocks: readonly string[]; readonly starts: Uint32Array } {
  const starts = new Uint32Array(count + 1);
  const units = roomFor(length);
  let [at, word] = [0, -1];
  for (let i = 0; i < json.length; i++) {
    const byte = json[i]!;
    if (byte >= NOTHING_SHARED && byte <= NOTHING_SHARED + MOST_SHARED) {
      let from = word < 0 ? 0 : starts[word]!;
      if (word >= 0) units[at++] = SPACE;
      starts[++word] = at;
      for (let shared = byte - NOTHING_SHARED; shared > 0; shared--) units[at++] = units[from++]!;
    } else if (byte < 0x80) {
      if (byte === QUOTE) break;
      if (byte !== BACKSLASH) units[at++] = byte;
      else {
        units[at++] = escaped(json, i + 1);
        i += json[i + 1] === LETTER_U ? 5 : 1;
      }
    } else if (byte < 0xe0) units[at++] = ((byte & 0x1f) << 6) | (json[++i]! & 0x3f);
    else if (byte < 0xf0)
      units[at++] = ((byte & 0x0f) << 12) | ((json[++i]! & 0x3f) << 6) | (json[++i]! & 0x3f);
    else {
      const high = ((byte & 0x07) << 18) | ((json[++i]! & 0x3f) << 12);
      const point = (high | ((json[++i]! & 0x3f) << 6) | (json[++i]! & 0x3f)) - 0x10000;
      units[at++] = 0xd800 + (point >>> 10);
      units[at++] = 0xdc00 + (point & 0x3ff);
    }
  }
  if (word >= 0) units[at++] = SPACE;
  starts[count] = at;
  const blocks: string[] = [];
  for (let first = 0; first < count; first += BLOCK_WORDS) {
    const end = starts[Math.min(first + BLOCK_WORDS, count)];
    blocks.push(textOf(units, starts[first]!, end!));
  }
  return { blocks, starts };
}

/** A call takes so many arguments on any engine's stack. */
const UNITS_AT_ONCE = 8192;

/** The text of code units `from` up to `to`: in steps, since a single word can be as long as a description. */
function textOf(units: Uint16Array, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at += UNITS_AT_ONCE) {
    const step = units.subarray(at, Math.min(at + UNITS_AT_ONCE, to));
    text += Reflect.apply(String.fromCharCode, null, step);
  }
  return text;
}

/** Words are laid out here before they become texts. One part is read after another, and all use the same room. */
let room = new Uint16Array(0);

function roomFor(length: number): Uint16Array {
  if (room.length < length) room = new Uint16Array(length);
  return room;
}

const LETTER_U = 0x75;
const SHORT_ESCAPES = new Map(
  [...'bfnrt'].map((letter, i) => [letter.charCodeAt(0), '\b\f\n\r\t'.charCodeAt(i)]),
);

/** The code unit that an escape stands for (RFC 8259, 7). @param at the byte behind the backslash */
function escaped(json: Uint8Array, at: number): number {
  const letter = json[at] ?? 0;
  if (letter !== LETTER_U) return SHORT_ESCAPES.get(letter) ?? letter;
  return Number.parseInt(String.fromCharCode(...json.subarray(at + 1, at + 5)), 16);
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
