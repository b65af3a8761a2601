import type { BuildReport } from '../build/build-report.ts';
import type { Removed } from '../build/html/removals.ts';
import type { SkippedRow } from '../data/skipped-row.ts';
import { colours } from './colours.ts';
import { printable, printableName } from './printable.ts';
import { count, counted, megabytes } from './terminal.ts';

/** `published snapshot abc: 40 posts, 12 of 80 objects written (34 kB) in 0.2 s` */
export function describeBuild({ snapshot, posts, objects, seconds }: BuildReport): string {
  const { total, written, bytes_written: bytes } = objects;
  const work =
    written === 0
      ? 'nothing to write'
      : `${count(written)} of ${counted(total, 'object')} written (${megabytes(bytes)})`;
  return `${colours.green('published')} snapshot ${snapshot}: ${counted(posts, 'post')}, ${work}, in ${seconds.toFixed(2)} s`;
}

/** What a build did not publish as it is, and its notes: a label and a text each. */
export function describeLosses({
  skipped,
  cut,
  removed,
  notes,
}: Pick<BuildReport, 'skipped' | 'cut' | 'removed' | 'notes'>): (readonly [label: string, text: string])[] {
  return [
    ...skipped.map((row) => ['left out', describeRow(row)] as const),
    ...cut.map((row) => ['cut', describeRow(row)] as const),
    ...removed.map((kind) => ['removed', printable(describeRemoved(kind))] as const),
    ...notes.map((note) => ['note', printable(note)] as const),
  ];
}

/** `posts "a-slug": it has no title` */
function describeRow({ table, row, reason }: SkippedRow): string {
  return `${table} "${printableName(row)}": ${printable(reason)}`;
}

/** `13 frames of 4 hosts in 9 posts (maps.example, …): allow them with "html.embeds"`, `2 custom elements in 1 post (my-map)` */
function describeRemoved({ kind, count: times, posts, hosts }: Removed): string {
  const where = `in ${counted(posts, 'post')}`;
  if (hosts.length === 0) return `${counted(times, kind)} ${where}`;
  const named = hosts.slice(0, 3).join(', ') + (hosts.length > 3 ? ', …' : '');
  if (kind !== 'frame') return `${counted(times, kind)} ${where} (${named})`;
  return `${counted(times, kind)} of ${counted(hosts.length, 'host')} ${where} (${named}): allow ${times === 1 ? 'it' : 'them'} with "html.embeds"`;
}
