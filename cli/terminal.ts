import { Presets, SingleBar } from 'cli-progress';
import { colours } from './colours.ts';
import { printable } from './printable.ts';
import type { BuildProgress } from '../build/progress.ts';

/** `1,234` */
export function count(value: number): string {
  return value.toLocaleString('en');
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

/** Steps of a build on standard error: a bar on a terminal, else a line for each step that took work. */
export function terminalProgress(): BuildProgress {
  return process.stderr.isTTY ? barProgress() : lineProgress();
}

function barProgress(): BuildProgress {
  let bar: SingleBar | undefined;
  return {
    begin(step, total) {
      if (total < 2) return;
      bar = new SingleBar(
        {
          format: `  ${step.padEnd(12)} {bar} {value}/{total}  {eta_formatted} left`,
          hideCursor: true,
          etaBuffer: 2000, // Pieces differ: a few of them say little of the rest.
          clearOnComplete: true,
        },
        Presets.shades_classic,
      );
      bar.start(total, 0);
    },
    advance: (pieces) => bar?.increment(pieces),
    end() {
      bar?.stop();
      bar = undefined;
    },
  };
}

function lineProgress(): BuildProgress {
  let step = '';
  let total = 0;
  return {
    begin(name, pieces) {
      step = name;
      total = pieces;
    },
    advance: () => undefined,
    end() {
      process.stderr.write(total > 1 ? `${step}: ${count(total)}\n` : `${step}\n`);
    },
  };
}
