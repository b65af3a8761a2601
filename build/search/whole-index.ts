/** Builds a new index. */
import { type IndexObject, ObjectCutter } from './object-cutter.ts';
import { SuffixSorter, type Unit, unitsOf } from './table-node.ts';
import { type Entry, entriesOf } from './tree-writer.ts';
import type { WordTable } from './words.ts';

/** The entries of all texts whose first character is in the unit. */
export function unitEntries(table: WordTable, unit: Unit): Entry[] {
  const { posts } = table;
  const roots = new SuffixSorter(table, unit).root().children();
  return roots.flatMap(({ character, ranks, node }) =>
    Array.from(entriesOf(String.fromCodePoint(character), ranks, node, posts)),
  );
}

/** The objects of the index of some words. */
export function wholeIndex(table: WordTable): IndexObject[] {
  const objects: IndexObject[] = [];
  const cutter = new ObjectCutter((object) => objects.push(object));
  for (const unit of unitsOf(table)) for (const entry of unitEntries(table, unit)) cutter.add(entry);
  cutter.end();
  return objects;
}
