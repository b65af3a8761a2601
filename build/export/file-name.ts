import { createHash } from 'node:crypto';

/** Longer encoded names are cut, so that names and their extensions stay below the 255 bytes of a file system. */
const LONGEST = 200;
const KEPT_OF_LONG = 100;

/**
 * What a file name cannot have everywhere: anything but lower-case ASCII letters, digits, `-`, `_` and `.`; a dot at the
 * beginning (hidden), at the end (Windows drops it) or before a final `json` (an author's file would be another
 * author's folder); and the first letter of names that Windows keeps for devices.
 */
const UNSAFE = /[^a-z0-9._-]|^\.|\.$|\.(?=json$)|^(?=(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))[a-z]/gu;

/**
 * The file name, without an extension, of a slug or username: each unsafe character becomes its bytes of UTF-8, each as
 * `~` and two hexadecimal digits. `C++` → `~43~2b~2b`. A longer name is its encoded beginning, `~~` and the first 32
 * digits of its SHA-256. Two names never have the same file name, nor one that differs only in case.
 */
export function fileName(name: string): string {
  const encoded = name.replace(UNSAFE, (character) =>
    Buffer.from(character).toString('hex').replace(/../g, '~$&'),
  );
  if (encoded.length <= LONGEST) return encoded;
  const digits = createHash('sha256').update(name).digest('hex').slice(0, 32);
  return `${encoded.slice(0, KEPT_OF_LONG)}~~${digits}`;
}
