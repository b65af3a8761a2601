/** Fields of a caught value, which may be anything. */

/** The code of a Node or SQLite error: `ENOENT`. */
export function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : undefined;
}

/** The path that an error of the file system names. */
export function errorPath(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'path' in thrown && typeof thrown.path === 'string'
    ? thrown.path
    : undefined;
}

/** The message of an error; any other value as text. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The same as a part of a sentence: in one line, without a full stop. */
export function inlineMessage(thrown: unknown): string {
  return messageOf(thrown).replace(/\s+/g, ' ').replace(/\.$/, '');
}

/** The code of an error like `EACCES`, or else its message. */
export function reasonOf(thrown: unknown): string {
  return codeOf(thrown) ?? messageOf(thrown);
}

/** Whether the operating system refused something to this user. */
export function isDenied(thrown: unknown): boolean {
  return /^(?:EACCES|EPERM)$/.test(codeOf(thrown) ?? '');
}
