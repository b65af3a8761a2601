import { colours } from './colours.ts';
import { printable } from './printable.ts';

/** `1,234`, of a whole number. (Intl would take 20 ms of each start to load.) */
export function count(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 post`, `2 posts` */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** `3.4 MB` */
export function megabytes(bytes: number): string {
  return bytes < 100_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Whether what is printed is seen by a person, and not kept in a file. */
export function isOnTerminal(): boolean {
  return process.stdout.isTTY === true;
}

/** A table with aligned columns, its head underlined by dimming. Cells are data: they are made printable. */
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
