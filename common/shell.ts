/** An argument of a command, quoted if it must be: for a POSIX shell; on Windows for cmd.exe and PowerShell. */
export function shellQuoted(text: string): string {
  if (process.platform === 'win32') return quotedOnWindows(text);
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** No path of Windows has a quotation mark. */
export function quotedOnWindows(text: string): string {
  return /^[\w.:\\/+-]+$/.test(text) ? text : `"${text}"`;
}
