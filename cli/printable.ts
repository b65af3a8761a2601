/**
 * Escapes control and direction characters in output to terminals and logs, except our own colours: they could move the
 * cursor, hide or reorder text, or forge lines. Data goes through `printable` when it is put into a line. `guardConsole`
 * escapes the rest in all printed text.
 */
import { withoutSecrets } from '../contract/api-key.ts';
import { colours } from './colours.ts';

/** Controls (C0, DEL, C1), line and paragraph separators, direction characters, and halves of surrogate pairs. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/gu;

/** The same, or one of our own colour codes. */
const UNSAFE_OR_COLOUR = /\x1b\[\d{1,2}m|[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/gu;

/** Escapes data for one line: U+202E becomes `\u{202e}`. */
export function printable(text: string): string {
  return text.replace(UNSAFE, escaped);
}

/** The same for a name, cut to `longest` characters. */
export function printableName(name: string, longest = 100): string {
  const start = [...name.slice(0, 2 * longest + 2)]; // Enough also if each takes two code units.
  return printable(start.length <= longest ? name : `${start.slice(0, longest - 1).join('')}…`);
}

/** The same value in JSON, with such characters as `\u202e`. */
export function printableJson(json: string): string {
  return json.replace(UNSAFE, escapedInJson);
}

/** Escapes text of several lines with our colours. Idempotent. */
export function printableLines(text: string): string {
  const escape = /^[[{]/.test(text) ? printableJson : printable;
  return text.replace(UNSAFE_OR_COLOUR, (found) =>
    found === '\n' || found === '\t' || (found.length > 1 && colours.isColorSupported)
      ? found
      : escape(found),
  );
}

/** Makes the console escape unsafe characters, and hide secrets of keys on standard error. */
export function guardConsole(): void {
  const { log, error } = console;
  console.log = (...texts: readonly unknown[]) => log(printableLines(texts.join(' ')));
  console.error = (...texts: readonly unknown[]) => error(withoutSecrets(printableLines(texts.join(' '))));
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function escapedInJson(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
