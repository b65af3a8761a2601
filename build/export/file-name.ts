import { createHash } from 'node:crypto';

/** Longer encoded names are cut, so that names with their extensions stay below the file system's 255 bytes. */
const MAX_LENGTH = 200;
const CUT_LENGTH = 100;

/**
 * Characters that are not safe in every file system: all except lower-case ASCII letters, digits, `-`, `_` and `.`; a
 * dot at the start (hidden), at the end (Windows drops it) or before a final `json` (an author's file would have the
 * name of another author's folder); and the first letter of names that Windows reserves for devices.
 */
const UNSAFE = /[^a-z0-9._-]|^\.|\.$|\.(?=json$)|^(?=(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))[a-z]/gu;

/**
 * The file name of a slug or username, without extension. Each unsafe character is encoded as its UTF-8 bytes, each as
 * `~` and two hexadecimal digits: `C++` → `~43~2b~2b`. A long name is cut, followed by `~~` and the first 32 digits of
 * its SHA-256. File names of two names always differ, even if case is ignored.
 */
export function fileName(name: string): string {
  const encoded = name.replace(UNSAFE, (character) =>
    Buffer.from(character).toString('hex').replace(/../g, '~$&'),
  );
  if (encoded.length <= MAX_LENGTH) return encoded;
  const digits = createHash('sha256').update(name).digest('hex').slice(0, 32);
  return `${encoded.slice(0, CUT_LENGTH)}~~${digits}`;
}
