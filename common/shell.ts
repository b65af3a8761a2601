/** An argument of a command, quoted for a POSIX shell if it must be. */
export function shellQuoted(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
