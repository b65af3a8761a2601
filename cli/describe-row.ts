import type { SkippedRow } from '../data/skipped-row.ts';
import { printable, shortened } from './printable.ts';

/** `posts "a-slug": it has no title` */
export function describeRow({ table, row, reason }: SkippedRow): string {
  return `${table} "${shortened(row)}": ${printable(reason)}`;
}
