import { colours } from './colours.ts';
import { printable } from './printable.ts';

/** An integer as `1,234`. (Loading Intl would add 20 ms to each start.) */
export function count(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 post`, `2 posts` */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** `3.4 MB`; kB below 0.1 MB, GB from 10,000 MB. */
export function megabytes(bytes: number): string {
  if (bytes < 100_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return bytes < 1e10 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** The age of a time in its largest unit: `3 minutes`. @param timestamp RFC 3339 */
export function age(timestamp: string): string {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(timestamp)) / 1000));
  const units: [number, string][] = [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
  ];
  for (const [size, unit] of units) if (seconds >= size) return counted(Math.floor(seconds / size), unit);
  return counted(seconds, 'second');
}

/** A time for people: `2026-11-23 22:31:07Z`. @param timestamp RFC 3339, UTC */
export function moment(timestamp: string): string {
  return timestamp.slice(0, 19).replace('T', ' ') + 'Z';
}

/** Whether a person sees the output, not a file. */
export function isOnTerminal(): boolean {
  return process.stdout.isTTY === true;
}

/** Prints the result of a command: as JSON, or as text for people. */
export function printResult(json: boolean | undefined, result: unknown, text: string): void {
  console.log(json ? JSON.stringify(result) : text);
}

/** A table with aligned columns and a dimmed head. Cells are data, so they are escaped. */
export function table(head: readonly string[], data: readonly (readonly string[])[]): string {
  const rows = data.map((row) => row.map(printable));
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(i === cells.length - 1 ? 0 : (widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  return [colours.dim(line(head)), ...rows.map(line)].join('\n');
}

let fault: Error | null = null;

/** Without this, output that cannot be written ends the process. */
export function watchOutput(): void {
  process.stdout.on('error', (error: Error) => {
    fault ??= error;
  });
  process.stderr.on('error', () => undefined);
}

/** Why the output so far could not be written to standard output, such as a full disk or a closed pipe. */
export async function outputFault(): Promise<Error | null> {
  await new Promise(setImmediate); // Streams report it after the call.
  return fault;
}
